import type { Sweep } from "@/api/types";
import { words } from "@/words";

/** What a sweep varies, in a few words. */
export function policyRange({ axes }: Sweep): string {
  const { min_similarity, k, model, prompt, temperature, repeat } = axes;
  const { variedThresholds, variedK, variedModels, variedPrompts, variedTemperatures, repeated } =
    words.sweeps;
  const [low] = min_similarity;
  const high = min_similarity.at(-1);
  const parts = [
    low !== undefined && high !== undefined ? variedThresholds(low.toFixed(2), high.toFixed(2)) : null,
    k.length > 0 ? variedK(k.join(", ")) : null,
    model.length > 1 ? variedModels(model.length) : null,
    prompt.length > 1 ? variedPrompts(prompt.length) : null,
    temperature.length > 1 ? variedTemperatures(temperature.join(", ")) : null,
    repeat > 1 ? repeated(repeat) : null,
  ];
  return parts.filter(Boolean).join("; ");
}
