import type { Figure } from "@/api/types";
import { words } from "@/words";

/** A figure with its title, axes and columns in the reader's language; names of models and metrics stay as they are. */
export function inWords(figure: Figure): Figure {
  const { term } = words.figures;
  const named = <Part extends { label: string; unit: string }>(part: Part): Part => ({
    ...part,
    label: term(part.label),
    unit: term(part.unit),
  });
  return {
    ...figure,
    title: term(figure.title),
    x: named(figure.x),
    y: named(figure.y),
    ...(figure.color ? { color: named(figure.color) } : {}),
    columns: figure.columns.map(named),
    series: figure.series.map((series) => ({ ...series, name: term(series.name) })),
    notes: figure.notes.map(term),
  };
}
