import type { Sweep } from "@/api/types";
import { t } from "@/words";

/** What a sweep varies, in a few words. */
export function policyRange({ axes }: Sweep): string {
  const { min_similarity, k, model, prompt, temperature, repeat } = axes;
  const [low] = min_similarity;
  const high = min_similarity.at(-1);
  const parts = [
    low !== undefined && high !== undefined
      ? t("thresholds {start}–{stop}", { start: low.toFixed(2), stop: high.toFixed(2) })
      : null,
    k.length > 0 ? t("k = {values}", { values: k.join(", ") }) : null,
    model.length > 1 ? t("{count, plural, one {# model} other {# models}}", { count: model.length }) : null,
    prompt.length > 1
      ? t("{count, plural, one {# prompt} other {# prompts}}", { count: prompt.length })
      : null,
    temperature.length > 1 ? t("temperatures {values}", { values: temperature.join(", ") }) : null,
    repeat > 1 ? t("{count, plural, one {# repetition} other {# repetitions}}", { count: repeat }) : null,
  ];
  return parts.filter(Boolean).join("; ");
}
