/** "As good" needs enough questions to exclude rare losses: docs/bundle.md, "Unseen losses". */
import type { Pause } from "./members";
import { type Gain, type VerdictDocument, WITH_UNSEEN_LOSSES } from "./verdict-form";
import { differencesOf, intervalGainsOf } from "./verdict-gains";

/** Gains of all configurations with a baseline by the rule of the document's version; by position of the configuration. */
export async function gainsOf(document: VerdictDocument, pause: Pause): Promise<Map<number, Gain>> {
  const found = await intervalGainsOf(document, pause);
  if (document.format !== WITH_UNSEEN_LOSSES) return found;
  return new Map([...found].map(([place, gain]) => [place, excluding(document, place, gain)]));
}

/** The gain, undecided instead of as good where an unseen loss could exceed the margin. */
function excluding(document: VerdictDocument, place: number, gain: Gain): Gain {
  const { configurations, rule, weights } = document;
  const here = configurations[place];
  if (!here || gain.outcome !== "as_good" || gain.gain === null) return gain;
  const baseline = configurations[here.baseline ?? 0]?.values ?? [];
  const paired = differencesOf(document, here).flatMap((difference, question) =>
    difference === null ? [] : [{ value: baseline[question] ?? 0, weight: weights?.[question] ?? 1 }],
  );
  const share = 1 - rule.alpha ** (1 / gain.clusters);
  if (unseenLoss(paired, share) < gain.gain + rule.margin) return gain;
  return { ...gain, outcome: "undecided", reason: "unseen_losses" };
}

/** By how much a mean falls if the questions with the highest values, a share of all, fall to 0. */
export function unseenLoss(values: readonly { value: number; weight: number }[], share: number): number {
  const total = values.reduce((sum, { weight }) => sum + weight, 0);
  const ordered = [...values].sort((one, other) => other.value - one.value);
  let [left, loss] = [share, 0];
  for (const { value, weight } of ordered) {
    const lost = Math.min(left, weight / total);
    loss += lost * Math.max(value, 0);
    left -= lost;
  }
  return loss;
}
