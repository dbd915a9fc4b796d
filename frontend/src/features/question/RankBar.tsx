import type { AnswerAcross } from "@/api/types";
import { t } from "@/words";
import classes from "./Across.module.css";

interface Props {
  ranks: NonNullable<AnswerAcross["ranks"]>;
  /** The last rank on the axis, which all configurations share; what lies beyond is only in the label. */
  most: number;
  isLost: boolean;
}

const HEIGHT = 10;

/** The ranking as a bar: the kept part filled, gold passages as marks, and a line at the cut. */
export function RankBar({ ranks: { retrieved, kept, gold }, most, isLost }: Props) {
  const [first = 0, last = 0] = kept;
  const label = [
    last > first
      ? t("Ranks {first, number} to {last, number} of {retrieved, number} kept", {
          first: first + 1,
          last,
          retrieved,
        })
      : t("None of {retrieved, number} ranks kept", { retrieved }),
    gold.length > 0 && t("gold passages at {ranks}", { ranks: gold.join(", ") }),
  ]
    .filter(Boolean)
    .join("; ");
  return (
    <svg
      viewBox={`0 0 ${most} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
      className={classes.ranks}
    >
      <title>{label}</title>
      <rect x={0} y={3} width={retrieved} height={4} className={classes.retrieved} />
      <rect
        x={first}
        y={3}
        width={last - first}
        height={4}
        className={classes.kept}
        data-lost={isLost || undefined}
      />
      {gold.map((rank) => (
        <rect key={rank} x={rank - 0.85} y={2} width={0.7} height={6} className={classes.gold} />
      ))}
      <line x1={last} x2={last} y1={0} y2={HEIGHT} className={classes.cut} />
    </svg>
  );
}
