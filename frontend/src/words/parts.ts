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
} as Record<string, string>;
