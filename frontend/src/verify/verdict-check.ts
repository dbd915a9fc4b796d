/** The step `verdict`: verdict.json follows from its values, and this run's values from its records. */
import { type Bytes, digestOf } from "./bytes";
import { canonical } from "./canonical";
import type { Manifest, QuestionRecord, Scores } from "./forms";
import { type Pause, readDocument } from "./members";
import { ratedMeans } from "./rated-gains";
import type { Bundle } from "./reading";
import type { Violation } from "./steps";
import { type Configuration, type Gain, type VerdictDocument, verdictForm } from "./verdict-form";
import { comparedOf, gainsOf, verdictOf } from "./verdict-gains";
import { judgedWrong } from "./verdict-judged";

const MEMBER = "verdict.json";
/** Numbers summed in another order agree within this, relative above 1: statistics lie on a grid of 2^-30. */
const TOLERANCE = 1e-8;
const NEUTRAL = 0.5;

export async function checkVerdict(bundle: Bundle, content: Bytes | undefined, pause: Pause): Promise<void> {
  const { steps, manifest, records } = bundle;
  if (!content) {
    steps.skipped("verdict", "no_verdict");
    return;
  }
  const read = readDocument(verdictForm, content);
  const document = read.value;
  const unread = read.wrong ?? (document && (await sealedOtherwise(document)));
  if (unread || !document) steps.failed("verdict", unread ?? { why: "not_of_form" }, { member: MEMBER });
  else if (!manifest.value || !records.whole) steps.skipped("verdict", "verdict_parts_broken");
  else {
    const given = { document, manifest: manifest.value, records: records.whole };
    await checkContent(bundle, given, pause);
  }
}

export interface Given {
  document: VerdictDocument;
  manifest: Manifest;
  records: QuestionRecord[];
}

async function checkContent({ steps }: Bundle, given: Given, pause: Pause): Promise<void> {
  const { document, manifest, records } = given;
  const { judged } = document;
  const texts = new Map([[manifest.run.id, new Map(records.map((record) => [record.id, record]))]]);
  // A digest that follows from texts alone covers no clusters and no weights.
  const isPlain = steps.outcome("dataset") === "pass";
  const wrong =
    misfit(given) ??
    (isPlain ? undeclared(document) : null) ??
    (judged ? await judgedWrong(document, judged, texts) : ownValues(given)) ??
    (await recomputed(document, pause));
  if (wrong) steps.failed("verdict", wrong, { member: MEMBER });
  else steps.passed("verdict", document.conclusion_digest);
}

export async function sealedOtherwise({ digest, ...rest }: VerdictDocument): Promise<Violation | null> {
  return (await digestOf(canonical(rest))) === digest ? null : { why: "other_own_digest", field: "digest" };
}

function placeOf({ document, manifest }: Given): number {
  const found = document.configurations.flatMap(({ runs }, place) =>
    runs.some(({ id }) => id === manifest.run.id) ? [place] : [],
  );
  return found.length === 1 ? (found[0] as number) : -1;
}

function misfit(given: Given): Violation | null {
  const { document, manifest } = given;
  if (document.sweep_id !== manifest.run.sweep_id) return { why: "other_sweep", field: "sweep_id" };
  const wrong = lists(document);
  return wrong ?? (placeOf(given) < 0 ? { why: "other_sweep", field: "configurations" } : null);
}

/** Clusters or weights of a dataset that declares none. */
function undeclared({ clusters, weights = [] }: VerdictDocument): Violation | null {
  if (clusters && new Set(clusters).size !== clusters.length) {
    return { why: "other_declared", field: "clusters" };
  }
  const mean = weights.reduce((sum, weight) => sum + weight, 0) / weights.length;
  const isEven = weights.every((weight) => isSame(weight / mean, 1));
  return isEven ? null : { why: "other_declared", field: "weights" };
}

/** Whether the lists have one value for each question, and each baseline is a configuration. */
export function lists({
  configurations,
  questions,
  clusters,
  weights,
  look,
}: VerdictDocument): Violation | null {
  if (new Set(questions).size !== questions.length) return { why: "verdict_misfit", field: "questions" };
  const held: [string, readonly unknown[]][] = [
    ...configurations.map(({ values }, place): [string, readonly unknown[]] => [
      `configurations[${place}].values`,
      values,
    ]),
    ...(clusters ? ([["clusters", clusters]] as [string, readonly unknown[]][]) : []),
    ...(weights ? ([["weights", weights]] as [string, readonly unknown[]][]) : []),
    ...(look ? ([["look.in_first", look.in_first]] as [string, readonly unknown[]][]) : []),
  ];
  const odd = held.find(([, values]) => values.length !== questions.length);
  if (odd) return { why: "verdict_misfit", field: odd[0] };
  const lost = configurations.findIndex(
    ({ baseline }, place) => baseline !== null && (baseline >= configurations.length || baseline === place),
  );
  return lost < 0 ? null : { why: "verdict_misfit", field: `configurations[${lost}].baseline` };
}

/** The first value of this run that does not follow from its record; averages over repeats are not compared. */
function ownValues(given: Given): Violation | null {
  const { document, records } = given;
  const place = placeOf(given);
  const own = document.configurations[place] as Configuration;
  if (own.runs.length > 1) return null;
  // A failed question has no scores and counts as the worst; one that was only answered does not count.
  const known = new Map(
    records.flatMap(({ id, state, scores }): [string, Scores][] =>
      state === "answered" ? [] : [[id, scores ?? {}]],
    ),
  );
  const number = own.values.findIndex((value, question) => {
    const scores = known.get(document.questions[question] ?? "");
    return value !== null && (!scores || !isSame(value, primaryOf(document, scores)));
  });
  if (number < 0) return null;
  const field = `configurations[${place}].values[${number}]`;
  return { why: "other_value", facts: [document.questions[number] ?? ""], field };
}

/** Higher is better; a score that the system lost counts as the worst. */
export function primaryOf({ rule, composite }: VerdictDocument, scores: Scores): number | null {
  if (rule.primary === "CPS") {
    return composite.metrics.reduce((sum, bound) => {
      const { minimum: low, maximum: high } = bound;
      const value = scores[bound.metric] ?? null;
      if (low === high) return sum + bound.weight * NEUTRAL;
      if (value === null) return sum;
      const cut = composite.clips ? Math.min(Math.max(value, low), high) : value;
      return sum + (bound.weight * (bound.higher_is_better ? cut - low : high - cut)) / (high - low);
    }, 0);
  }
  const bound = composite.metrics.find(({ metric }) => metric === rule.primary);
  if (!bound) return null;
  const { higher_is_better: isHigher, minimum, maximum } = bound;
  const value = scores[bound.metric] ?? (isHigher ? minimum : maximum);
  return isHigher ? value : -value;
}

export async function recomputed(document: VerdictDocument, pause: Pause): Promise<Violation | null> {
  const { configurations, gains: stated, conclusions } = document;
  const compared = configurations.flatMap(({ baseline }, place) => (baseline === null ? [] : [place]));
  if (
    !isSame(
      compared,
      stated.map(({ configuration }) => configuration),
    )
  )
    return otherwise("gains");
  const mean = otherMean(document);
  if (mean) return otherwise(mean);
  const gains = await gainsOf(document, pause);
  for (const [number, { configuration, ...gain }] of stated.entries()) {
    const name = differing(gain, gains.get(configuration) as Gain);
    if (name) return otherwise(`gains[${number}].${name}`);
  }
  const models = [...new Set(configurations.map(({ model }) => model))];
  if (
    !isSame(
      models,
      conclusions.map(({ model }) => model),
    )
  )
    return otherwise("conclusions");
  for (const [number, model] of models.entries()) {
    const members = configurations.flatMap((each, place) => (each.model === model ? [place] : []));
    const { candidates, bases } = comparedOf(document, members, gains);
    const found = verdictOf(candidates, bases, document.rule, document.judged?.status === "biased");
    const name = differing(conclusions[number] as typeof found, found);
    if (name) return otherwise(`conclusions[${number}].${name}`);
  }
  return null;
}

/** The first mean that does not follow from ratings and judged values. */
function otherMean(document: VerdictDocument): string | null {
  const ratings = document.judged?.ratings;
  if (!ratings) return null;
  const follows = ratedMeans(document, ratings);
  if (follows.length !== ratings.means.length) return "judged.ratings.means";
  for (const [number, mean] of follows.entries()) {
    const name = differing(ratings.means[number] as typeof mean, mean);
    if (name) return `judged.ratings.means[${number}].${name}`;
  }
  return null;
}

export function otherwise(field: string): Violation {
  return { why: "verdict_differs", facts: [field], field };
}

/** The first member of what follows that is stated otherwise. */
function differing<T extends object>(stated: T, follows: T): string | null {
  const names = Object.keys(follows) as (keyof T & string)[];
  return names.find((name) => !isSame(stated[name], follows[name])) ?? null;
}

export function isSame(one: unknown, other: unknown): boolean {
  if (typeof one === "number" && typeof other === "number") {
    return Math.abs(one - other) <= TOLERANCE * Math.max(1, Math.abs(one), Math.abs(other));
  }
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((each, place) => isSame(each, other[place]));
  }
  return one === other;
}
