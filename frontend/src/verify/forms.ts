/** The members of a bundle as schemas: docs/bundle.md, member by member. */
import * as v from "valibot";
import { encoded } from "./bytes";
import type { Json } from "./canonical";

/** The 24 columns in vector order. */
export const COLUMNS = [
  ..."METEOR,BLEU,Rouge-1.r,Rouge-1.p,Rouge-1.f,Rouge-2.r,Rouge-2.p,Rouge-2.f".split(","),
  ..."Rouge-l.r,Rouge-l.p,Rouge-l.f,Laplace Perplexity,Lidstone Perplexity".split(","),
  ..."Cosine similarity,Pearson correlation,F1 Score".split(","),
  ..."Bert-Score.precision,Bert-Score.recall,Bert-Score.f1".split(","),
  ..."B-RT.coherence,B-RT.consistency,B-RT.fluency,B-RT.relevance,B-RT.average".split(","),
] as const;
export const MISSING = [
  ..."empty_answer,empty_reference,no_tokens,constant_vector,too_long,not_finite".split(","),
  ..."encoder_unavailable,unknown_script,wordnet_unavailable,not_requested,generation_failed".split(","),
];
export const MODEL_TIMES = [
  "eval_duration_ns",
  "eval_count",
  "load_duration_ns",
  "prompt_eval_count",
  "prompt_eval_duration_ns",
  "total_duration_ns",
] as const;
export const LOCAL_TIMES = ["embedding_s", "retrieval_s", "scoring_s"] as const;
/** Right answers of a question besides its reference. */
const MOST_REFERENCES = 200;
export const NOT_RECORDED = "not recorded";
export const LONGEST_DESCRIPTION = 256;

/** Whether a time exists, and has no fraction of zero. */
function isMoment(value: string): boolean {
  const whole = `${value.slice(0, 19)}.000Z`;
  const at = new Date(whole);
  return !Number.isNaN(at.getTime()) && at.toISOString() === whole && !value.endsWith(".000000Z");
}

export const text = v.string();
export const maybeText = v.nullable(text);
export const digest = v.pipe(text, v.regex(/^[0-9a-f]{64}$/));
const seal = v.pipe(text, v.regex(/^[0-9a-f]{16}$/));
const account = v.pipe(text, v.regex(/^[a-z1-5]([a-z1-5.]{0,10}[a-z1-5])?$/));
const moment = v.pipe(
  text,
  v.regex(/^[1-9][0-9]{3}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{6})?Z$/),
  v.check(isMoment),
);
export const real = v.number();
export const maybeReal = v.nullable(real);
/** Of a magnitude that a double holds exactly. */
const integer = v.pipe(v.number(), v.safeInteger());
export const count = v.pipe(integer, v.minValue(0));
const maybeInteger = v.nullable(integer);
const maybeCount = v.nullable(count);

/** An object with any names; valibot's own `record` skips names such as "constructor". */
export function mapOf<T>(form: v.GenericSchema<T>): v.GenericSchema<Record<string, T>> {
  return v.custom<Record<string, T>>(
    (value) =>
      typeof value === "object" &&
      value !== null &&
      !Array.isArray(value) &&
      Object.values(value).every((inner) => v.is(form, inner)),
  );
}

export const chunking = v.pipe(
  v.strictObject({
    chunk_size: v.pipe(integer, v.minValue(16), v.maxValue(100_000)),
    chunk_overlap: count,
    unit: v.picklist(["characters", "tokens"]),
  }),
  v.check(({ chunk_size, chunk_overlap }) => chunk_overlap < chunk_size),
);
const model = v.strictObject({
  name: text,
  digest: text,
  family: maybeText,
  parameter_size: maybeText,
  quantization: maybeText,
  context_length: maybeInteger,
  size_bytes: maybeInteger,
  engine: v.optional(text),
  template_digest: v.optional(text),
  for_trials: v.optional(v.literal(true)),
  slots: v.optional(integer),
  capabilities: v.optional(v.pipe(v.array(text), v.minLength(1))),
  licence: v.optional(text),
  remote_model: v.optional(text),
});
const collection = v.strictObject({
  name: text,
  digest,
  documents: v.array(
    v.strictObject({
      name: text,
      digest: text,
      passages: count,
      splitter: v.optional(v.literal("scripts-1")),
      text: v.optional(digest),
    }),
  ),
  chunking,
  embedding: v.strictObject({ name: text, digest: text, dimension: v.pipe(integer, v.minValue(1)) }),
  text_rules: v.optional(v.literal(2)),
});
const machine = v.strictObject({
  system: text,
  architecture: text,
  processor: maybeText,
  ...v.entriesFromList(["cpu_count", "core_count", "memory_bytes"], maybeCount),
});

export const manifestForm = v.strictObject({
  format: v.literal("passer-manifest-1"),
  run: v.strictObject({
    id: v.pipe(text, v.regex(/^[\x21-\x7e]{1,100}$/)),
    sweep_id: text,
    name: text,
    project: v.optional(v.pipe(text, v.regex(/^[a-z0-9][a-z0-9-]{0,39}$/))),
  }),
  config: mapOf<Json>(v.custom<Json>(() => true)),
  config_digest: digest,
  model: v.nullable(model),
  prompt_template: v.strictObject({ name: text, digest: maybeText }),
  encoder_digest: maybeText,
  scored_by: mapOf(text),
  dataset: v.strictObject({ name: text, digest, language: maybeText, questions: count }),
  collection: v.nullable(collection),
  software: mapOf(text),
  code_commit: maybeText,
  machine,
  counts: v.strictObject({
    ...v.entriesFromList(["asked", "answered", "scored", "failed"], count),
    reasons: mapOf(count),
  }),
  means: mapOf(v.strictObject({ mean: maybeReal, n: count })),
  questions_root: digest,
  timings_digest: digest,
  unknown: v.array(text),
});

const record = v.strictObject({
  number: count,
  id: text,
  question: text,
  reference: text,
  state: v.picklist(["answered", "scored", "failed"]),
  reason: maybeText,
  passages: v.array(v.strictObject({ id: text, rank: count, similarity: real })),
  prompt_digest: v.nullable(digest),
  answer: maybeText,
  timings: v.strictObject({
    ...v.entriesFromList(MODEL_TIMES, maybeInteger),
    cached_count: v.optional(integer),
  }),
  scores: v.nullable(v.strictObject(v.entriesFromList(COLUMNS, maybeReal))),
  missing: mapOf(v.picklist(MISSING)),
  notes: mapOf(v.picklist(["answer_cut_off", "meteor_exact", "unicode-1"])),
  searched: v.optional(v.pipe(v.array(text), v.minLength(1))),
  contexts: v.optional(
    v.pipe(v.array(v.strictObject({ text, document: text, score: v.nullable(real) })), v.minLength(1)),
  ),
  /** Other right answers: each score is the best over the reference and these. */
  other_references: v.optional(v.pipe(v.array(text), v.minLength(1), v.maxLength(MOST_REFERENCES))),
  /** In place of the texts, which are then empty. */
  withheld: v.optional(v.strictObject({ leaf: digest, asked: digest })),
});
export type QuestionRecord = v.InferOutput<typeof record>;

function isConsistent({ state, reason, answer, scores, missing, notes }: QuestionRecord): boolean {
  const isFailed = state === "failed";
  if ((reason !== null) !== isFailed || (answer === null) !== isFailed) return false;
  if ((scores !== null) !== (state === "scored")) return false;
  const values: Scores = scores ?? {};
  const empty = Object.keys(values).filter((column) => values[column] === null);
  const isExplained = empty.every((column) => Object.hasOwn(missing, column));
  if (!isExplained || empty.length !== Object.keys(missing).length) return false;
  return Object.keys(notes).every((column) => Object.hasOwn(values, column) && values[column] !== null);
}

function isBare(record: QuestionRecord): boolean {
  const {
    withheld,
    question,
    reference,
    answer,
    searched = [],
    contexts = [],
    other_references = [],
  } = record;
  const texts = [
    question,
    reference,
    answer,
    ...other_references,
    ...searched,
    ...contexts.flatMap((one) => [one.text, one.document]),
  ];
  return withheld === undefined || texts.every((one) => !one);
}

export const questionForm = v.pipe(record, v.check(isConsistent), v.check(isBare));

export const timingForm = v.strictObject({
  number: count,
  id: text,
  ...v.entriesFromList([...LOCAL_TIMES, "generation_s"], maybeReal),
  reused: v.boolean(),
});

const isShort = (value: string) => value !== "" && encoded(value).length <= LONGEST_DESCRIPTION;
export const entryForm = v.strictObject({
  action: v.picklist(["addtest", "addtimetest"]),
  testid: account,
  description: v.pipe(text, v.check(isShort)),
  results: v.pipe(v.array(real), v.minLength(1), v.maxLength(64)),
  run_digest: digest,
  config_digest: digest,
});

const localPlace = v.strictObject({ kind: v.literal("local"), digest, previous: digest, sequence: count });
const chainPlace = v.strictObject({ kind: v.literal("chain"), transaction: count, action_index: count });
const receipt = v.strictObject({
  entry: entryForm,
  place: v.variant("kind", [localPlace, chainPlace]),
  recorded_at: moment,
  seals: v.strictObject({ place: seal, recorded_at: seal }),
});
const transaction = v.strictObject({
  chain_id: digest,
  contract: account,
  creator: account,
  transaction_id: digest,
  packed_transaction: v.pipe(text, v.regex(/^([0-9a-f]{2})+$/)),
  signatures: v.array(text),
  block_number: maybeCount,
  block_id: v.nullable(digest),
  seals: mapOf(seal),
});
const notRecorded = v.literal(NOT_RECORDED);

export const documentForm = v.strictObject({
  manifest: mapOf(seal),
  run: v.union([notRecorded, receipt]),
  questions: v.union([notRecorded, v.array(receipt)]),
  run_times: v.union([notRecorded, receipt]),
  question_times: v.union([notRecorded, v.array(receipt)]),
  registration: v.optional(receipt),
  proofs: v.optional(mapOf(digest)),
  transactions: v.array(transaction),
  seals: v.strictObject({ manifest: seal }),
});

export type Scores = Record<string, number | null>;
export type Manifest = v.InferOutput<typeof manifestForm>;
export type Mean = Manifest["means"][string];
export type Counts = Manifest["counts"];
export type TimingRecord = v.InferOutput<typeof timingForm>;
export type Entry = v.InferOutput<typeof entryForm>;
export type Action = Entry["action"];
export type Receipt = v.InferOutput<typeof receipt>;
export type LocalPlace = v.InferOutput<typeof localPlace>;
export type ChainPlace = v.InferOutput<typeof chainPlace>;
export type Transaction = v.InferOutput<typeof transaction>;
export type EntryDocument = v.InferOutput<typeof documentForm>;
