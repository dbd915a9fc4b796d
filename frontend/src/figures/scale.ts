import type { Figure } from "@/api/types";
import { between, type Look, through } from "./look";

/** Colour scale of a heat map: its ends, and the colour of a value between them. */
interface ColourScale {
  ends: number[];
  colour: (value: number) => string;
}

/** Both ways from zero where the figure says so, else from its smallest to its largest value. */
export function scaleOf(figure: Figure, look: Look): ColourScale {
  const values = figure.series.flatMap(({ rows }) => rows.map(({ value }) => value ?? 0));
  const [low = Math.min(0, ...values), high = Math.max(0, ...values)] = figure.color?.domain ?? [];
  const held = (share: number) => Math.min(1, Math.max(0, share));
  if (figure.is_diverging) {
    const reach = Math.max(Math.abs(low), Math.abs(high)) || 1;
    const colour = (value: number) => through(look.diverging, held(0.5 + value / (2 * reach)));
    return { ends: [-reach, 0, reach], colour };
  }
  const width = high - low || 1;
  return { ends: [low, high], colour: (value) => between(...look.sequential, held((value - low) / width)) };
}
