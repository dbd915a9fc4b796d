import clsx from "clsx";
import { Quiet } from "@/components/Quiet";
import classes from "./IntervalMark.module.css";

export interface Interval {
  low: number;
  high: number;
}

/** Smallest range that holds all intervals and zero, with a little room; what all marks of a column share. */
export function sharedRange(intervals: readonly (Interval | null | undefined)[]): Interval {
  const known = intervals.filter((interval) => interval != null);
  const low = Math.min(0, ...known.map((interval) => interval.low));
  const high = Math.max(0, ...known.map((interval) => interval.high));
  const room = (high - low) * 0.04 || 1;
  return { low: low - room, high: high + room };
}

interface Props {
  value: number;
  interval: Interval;
  range: Interval;
  label: string;
  /** The ends of the interval in words, below the mark: not for a mouse alone, and also on paper. */
  ends?: string | null;
  /** Differences up to this size do not matter: a band around zero. */
  margin?: number;
  /** Whether the difference is decided, where that is not for this interval alone to say: one of many comparisons. */
  isDecided?: boolean;
  /** In pixels. */
  width?: number;
}

const HEIGHT = 16;

/** A difference with its interval beside zero; filled where it is decided, that is where the interval leaves zero out. */
export function IntervalMark({
  value,
  interval,
  range,
  label,
  ends,
  margin,
  isDecided = true,
  width = 132,
}: Props) {
  const x = (at: number) => ((at - range.low) / (range.high - range.low)) * width;
  const side = interval.low > 0 ? "above" : interval.high < 0 ? "below" : "open";
  const sign = isDecided ? side : "open";
  const middle = HEIGHT / 2;
  return (
    <>
      <svg width={width} height={HEIGHT} role="img" aria-label={label} className={classes.figure}>
        <title>{label}</title>
        {margin !== undefined && (
          <rect x={x(-margin)} width={x(margin) - x(-margin)} height={HEIGHT} className={classes.margin} />
        )}
        <line x1={x(0)} x2={x(0)} y1={0} y2={HEIGHT} className={classes.zero} />
        <g className={clsx(classes[sign])}>
          <line x1={x(interval.low)} x2={x(interval.high)} y1={middle} y2={middle} className={classes.bar} />
          <circle cx={x(value)} cy={middle} r={4} className={classes.point} />
        </g>
      </svg>
      {/* The mark says it to those who do not see it. */}
      {ends && (
        <Quiet size="xs" aria-hidden="true">
          {ends}
        </Quiet>
      )}
    </>
  );
}
