/** The gain of what a study recommends, corrected for the selection: half of the questions choose, the others measure. */
import type { Scores } from "../forms";
import type { Pause } from "../members";
import { outputs } from "../splitmix";
import type { Violation } from "../steps";
import { isSame, otherwise } from "../verdict-check";
import type { VerdictDocument } from "../verdict-form";
import { ranked, tcps, type Weighted } from "../verdict-gains";
import { PERCENTILES, quantile } from "./quantile";
import type { Given } from "./verdict";

const SPLITS = 200;
const FEWEST_CLUSTERS = 4;
const NEUTRAL = 0.5;

type Corrected = VerdictDocument["conclusions"][number]["corrected"];
/** Scores of the panel by configuration and question, repeats averaged. */
type Panel = number[][][];

/** The first corrected gain that does not follow from the records. */
export async function correctedWrong(given: Given, pause: Pause): Promise<Violation | null> {
  const { configurations, conclusions } = given.document;
  for (const [number, { model, kind, corrected }] of conclusions.entries()) {
    const own = configurations.flatMap((each, place) => (each.model === model ? [place] : []));
    const compared = own.filter((place) => configurations[place]?.baseline !== null);
    const bases = [...new Set(compared.map((place) => configurations[place]?.baseline as number))];
    const isWanted = kind === "better" && bases.length === 1 && !given.document.judged?.ratings;
    const found = isWanted ? await correctedOf(given, [...bases, ...compared], pause) : null;
    const parts = (each: Corrected) => each && [each.gain, each.better_share, each.splits];
    if (!isSame(parts(corrected), parts(found))) return otherwise(`conclusions[${number}].corrected`);
  }
  return null;
}

/** `places` begins with the baseline. */
async function correctedOf(given: Given, places: readonly number[], pause: Pause): Promise<Corrected> {
  const { document } = given;
  const rows = places.map((place) => document.configurations[place]?.values ?? []);
  const shared = document.questions.flatMap((_, at) =>
    rows.every((values) => values[at] !== null) && isTested(document, at) ? [at] : [],
  );
  const values = rows.map((row) => shared.map((at) => row[at] as number));
  const weights = shared.map((at) => document.weights?.[at] ?? 1);
  const clusters = shared.map((at) => document.clusters?.[at] ?? at);
  const labels = [...new Set(clusters)].sort((one, other) => one - other);
  if (labels.length < FEWEST_CLUSTERS) return null;
  const positions = new Map(labels.map((label, position) => [label, position]));
  const panel = document.rule.primary === "CPS" ? panelOf(given, places, shared) : null;
  const gains: number[] = [];
  for (let split = 0; split < SPLITS; split++) {
    const chooses = firstHalf(labels.length, document.rule.seed, split);
    const isFirst = clusters.map((label) => chooses[positions.get(label) as number] === true);
    const first = isFirst.flatMap((is, at) => (is ? [at] : []));
    const scores = panel
      ? normalised(document, panel, first)
      : values.map((row) => first.map((at) => row[at] as number));
    const chosen = choice(
      scores,
      first.map((at) => weights[at] as number),
      panel !== null,
    );
    const rest = isFirst.flatMap((is, at) => (is ? [] : [at]));
    gains.push(
      mean(
        rest.map((at) => ({
          value: (values[chosen]?.[at] ?? 0) - (values[0]?.[at] ?? 0),
          weight: weights[at] as number,
        })),
      ),
    );
    await pause();
  }
  return {
    gain: gains.reduce((sum, gain) => sum + gain, 0) / SPLITS,
    better_share: gains.filter((gain) => gain > 0).length / SPLITS,
    splits: SPLITS,
  };
}

/** After an unplanned first look only the new questions are tested. */
function isTested({ look }: VerdictDocument, at: number): boolean {
  return look === null || look.is_planned || look.in_first[at] === false;
}

/** Which clusters choose: those with the smaller random numbers, half of them. */
function firstHalf(clusters: number, seed: number, split: number): boolean[] {
  const { upper, lower } = outputs(seed, split * clusters, clusters);
  const order = [...upper.keys()].sort(
    (one, other) =>
      (upper[one] as number) - (upper[other] as number) ||
      (lower[one] as number) - (lower[other] as number) ||
      one - other,
  );
  const found = new Array<boolean>(clusters).fill(false);
  for (const place of order.slice(0, Math.floor(clusters / 2))) found[place] = true;
  return found;
}

/** The first with the highest T-CPS, else with the highest mean; the baseline, which comes first, is no choice. */
function choice(scores: readonly number[][], weights: readonly number[], isCps: boolean): number {
  const ranks = scores.slice(1).map((row) => {
    const values = row.map((value, at): Weighted => ({ value, weight: weights[at] as number }));
    return ranked(isCps ? tcps(values) : mean(values));
  });
  return 1 + ranks.indexOf(Math.max(...ranks));
}

function mean(values: readonly Weighted[]): number {
  const total = values.reduce((sum, { weight }) => sum + weight, 0);
  return total ? values.reduce((sum, { value, weight }) => sum + weight * value, 0) / total : 0;
}

/** A score that the system lost is the worst of the pool. */
function panelOf({ document, usable }: Given, places: readonly number[], shared: readonly number[]): Panel {
  const { metrics } = document.composite;
  return places.map((place) => {
    const byId = new Map<string, Scores[]>();
    for (const { id, scores } of usable[place] ?? []) byId.set(id, [...(byId.get(id) ?? []), scores ?? {}]);
    return shared.map((at) => {
      const rows = byId.get(document.questions[at] as string) ?? [];
      return metrics.map(({ metric, higher_is_better: isHigher, minimum, maximum }) => {
        const worst = isHigher ? minimum : maximum;
        return rows.reduce((sum, scores) => sum + (scores[metric] ?? worst), 0) / rows.length;
      });
    });
  });
}

/** CPS of some questions, by the bounds of these questions alone. */
function normalised({ composite }: VerdictDocument, panel: Panel, chosen: readonly number[]): number[][] {
  const bounds = composite.metrics.map((_, metric) => {
    const pool = panel.flatMap((rows) => chosen.map((at) => rows[at]?.[metric] as number));
    pool.sort((one, other) => one - other);
    const [low, high] = composite.clips ? PERCENTILES : [0, 1];
    return [quantile(pool, low), quantile(pool, high)] as const;
  });
  return panel.map((rows) =>
    chosen.map((at) =>
      composite.metrics.reduce((sum, { weight, higher_is_better: isHigher }, metric) => {
        const [low, high] = bounds[metric] as readonly [number, number];
        const value = Math.min(Math.max(rows[at]?.[metric] as number, low), high);
        const share = high > low ? (isHigher ? value - low : high - value) / (high - low) : NEUTRAL;
        return sum + weight * share;
      }, 0),
    ),
  );
}
