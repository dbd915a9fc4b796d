import classes from "./DistributionMark.module.css";

interface Props {
  /** How many values lie in each of equal parts. */
  bins: readonly number[];
  /** Where the median lies between the first part's beginning, 0, and the last one's end, 1. */
  median: number;
  label: string;
}

const WIDTH = 120;
const HEIGHT = 18;
/** A part that holds anything is seen. */
const LEAST = 1;

/** How values are distributed: a bar for each part of their range, the tallest for the most, and the median. */
export function DistributionMark({ bins, median, label }: Props) {
  const most = Math.max(1, ...bins);
  const width = WIDTH / Math.max(1, bins.length);
  return (
    <svg width={WIDTH} height={HEIGHT} role="img" aria-label={label} className={classes.figure}>
      <title>{label}</title>
      <line x1={0} x2={WIDTH} y1={HEIGHT} y2={HEIGHT} className={classes.ground} />
      {bins.map((count, place) => {
        const height = count === 0 ? 0 : Math.max(LEAST, (count / most) * HEIGHT);
        // biome-ignore lint/suspicious/noArrayIndexKey: a part is its place
        return <rect key={place} x={place * width} y={HEIGHT - height} width={width - 1} height={height} />;
      })}
      <line x1={median * WIDTH} x2={median * WIDTH} y1={0} y2={HEIGHT} className={classes.median} />
    </svg>
  );
}
