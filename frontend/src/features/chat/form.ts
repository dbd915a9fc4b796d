import { usual } from "@/api/defaults";
import type { RunConfig, Sending, SingleQuestion } from "@/api/types";
import { BUILT_IN, modelOf } from "@/components/models/value";

/** What is asked, and how; as it is typed. */
export interface ChatForm {
  question: string;
  reference: string;
  collection: string;
  /** `provider/name`. */
  model: string;
  mode: "score" | "normal" | "none";
  threshold: number | string;
  maxK: number | string;
  k: number | string;
  temperature: number | string;
  prompt: string;
}

export const DEFAULTS: ChatForm = {
  question: "",
  reference: "",
  collection: "",
  model: BUILT_IN,
  mode: "score",
  threshold: usual.thresholds.start,
  maxK: usual.max_k,
  k: usual.k,
  temperature: usual.options.temperature,
  prompt: "default",
};

/** An empty number field asks for nothing; the server says what is missing. */
function amount(value: number | string): number {
  return value === "" ? Number.NaN : Number(value);
}

function policyOf({ mode, threshold, maxK, k }: ChatForm): RunConfig["retrieval"] {
  if (mode === "normal") return { mode, k: amount(k) };
  if (mode === "none") return { mode };
  return { mode, min_similarity: amount(threshold), max_k: amount(maxK), k_increment: usual.k_increment };
}

/** What is sent. */
export function questionOf(form: ChatForm): Sending<SingleQuestion> {
  return {
    question: form.question.trim(),
    reference: form.reference.trim(),
    collection: form.collection,
    model: modelOf(form.model),
    options: { ...usual.options, temperature: amount(form.temperature) },
    retrieval: policyOf(form),
    prompt: form.prompt,
  };
}

const FIELDS: [RegExp, keyof ChatForm][] = [
  [/min_similarity|minSimilarityScore/, "threshold"],
  [/max_k|maxK/, "maxK"],
  [/retrieval.*\bk$/, "k"],
  [/temperature/, "temperature"],
  [/^model/, "model"],
  [/^(question|reference|collection|prompt)/, "question"],
];

/** The server's messages under the fields of this form. */
export function fieldsOf(problems: Record<string, string>): Partial<Record<keyof ChatForm, string>> {
  const found: Partial<Record<keyof ChatForm, string>> = {};
  for (const [name, message] of Object.entries(problems)) {
    const own = /^(question|reference|collection|prompt)$/.test(name) ? (name as keyof ChatForm) : null;
    const field = own ?? FIELDS.find(([pattern]) => pattern.test(name))?.[1];
    if (field && !(field in found)) found[field] = message;
  }
  return found;
}
