import type { Sweep } from "@/api/types";
import { formatThresholds } from "@/components/numbers/thresholds";
import { t } from "@/words";

/** What a sweep varies, in a few words. */
export function policyRange({ axes }: Sweep): string {
  const { min_similarity, k, model, prompt, temperature, repeat } = axes;
  const parts = [
    formatThresholds(min_similarity),
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
