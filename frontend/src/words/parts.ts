import type { Part } from "@/api/types";
import { t } from ".";

export const PARTS = {
  encoder: t("Encoder"),
  wordnet: t("WordNet"),
  judge: t("Judge"),
  ollama: t("Ollama"),
  chroma: t("Chroma"),
  chain: t("Blockchain"),
  database: t("Database"),
  "browser application": t("Browser application"),
  "local models": t("Local models"),
  "identity provider": t("Identity provider"),
} as Record<string, string>;

/** Whether a component is there; what nobody has set up is not missing. */
export function availability({ ok, is_configured }: Part): string {
  if (ok) return t("Available");
  return is_configured ? t("Not available") : t("Not configured");
}

/** Colour of that: what is needed and missing stands out more than what is optional. */
export function toneOf({ ok, required, is_configured }: Part): string {
  if (ok) return "var(--good-text)";
  if (!is_configured) return "var(--quiet)";
  return required ? "var(--bad-text)" : "var(--warn-text)";
}
