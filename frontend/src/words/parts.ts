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
} as Record<string, string>;
