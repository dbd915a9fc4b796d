/** The step `verdict` of a study: constants, values and costs from the records of all runs, then gains and verdict. */
import * as v from "valibot";
import { count, type Scores } from "../forms";
import type { Pause } from "../members";
import type { Violation } from "../steps";
import { spentAlpha } from "../two-looks";
import { isSame, lists, otherwise, primaryOf, recomputed } from "../verdict-check";
import { type Judged, priceForm, type Rule, type VerdictDocument } from "../verdict-form";
import { isRecomputed, judgedWrong } from "../verdict-judged";
import { isClose } from "./close";
import { configurationsWrong, costsWrong } from "./configurations";
import { correctedWrong } from "./corrected";
import { judgeOf, type StudyDocument } from "./form";
import { PERCENTILES, quantile } from "./quantile";
import type { Item, RunFacts } from "./runs";

/** Reasons caused by the system under test; the others are caused by measuring. */
const BY_SYSTEM = new Set(["empty_answer", "no_tokens", "constant_vector", "abstained", "no_citations"]);
const WHOLE: Record<string, Record<string, number>> = {
  "text-1": { METEOR: 0.2, "Rouge-l.f": 0.2, "F1 Score": 0.2, "Bert-Score.f1": 0.25, BLEU: 0.15 },
  phase3: {
    ...{
      METEOR: 0.15,
      "Rouge-2.f": 0.075,
      "Rouge-l.f": 0.075,
      "Bert-Score.f1": 0.125,
      "B-RT.average": 0.125,
    },
    ...{ "F1 Score": 0.15, "B-RT.fluency": 0.1, "Laplace Perplexity": 0.1, "Lidstone Perplexity": 0.1 },
  },
  phase2: {
    ...{ METEOR: 0.15, BLEU: 0.15, "Rouge-1.f": 0.075, "Rouge-l.f": 0.075, "Cosine similarity": 0.1 },
    ...{
      "Pearson correlation": 0.1,
      "F1 Score": 0.2,
      "Laplace Perplexity": 0.075,
      "Lidstone Perplexity": 0.075,
    },
  },
};
/** The named panels; phase2 is the study's alone and has no form without METEOR. */
const WEIGHTS: Record<string, Record<string, number>> = {
  ...WHOLE,
  ...Object.fromEntries(
    ["text-1", "phase3"].map((name) => [`${name}-no-meteor`, withoutColumn(WHOLE[name] ?? {}, "METEOR")]),
  ),
};
const RULE = {
  draws: 9999,
  seed: 20_260_101,
  saving: 0.1,
  fewest_pairs: 20,
  fewest_clusters: 6,
  most_missing: 0.1,
};

/** Resamples of a planned first look. */
const FIRST_DRAWS = 99_999;
const declaredLooks = v.object({ first: count, second: count, is_planned: v.optional(v.boolean(), true) });

/** What the records and the verdict are compared with. */
export interface Given {
  study: StudyDocument;
  document: VerdictDocument;
  /** Runs of each configuration, in order. */
  groups: RunFacts[][];
  /** Items that enter, of each configuration. */
  usable: Item[][];
}

/** The first value that does not follow from the records. */
export async function studyVerdictWrong(
  study: StudyDocument,
  document: VerdictDocument,
  runs: RunFacts[],
  pause: Pause,
): Promise<Violation | null> {
  const byId = new Map(runs.map((facts) => [facts.run.id, facts]));
  const named = document.configurations.flatMap((each) => each.runs.map(({ id }) => id));
  if (document.sweep_id !== study.sweep.id) return otherwise("sweep_id");
  if (named.length !== runs.length || new Set(named).size !== named.length)
    return otherwise("configurations");
  if (named.some((id) => !byId.has(id))) return otherwise("configurations");
  const groups = document.configurations.map((each) => each.runs.map(({ id }) => byId.get(id) as RunFacts));
  const given = { study, document, groups, usable: usableOf(document, groups) };
  const wrong =
    ruleWrong(given) ??
    lists(document) ??
    lookWrong(given) ??
    compositeWrong(given) ??
    configurationsWrong(given) ??
    (document.judged ? await judgedValuesWrong(given, document.judged) : valuesWrong(given)) ??
    declaredWrong(given) ??
    costsWrong(given);
  return wrong ?? (await recomputed(document, pause)) ?? correctedWrong(given, pause);
}

/** Looks as a design declares them; null where it declares none, or none that can be read. */
function looksOf({ design }: StudyDocument): { first: number; second: number; is_planned: boolean } | null {
  const found = v.safeParse(declaredLooks, design.looks);
  return found.success ? found.output : null;
}

function ruleWrong({ study, document }: Given): Violation | null {
  const { design, dataset } = study;
  const { rule, exploratory } = document;
  const looks = looksOf(study);
  const isFirst = looks?.is_planned && dataset.questions <= looks.first;
  const alpha = typeof design.alpha === "number" ? design.alpha : 0.05;
  if ((document.judged?.judge ?? null) !== judgeOf(study)) return otherwise("judged");
  if (exploratory.length > 0) return otherwise("exploratory");
  if (rule.primary !== (design.primary ?? "CPS")) return otherwise("rule.primary");
  if (rule.margin !== (design.margin ?? 0.02)) return otherwise("rule.margin");
  const spent = isFirst ? spentAlpha(alpha, looks.first / looks.second) : alpha;
  if (!isClose(rule.alpha, spent)) return otherwise("rule.alpha");
  const expected = { ...RULE, draws: isFirst ? FIRST_DRAWS : RULE.draws };
  const names = Object.keys(expected) as (keyof typeof RULE)[];
  const other = names.find((name) => rule[name] !== expected[name]);
  return other ? otherwise(`rule.${other}`) : costRuleWrong(design, rule);
}

/** What cost is measured by, and the price where that is money. */
function costRuleWrong(design: StudyDocument["design"], rule: Rule): Violation | null {
  if (rule.cost !== (design.cost ?? "prompt_tokens")) return otherwise("rule.cost");
  const planned = v.safeParse(v.nullish(priceForm), design.price);
  const parts = (price: Rule["price"] | null) => price && [price.currency, price.input, price.output];
  const isPlanned = planned.success && isSame(parts(rule.price) ?? null, parts(planned.output) ?? null);
  return isPlanned ? null : otherwise("rule.price");
}

/** The look follows from the design: which questions come first, and their share. */
function lookWrong({ study, document, groups }: Given): Violation | null {
  const looks = looksOf(study);
  const { look } = document;
  if (!looks || study.dataset.questions <= looks.first) return look === null ? null : otherwise("look");
  if (look === null) return otherwise("look");
  if (look.is_planned !== looks.is_planned) return otherwise("look.is_planned");
  if (!isClose(look.share, looks.first / looks.second)) return otherwise("look.share");
  const first = new Set(groups[0]?.[0]?.items.slice(0, looks.first).map(({ id }) => id));
  const isOther = document.questions.some((id, place) => first.has(id) !== look.in_first[place]);
  return isOther ? otherwise("look.in_first") : null;
}

/** Rows of scored and failed questions; a question that measuring lost somewhere leaves everywhere. */
function usableOf({ composite }: VerdictDocument, groups: RunFacts[][]): Item[][] {
  const rows = groups.map((runs) => {
    const items = runs.flatMap(({ items }) => items.filter(({ state }) => state !== "answered"));
    return items.some(({ state }) => state === "scored") ? items : [];
  });
  const isLost = ({ scores, missing }: Item) =>
    composite.metrics.some(
      ({ metric }) => !scores || (scores[metric] === null && !BY_SYSTEM.has(missing[metric] ?? "")),
    );
  const lost = new Set(rows.flatMap((items) => items.filter(isLost).map(({ id }) => id)));
  return rows.map((items) => items.filter(({ id }) => !lost.has(id)));
}

function compositeWrong(given: Given): Violation | null {
  const { study, document, usable } = given;
  const { composite, rule } = document;
  // Beside a judged column CPS is stated as it would be without.
  const isCps = rule.primary === "CPS" || document.judged !== undefined;
  const isWinsorised = isCps && study.design.normalisation === "winsorised";
  const panel = isCps ? panelOf(given) : { name: rule.primary, weights: { [rule.primary]: 1 } };
  if (!panel || composite.panel !== panel.name) return otherwise("composite.panel");
  if (composite.clips !== isWinsorised) return otherwise("composite.clips");
  const names = composite.metrics.map(({ metric }) => metric);
  if (!isSame(names, Object.keys(panel.weights))) return otherwise("composite.metrics");
  const items = usable.flat();
  for (const [place, bound] of composite.metrics.entries()) {
    const values = items.flatMap(({ scores }) => scores?.[bound.metric] ?? []).sort((one, two) => one - two);
    const [low, high] = isWinsorised ? PERCENTILES : [0, 1];
    const follows = {
      weight: panel.weights[bound.metric],
      higher_is_better: !bound.metric.includes("Perplexity"),
      minimum: quantile(values, low),
      maximum: quantile(values, high),
    };
    const other = (Object.keys(follows) as (keyof typeof follows)[]).find(
      (name) => !isNear(bound[name], follows[name]),
    );
    if (other) return otherwise(`composite.metrics[${place}].${other}`);
  }
  return null;
}

function isNear(one: unknown, other: unknown): boolean {
  return typeof one === "number" && typeof other === "number" ? isClose(one, other) : one === other;
}

/** The panel of the design with its weights, without METEOR where a configuration lacks it for want of WordNet. */
function panelOf({ study: { design }, document, groups }: Given): {
  name: string;
  weights: Record<string, number>;
} | null {
  const planned = typeof design.panel === "string" ? design.panel : "phase3";
  const without = `${planned}-no-meteor`;
  const isWithout = without in WEIGHTS && lacks(groups, "METEOR", "wordnet_unavailable");
  let name = isWithout ? without : planned;
  // Else `constructor` would be a panel too.
  let weights = Object.hasOwn(WEIGHTS, name) ? WEIGHTS[name] : undefined;
  if (!weights) return null;
  // A judge needs no encoder: what a configuration lacks for want of one is left out.
  for (const column of document.judged ? Object.keys(weights) : []) {
    if (!lacks(groups, column, "encoder_unavailable")) continue;
    name = `${name}-no-${column.toLowerCase()}`;
    weights = withoutColumn(weights, column);
  }
  return { name, weights };
}

function withoutColumn(all: Record<string, number>, column: string): Record<string, number> {
  const left = Object.entries(all).filter(([name]) => name !== column);
  const total = left.reduce((sum, [, weight]) => sum + weight, 0);
  return Object.fromEntries(left.map(([name, weight]) => [name, weight / total]));
}

/** Whether a configuration has no value of a column at all, and some for a certain reason. */
function lacks(groups: RunFacts[][], column: string, reason: string): boolean {
  return groups.some((runs) => {
    const items = runs.flatMap((facts) => facts.items);
    return (
      items.some(({ missing }) => missing[column] === reason) &&
      items.every(({ scores }) => (scores?.[column as keyof Scores] ?? null) === null)
    );
  });
}

/** Repeats of a question are averaged. */
function valuesWrong({ document, usable }: Given): Violation | null {
  const ids = [...new Set(usable.flatMap((items) => items.map(({ id }) => id)))];
  if (!isSame(document.questions, ids)) return otherwise("questions");
  for (const [place, here] of document.configurations.entries()) {
    const sums = new Map<string, [number, number]>();
    for (const { id, scores } of usable[place] ?? []) {
      const [sum, n] = sums.get(id) ?? [0, 0];
      sums.set(id, [sum + (primaryOf(document, scores ?? {}) ?? Number.NaN), n + 1]);
    }
    const number = here.values.findIndex((value, question) => {
      const found = sums.get(ids[question] ?? "");
      return found ? value === null || !isClose(value, found[0] / found[1]) : value !== null;
    });
    if (number >= 0) return otherwise(`configurations[${place}].values[${number}]`);
  }
  return null;
}

/** Everything that a judge says is by the judge of the design, and follows from replies about the texts of all runs. */
async function judgedValuesWrong({ document, groups }: Given, judged: Judged): Promise<Violation | null> {
  if (!judged.questions) return otherwise("judged.questions");
  if (!isRecomputed(judged)) return otherwise("judged.column");
  const texts = groups.flat().map(({ run, judged: own }) => [run.id, own] as const);
  return judgedWrong(document, judged, new Map(texts));
}

/** Clusters and weights are those that study.json states, the clusters by another name. */
function declaredWrong({ study, document, groups }: Given): Violation | null {
  const { clusters, weights } = study.dataset;
  const places = new Map(groups[0]?.[0]?.items.map(({ id }, place) => [id, place]));
  const of = document.questions.map((id) => places.get(id) ?? -1);
  if ((document.weights !== undefined) !== (weights !== null)) return otherwise("weights");
  if (
    of.some((place, at) => weights && !isClose(document.weights?.[at] ?? Number.NaN, weights[place] ?? 0))
  ) {
    return otherwise("weights");
  }
  const declared = clusters && of.map((place) => clusters[place] ?? null);
  const names =
    declared?.map((cluster, at) => (cluster === null ? `question ${at}` : `cluster ${cluster}`)) ?? [];
  const numbers = [...new Set(names)];
  const follows = declared ? names.map((name) => numbers.indexOf(name)) : null;
  const isNamed = declared?.some((cluster) => cluster !== null) ?? false;
  return isSame(document.clusters, isNamed ? follows : null) ? null : otherwise("clusters");
}
