import { Group, NativeSelect, SegmentedControl, Stack, Text } from "@mantine/core";
import { useState } from "react";
import type { SweepAnalysis } from "@/api/types";
import { bindText } from "@/components/fields";
import { formatScore } from "@/components/numbers/format";
import { CPS, formatShortGain, isInPoints } from "@/components/numbers/metricFormat";
import { QueryState } from "@/components/QueryState";
import { Quiet } from "@/components/Quiet";
import { Find } from "@/components/table/Find";
import { t } from "@/words";
import { DisplayMenu, type MatrixDisplay, useMatrixDisplay } from "./DisplayMenu";
import classes from "./Matrix.module.css";
import { MatrixGrid } from "./MatrixGrid";
import type { Scale } from "./matrixCell";
import { type Filter, type MatrixView, toggled, useMatrix, useMatrixView, useScale } from "./useMatrix";

const CHIPS: Record<Exclude<Filter, "baseline">, string> = {
  gold_lost: t("Gold passage lost"),
  abstained: t("Abstained"),
  failed: t("Failed"),
  sign_changed: t("Gains and losses"),
  low: t("Low in all configurations"),
};
const CHIP_NAMES = Object.keys(CHIPS) as (keyof typeof CHIPS)[];
const ORDERS = { spread: t("Spread"), lost: t("Lost gold passages"), number: t("Dataset order") };

/** Every question under every configuration of the sweep. */
export function Matrix({ id, analysis }: { id: string; analysis: SweepAnalysis }) {
  const view = useMatrixView(primaryOf(analysis));
  const display = useMatrixDisplay();
  const [seen, setSeen] = useState<readonly [number, number]>([0, 0]);
  const { head, rows } = useMatrix(id, view, seen);
  const { scale, metrics } = useScale(analysis.profile, view, head.data?.gain_bound);
  if (!head.data) return <QueryState query={head} height={400} />;
  const { total, columns, low_below: low } = head.data;
  return (
    <Stack gap="sm">
      <Tools
        view={view}
        columns={columns}
        metrics={metrics}
        low={low ?? null}
        scale={scale}
        display={display}
      />
      <Group justify="space-between" gap="xs">
        <Quiet role="status">{t("{total, plural, one {# question} other {# questions}}", { total })}</Quiet>
        <Legend scale={scale} />
      </Group>
      <MatrixGrid
        key={`${view.metric} ${view.order} ${view.of} ${view.only} ${view.find} ${view.area}`}
        view={view}
        analysis={analysis}
        columns={columns}
        total={total}
        rows={rows}
        scale={scale}
        display={display}
        onSeen={setSeen}
      />
      {total === 0 && <Text c="var(--quiet)">{t("No questions match these filters.")}</Text>}
    </Stack>
  );
}

/** The primary metric, unless it is a judged column that waits for its judge or was chosen afterwards. */
function primaryOf({ rule, verdict }: SweepAnalysis): string {
  const hasColumn = rule.judged_by?.status !== "waiting" && !verdict.exploratory.includes("primary");
  return !rule.judged_by || hasColumn ? rule.primary : CPS;
}

interface ToolsProps {
  view: MatrixView;
  columns: { run_id: string; name: string }[];
  metrics: string[];
  low: number | null;
  scale: Scale;
  display: MatrixDisplay;
}

function Tools({ view, columns, metrics, low, scale, display }: ToolsProps) {
  const { only, order = "spread", of, area, change } = view;
  const byGain = of && (order === "rise" || order === "fall") ? `${order} ${of}` : order;
  const sort = (chosen: string) => {
    const [next, run] = chosen.split(" ");
    change({ order: next === "spread" ? undefined : (next as MatrixView["order"]), of: run });
  };
  const toggle = (name: Filter) => change({ only: toggled(only, name) });
  const titles: Partial<Record<Filter, string>> = {
    sign_changed: t("One configuration gains and another loses"),
    ...(low === null
      ? {}
      : {
          low: t("No configuration reaches {bound}, the lower quartile of all scores", {
            bound: formatScore(low, 2),
          }),
        }),
  };
  return (
    <Group gap="sm" align="flex-end">
      <Find text={view.find ?? ""} onFind={(find) => view.change({ find: find || undefined })} />
      <NativeSelect
        size="xs"
        label={t("Sort by")}
        {...bindText(byGain, sort)}
        data={[
          ...Object.entries(ORDERS).map(([value, label]) => ({ value, label })),
          ...columns.flatMap(({ run_id, name }) => [
            { value: `fall ${run_id}`, label: t("Largest loss of {name}", { name }) },
            { value: `rise ${run_id}`, label: t("Largest gain of {name}", { name }) },
          ]),
        ]}
      />
      <NativeSelect
        size="xs"
        label={t("Metric")}
        {...bindText(view.metric, (value) => change({ metric: value === view.primary ? undefined : value }))}
        data={[...new Set([view.primary, CPS, ...metrics])]}
      />
      <SegmentedControl
        size="xs"
        aria-label={t("Colour")}
        value={scale.shade}
        onChange={(next) => change({ shade: next === "score" ? "score" : undefined })}
        data={[
          { value: "gain", label: t("Gain") },
          { value: "score", label: t("Score") },
        ]}
      />
      <DisplayMenu view={view} display={display} />
      <fieldset className={classes.chips} aria-label={t("Filters")}>
        {CHIP_NAMES.map((name) => (
          <button
            key={name}
            type="button"
            className={classes.chip}
            aria-pressed={only.includes(name)}
            title={titles[name]}
            onClick={() => toggle(name)}
          >
            {CHIPS[name]}
          </button>
        ))}
        {area && (
          <button
            type="button"
            className={classes.chip}
            aria-pressed={true}
            onClick={() => change({ area: undefined })}
          >
            {t("Selected in the figure")}
          </button>
        )}
      </fieldset>
    </Group>
  );
}

/** Bounds of the colours, and the marks. */
function Legend({ scale }: { scale: Scale }) {
  const { shade, metric, bound, range } = scale;
  const short = formatShortGain(metric, range);
  const ends =
    shade === "gain" ? bound && [short(-bound), short(bound)] : range?.map((end) => formatScore(end, 1));
  return (
    <Group gap="md" className={classes.legend ?? ""}>
      {ends && (
        <span className={classes.key}>
          {ends[0]}
          <i
            className={classes.ramp}
            data-shade={shade}
            data-falls={scale.higherIsBetter ? undefined : true}
          />
          {ends[1]}
          {shade === "gain" && isInPoints(metric) ? ` ${t("points")}` : ""}
        </span>
      )}
      <span className={classes.key}>
        <b>○</b> {t("abstained")}
      </span>
      <span className={classes.key}>
        <b>●</b> {t("failed")}
      </span>
      <span className={classes.key}>
        <b className={classes.lostKey} /> {t("gold passage lost")}
      </span>
      <span className={classes.key}>
        <small>3</small> {t("passages kept")}
      </span>
    </Group>
  );
}
