import type { ModelServer } from "@/api/types";
import { t } from "@/words";

const NAMES: Record<ModelServer["provider"], string> = {
  extractive: t("Built in"),
  local: t("Local models"),
  ollama: "Ollama",
  openai: t("OpenAI-compatible server"),
  outside: t("RAG system"),
};

/** What people call a server: its own name, else that of its kind. */
export function serverName({ provider, connection }: ModelServer): string {
  return connection ?? NAMES[provider];
}
