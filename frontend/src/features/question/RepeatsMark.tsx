import { formatScore } from "@/components/numbers/format";
import { formatValue, type Range } from "@/components/numbers/metricFormat";
import { t } from "@/words";
import classes from "./Across.module.css";

interface Props {
  /** Scores of the repetitions. */
  values: readonly number[];
  mean: number;
  /** Smallest and largest value of all configurations, which share the axis. */
  ends: readonly [number, number];
  range: Range;
}

const WIDTH = 132;
const HEIGHT = 14;
const EDGE = 4;

/** The repetitions of a question as small dots, and their mean as a tick. */
export function RepeatsMark({ values, mean, ends: [low, high], range }: Props) {
  const share = (value: number) => (high > low ? (value - low) / (high - low) : 0.5);
  const x = (value: number) => EDGE + share(value) * (WIDTH - 2 * EDGE);
  const label = t("Repetitions {values}; mean {mean}", {
    values: values.map((value) => formatValue(value, range)).join(", "),
    mean: formatScore(mean, range ? 3 : 1),
  });
  return (
    <svg width={WIDTH} height={HEIGHT} role="img" aria-label={label} className={classes.repeats}>
      <title>{label}</title>
      <line x1={x(mean)} x2={x(mean)} y1={0} y2={HEIGHT} className={classes.mean} />
      {values.map((value, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: repetitions have no other name than their place
        <circle key={place} cx={x(value)} cy={HEIGHT / 2} r={2.5} />
      ))}
    </svg>
  );
}
