import { t } from ".";
import { localised } from "./count";
import { language } from "./language";

const NUMBER = "(-?[\\d.]+)";

function part(start: string, say: (at: string) => string): [RegExp, (at: string) => string] {
  return [new RegExp(`^${start}$`), say];
}

/** Parts by which the name of a configuration is recognised. */
const CUTS = [
  part(`Similarity ≥ ${NUMBER}`, (at) => t("Similarity ≥ {at}", { at })),
  part(`Relative ≥ ${NUMBER}`, (at) => t("Relative ≥ {at}", { at })),
  part(`Published score ${NUMBER}`, (at) => t("Published score {at}", { at })),
  part(`Largest gap of ${NUMBER}`, (at) => t("Largest gap of {at}", { at })),
  part(`Top-k ${NUMBER}`, (at) => t("Top-k {at}", { at })),
  part("No retrieval", () => t("No retrieval")),
  // The end of the label of a model under several settings: `m (default, temperature 0.2)`.
  part(`temperature ${NUMBER}\\)`, (at) => t("temperature {at})", { at })),
];
const OTHERS = [
  part(`T=${NUMBER}`, (at) => `T=${at}`),
  part(`temperature ${NUMBER}`, (at) => t("temperature {at}", { at })),
  part("Dense", () => t("Dense")),
];
const LONGEST = 300;

function said(text: string, parts: typeof CUTS): string | null {
  for (const [pattern, say] of parts) {
    const found = pattern.exec(text);
    if (found) return say(localised(found[1] ?? ""));
  }
  return null;
}

/**
 * The name of a configuration in the reader's language; any other text as it is. Names are stored in English and never
 * change, as manifests contain them. Their parts stand between commas: `mistral:7b, Similarity ≥ 0.50, Dense`.
 */
export function named(text: string): string {
  if (language === "en" || text.length > LONGEST) return text;
  const parts = text.split(", ");
  if (!parts.some((each) => said(each, CUTS) !== null)) return text;
  return parts.map((each) => said(each, [...CUTS, ...OTHERS]) ?? each).join(", ");
}
