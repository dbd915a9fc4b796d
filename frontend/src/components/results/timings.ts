import type { TimingReport } from "@/api/types";
import { formatCount, formatDuration, formatScore } from "@/components/numbers/format";
import { t } from "@/words";

export const FIGURES = {
  tokens_per_s: [t("Tokens/s"), t("Tokens generated per second, reported by the model server")],
  total_s: [t("Total"), t("Whole request, reported by the model server")],
  load_s: [t("Loading"), t("Model load, reported by the model server")],
  prompt_eval_s: [t("Prompt"), t("Prompt evaluation, reported by the model server")],
  eval_s: [t("Generation"), t("Answer generation, reported by the model server")],
  prompt_tokens: [t("Prompt tokens"), t("Tokens in the prompt, counted by the model server")],
  read_tokens: [t("Tokens read"), t("Tokens of the prompt that the server read for this answer")],
  answer_tokens: [t("Answer tokens"), t("Tokens in the answer, counted by the model server")],
  generation_s: [t("Answer"), t("From sending the prompt to receiving the last byte, measured by PaSSER")],
  embedding_s: [t("Embedding"), t("Question embedding, measured by PaSSER")],
  retrieval_s: [t("Retrieval"), t("Passage search, measured by PaSSER")],
  scoring_s: [t("Scoring"), t("Answer scoring, measured by PaSSER")],
} as const;

export type FigureName = keyof typeof FIGURES;

/** How a figure is written: seconds in a sensible unit, tokens as counts, their speed with one decimal. */
export function formatOf(name: FigureName): (value: number) => string {
  if (name === "tokens_per_s") return (value) => formatScore(value, 1);
  return name.endsWith("_tokens") ? formatCount : formatDuration;
}

/** A figure that has a name in words; a report of a later version may hold others. */
export function isFigure(name: string): name is FigureName {
  return name in FIGURES;
}

/** Two reports of the same machine: nothing that is known of it differs. */
export function isSameMachine(here: TimingReport, there: TimingReport): boolean {
  const told = ({ machine }: TimingReport) =>
    JSON.stringify([
      machine.architecture,
      machine.cpu_count,
      machine.memory_bytes ?? null,
      machine.processor,
      machine.system,
    ]);
  return told(here) === told(there);
}

/** Whether it has the form of a report; the server checks the rest of it. */
function isReport(found: unknown): found is TimingReport {
  if (typeof found !== "object" || found === null) return false;
  const { sweep_id, name, machine, configurations, questions } = found as Record<string, unknown>;
  return (
    typeof sweep_id === "string" &&
    typeof name === "string" &&
    typeof machine === "object" &&
    machine !== null &&
    Array.isArray(configurations) &&
    Array.isArray(questions)
  );
}

/** A report in a file that another server or its command line wrote; null where there is none. */
export function reportIn(text: string): TimingReport | null {
  try {
    const found: unknown = JSON.parse(text);
    return isReport(found) ? found : null;
  } catch {
    return null;
  }
}
