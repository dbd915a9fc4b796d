/** Values that no honest run can have: scores out of range, passages that the configuration does not keep, other names. */
import type { Json } from "./canonical";
import { COLUMNS, type Manifest, type QuestionRecord } from "./forms";
import type { Violation } from "./steps";

/** What rounding may add to a score or a similarity at the end of its range. */
const TOLERANCE = 1e-6;

/** The member of a policy that says how many passages it keeps at most, by its mode. */
const MOST: Record<string, string> = { normal: "k", gap: "among" };

function rangeOf(column: string, isPublished: boolean): [number, number] {
  if (column.endsWith("Perplexity")) return [1, Number.POSITIVE_INFINITY];
  if (/^(Cosine|Pearson|Bert-Score)/.test(column)) return [-1, 1];
  if (!column.startsWith("B-RT")) return [0, 1];
  if (isPublished && /consistency|relevance/.test(column)) return [-5, 5];
  return [isPublished && column === "B-RT.average" ? -2.5 : 0, 5];
}

/** Checks one run: its names at once, its records as they are seen; `wrong` is the first problem. */
export class Plausibility {
  wrong: Violation | null;
  private readonly ranges: [string, [number, number]][];
  private readonly isDense: boolean;
  private readonly policy: Record<string, Json>;

  constructor(manifest: Manifest) {
    const { config } = manifest;
    const isPublished = config.profile === "published";
    this.ranges = COLUMNS.map((column) => [column, rangeOf(column, isPublished)]);
    this.isDense = !Object.hasOwn(config, "retriever");
    this.policy = objectOf(config.retrieval);
    this.wrong = otherName(manifest);
  }

  see(record: QuestionRecord): void {
    if (this.wrong) return;
    const [first] = this.problems(record);
    if (first) this.wrong = { ...first, number: record.number };
  }

  private *problems({ scores, passages }: QuestionRecord): Generator<Violation> {
    for (const [column, [low, high]] of scores ? this.ranges : []) {
      const value = scores?.[column as keyof typeof scores] ?? null;
      if (value !== null && !(low - TOLERANCE <= value && value <= high + TOLERANCE)) {
        yield { why: "out_of_range", facts: [column, String(value)] };
      }
    }
    const similarities = passages.map(({ similarity }) => similarity);
    if (similarities.some((value) => Math.abs(value) > 1 + TOLERANCE)) yield { why: "no_similarity" };
    const start = this.policy.mode === "published-score" ? (passages[0]?.rank ?? 1) : 1;
    if (passages.some(({ rank }, place) => rank !== start + place)) yield { why: "rank_gap" };
    const isDescending = similarities.every(
      (value, place) => place === 0 || value <= (similarities[place - 1] as number),
    );
    if (this.isDense && !isDescending) yield { why: "passage_order" };
    yield* this.keptWrongly(similarities);
  }

  private *keptWrongly(similarities: number[]): Generator<Violation> {
    const { mode } = this.policy;
    const most = mode === "none" ? 0 : this.number(MOST[String(mode)] ?? "max_k");
    if (most !== null && similarities.length > most) {
      yield { why: "too_many_passages", facts: [String(similarities.length), String(most)] };
    }
    const least = mode === "score" ? this.number("min_similarity") : null;
    const share = mode === "relative" ? this.number("share") : null;
    const best = similarities[0] ?? 0;
    const distance = mode === "published-score" ? this.number("min_distance") : null;
    const isKept = (value: number) =>
      (least === null || value >= least) &&
      (share === null || value >= Math.min(best, share * best)) &&
      (distance === null || 1 - value >= distance);
    if (!similarities.every(isKept)) yield { why: "beyond_threshold" };
  }

  private number(name: string): number | null {
    const value = this.policy[name];
    return typeof value === "number" ? value : null;
  }
}

function objectOf(value: Json | undefined): Record<string, Json> {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
}

/** The first member of the manifest that contradicts the configuration. */
function otherName({ config, dataset, prompt_template, collection, model }: Manifest): Violation | null {
  const pairs: [string, string, Json | undefined][] = [
    ["dataset.name", dataset.name, config.dataset],
    ["prompt_template.name", prompt_template.name, config.prompt],
  ];
  if (collection) pairs.push(["collection.name", collection.name, config.collection]);
  if (model) pairs.push(["model.name", model.name, objectOf(config.model).name]);
  for (const [field, stated, configured] of pairs) {
    if (stated !== configured) return { why: "other_name", facts: [field], field };
  }
  const asked = config.questions;
  if (typeof asked === "number" && dataset.questions > asked) {
    return { why: "too_many_questions", field: "dataset.questions" };
  }
  return null;
}
