import type { MatrixColumn, MatrixRow } from "@/api/types";
import { formatShortGain, formatValue, type Range } from "@/components/numbers/metricFormat";
import { t } from "@/words";

type Cell = MatrixRow["cells"][number];

/** What colour stands for: the gain over the baseline, or the score itself. */
type Shade = "gain" | "score";

/** How the values of the chosen metric are shown. */
export interface Scale {
  shade: Shade;
  metric: string;
  /** Gains of this size have the full colour; null where no gain differs from 0. */
  bound: number | null;
  /** Smallest and largest possible score; null where the metric has no bounds. */
  range: Range;
  higherIsBetter: boolean;
}

/** The strongest mix with a colour in which text on a cell stays easy to read, by day and by night. */
const STRONGEST = 55;
/** Background of a cell; none rather than a misleading one where there is no value, or no scale. */
export function colourOf({ score, gain }: Cell, { shade, bound, range, higherIsBetter }: Scale) {
  if (shade === "gain") {
    if (gain == null || !bound) return undefined;
    const better = higherIsBetter ? gain : -gain;
    return mixed(better > 0 ? "--gain" : "--loss", Math.abs(better) / bound);
  }
  if (score == null || range === null || range[0] === range[1]) return undefined;
  const share = (score - range[0]) / (range[1] - range[0]);
  return mixed("--gain", higherIsBetter ? share : 1 - share);
}

function mixed(colour: string, share: number): string | undefined {
  const strength = Math.round(STRONGEST * Math.min(1, Math.max(0, share)));
  return strength === 0 ? undefined : `color-mix(in oklab, var(${colour}) ${strength}%, var(--surface))`;
}

/** What a cell shows: a gain, a score, or a mark for what happened instead. */
export function textOf({ score, gain, state }: Cell, column: MatrixColumn, scale: Scale): string {
  if (state === "failed") return "●";
  if (state === "abstained") return "○";
  if (score == null) return "";
  if (scale.shade === "score" || column.baseline === null) return formatValue(score, scale.range);
  return gain == null ? "" : formatShortGain(scale.metric, scale.range)(gain);
}

/** The whole cell in words. */
export function labelOf({ score, gain, state, kept, gold_lost }: Cell, column: MatrixColumn, scale: Scale) {
  return [
    column.name,
    state === "failed" && t("failed"),
    state === "open" && t("not answered yet"),
    state === "abstained" && t("abstained"),
    score != null && t("score {score}", { score: formatValue(score, scale.range) }),
    gain != null && t("gain {gain}", { gain: formatShortGain(scale.metric, scale.range)(gain) }),
    t("{count, plural, one {# passage} other {# passages}}", { count: kept }),
    gold_lost && t("gold passage lost"),
  ]
    .filter(Boolean)
    .join(", ");
}
