import { useQuery } from "@tanstack/react-query";
import { isOpen } from "@/api/states";
import { sweepQueries } from "@/api/sweeps";
import type { ModelSummary, SweepDetail } from "@/api/types";
import { Quiet } from "@/components/Quiet";
import { unbroken } from "@/components/unbroken";
import { t } from "@/words";
import { headingOf, kindOf } from "@/words/outcomes";
import classes from "./SweepTable.module.css";

const WIDTH = 84;
const HEIGHT = 22;

type Models = readonly ModelSummary[];

interface Props {
  sweep: SweepDetail;
}

function useSummary({ id, state }: SweepDetail): { models: Models; isLoading: boolean } {
  const { data, isLoading } = useQuery({ ...sweepQueries.summary(id), enabled: !isOpen(state) });
  return { models: data?.models ?? [], isLoading: isLoading || data?.is_computing === true };
}

/** The verdict of each model in words, and its best configuration where the verdict names none. */
export function conclusionsOf(models: Models) {
  return models.map(({ model, verdict, judge, metric, best }) => {
    const about = [
      models.length > 1 && model,
      judge ?? kindOf(verdict.kind),
      // Without a verdict no configuration is named beside it.
      verdict.recommended == null &&
        verdict.kind !== "no_verdict" &&
        best &&
        t("best {metric}: {name}", { metric, name: best }),
    ];
    return { heading: headingOf(verdict), about: about.filter(Boolean).join(": ") };
  });
}

/** The verdict of each model, and its best configuration where the verdict names none. */
export function Conclusion({ sweep }: Props) {
  const { models, isLoading } = useSummary(sweep);
  if (isLoading) return t("Computing…");
  return conclusionsOf(models).map(({ heading, about }, place) => (
    <div
      key={models[place]?.model}
      className={classes.conclusion}
      data-good={models[place]?.verdict.recommended != null}
    >
      {unbroken(heading)}
      <Quiet size="xs">{unbroken(about)}</Quiet>
    </div>
  ));
}

/** Mean CPS over the configurations of each model, as a small line. */
export function Sparkline({ sweep }: Props) {
  const { models } = useSummary(sweep);
  const lines = models.map(({ means }) => sparkline(means, WIDTH, HEIGHT)).filter((path) => path !== "");
  if (lines.length === 0) return null;
  return (
    <svg width={WIDTH} height={HEIGHT} role="img" aria-label={t("Mean CPS by configuration")}>
      {lines.map((path) => (
        <path key={path} d={path} fill="none" stroke="var(--accent-text)" strokeWidth={1.5} />
      ))}
    </svg>
  );
}

const EDGE = 2;

/** A line through the values from left to right, the highest at the top; empty where fewer than two are known. */
export function sparkline(values: readonly (number | null)[], width: number, height: number): string {
  const known = values.filter((value) => value !== null);
  if (known.length < 2) return "";
  const [low, high] = [Math.min(...known), Math.max(...known)];
  const x = (place: number) => EDGE + (place / (values.length - 1)) * (width - 2 * EDGE);
  // Equal values are a line in the middle.
  const y = (value: number) =>
    high === low ? height / 2 : height - EDGE - ((value - low) / (high - low)) * (height - 2 * EDGE);
  return values
    .flatMap((value, place) => (value === null ? [] : [`${x(place).toFixed(1)},${y(value).toFixed(1)}`]))
    .reduce((path, point) => (path === "" ? `M${point}` : `${path}L${point}`), "");
}
