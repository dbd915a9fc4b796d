/** What the members of a bundle hold: docs/bundle.md as types and forms. */
import { encoded } from "./bytes";
import type { Json } from "./canonical";
import {
  anything,
  boolean,
  type Form,
  integer,
  list,
  map,
  object,
  oneOf,
  or,
  orNull,
  real,
  text,
  which,
} from "./form";

/** The 24 columns in vector order. */
export const COLUMNS = [
  ..."METEOR,BLEU,Rouge-1.r,Rouge-1.p,Rouge-1.f,Rouge-2.r,Rouge-2.p,Rouge-2.f".split(","),
  ..."Rouge-l.r,Rouge-l.p,Rouge-l.f,Laplace Perplexity,Lidstone Perplexity".split(","),
  ..."Cosine similarity,Pearson correlation,F1 Score".split(","),
  ..."Bert-Score.precision,Bert-Score.recall,Bert-Score.f1".split(","),
  ..."B-RT.coherence,B-RT.consistency,B-RT.fluency,B-RT.relevance,B-RT.average".split(","),
] as const;
const MISSING = [
  ..."empty_answer,empty_reference,no_tokens,constant_vector,too_long,not_finite".split(","),
  ..."encoder_unavailable,wordnet_unavailable,not_requested,generation_failed".split(","),
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
export const NOT_RECORDED = "not recorded";
export const LONGEST_DESCRIPTION = 256;

export type Scores = Record<string, number | null>;
export type Action = "addtest" | "addtimetest";

export interface Mean {
  mean: number | null;
  n: number;
}
export interface Counts {
  asked: number;
  answered: number;
  scored: number;
  failed: number;
  reasons: Record<string, number>;
}
interface Document {
  name: string;
  digest: string;
}
export interface Manifest {
  run: { id: string };
  config: Json;
  config_digest: string;
  dataset: { questions: number };
  collection: { digest: string; documents: Document[]; chunking: Json; embedding: Json } | null;
  counts: Counts;
  means: Record<string, Mean>;
  questions_root: string;
  timings_digest: string;
}
export interface QuestionRecord {
  number: number;
  id: string;
  state: string;
  reason: string | null;
  answer: string | null;
  scores: Scores | null;
  missing: Record<string, string>;
  notes: Record<string, string>;
  timings: Record<(typeof MODEL_TIMES)[number], number | null>;
}
export interface TimingRecord extends Record<(typeof LOCAL_TIMES)[number], number | null> {
  number: number;
  id: string;
}
export interface Entry {
  action: Action;
  testid: string;
  description: string;
  results: number[];
  run_digest: string;
  config_digest: string;
}
export interface LocalPlace {
  kind: "local";
  digest: string;
  previous: string;
  sequence: number;
}
export interface ChainPlace {
  kind: "chain";
  transaction: number;
  action_index: number;
}
export interface Receipt {
  entry: Entry;
  place: LocalPlace | ChainPlace;
  recorded_at: string;
  seals: { place: string; recorded_at: string };
}
export interface Transaction {
  contract: string;
  creator: string;
  transaction_id: string;
  packed_transaction: string;
  block_number: number | null;
  block_id: string | null;
  seals: Record<string, string>;
}
export interface EntryDocument {
  manifest: Record<string, string>;
  run: Receipt | typeof NOT_RECORDED;
  questions: Receipt[] | typeof NOT_RECORDED;
  run_times: Receipt | typeof NOT_RECORDED;
  question_times: Receipt[] | typeof NOT_RECORDED;
  transactions: Transaction[];
  seals: { manifest: string };
}

const digest = text(/^[0-9a-f]{64}$/);
const seal = text(/^[0-9a-f]{16}$/);
const account = text(/^[a-z1-5]([a-z1-5.]{0,10}[a-z1-5])?$/);
const moment = text(/^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,6})?Z$/);
const maybeText = orNull(text());
const maybeCount = orNull(integer());

const chunking = which<{ chunk_size: number; chunk_overlap: number }>(
  object({
    chunk_size: integer(16, 100_000),
    chunk_overlap: integer(0),
    unit: oneOf("characters", "tokens"),
  }),
  (value) => value.chunk_overlap < value.chunk_size,
);

const manifestMembers = {
  format: oneOf("passer-manifest-1"),
  run: object({ id: text(/^[\x21-\x7e]{1,100}$/), sweep_id: text(), name: text() }),
  config: map(anything),
  config_digest: digest,
  model: orNull(
    object({
      name: text(),
      digest: text(),
      family: maybeText,
      parameter_size: maybeText,
      quantization: maybeText,
      context_length: maybeCount,
      size_bytes: maybeCount,
    }),
  ),
  prompt_template: object({ name: text(), digest: maybeText }),
  encoder_digest: maybeText,
  scored_by: map(text()),
  dataset: object({ name: text(), digest, language: maybeText, questions: integer() }),
  collection: orNull(
    object({
      name: text(),
      digest,
      documents: list(object({ name: text(), digest: text(), passages: integer() })),
      chunking,
      embedding: object({ name: text(), digest: text(), dimension: integer(1) }),
    }),
  ),
  software: map(text()),
  code_commit: maybeText,
  machine: object({
    system: text(),
    architecture: text(),
    processor: maybeText,
    cpu_count: maybeCount,
    core_count: maybeCount,
    memory_bytes: maybeCount,
  }),
  counts: object({
    asked: integer(),
    answered: integer(),
    scored: integer(),
    failed: integer(),
    reasons: map(integer()),
  }),
  means: map(object({ mean: orNull(real), n: integer() })),
  questions_root: digest,
  timings_digest: digest,
  unknown: list(text()),
};
export const manifestForm: Form = object(manifestMembers);
export const MANIFEST_NAMES = Object.keys(manifestMembers).sort();

function each<T>(names: readonly string[], form: T): Record<string, T> {
  return Object.fromEntries(names.map((name) => [name, form]));
}

function isConsistent({ state, reason, answer, scores, missing, notes }: QuestionRecord): boolean {
  const isFailed = state === "failed";
  if ((reason !== null) !== isFailed || (answer === null) !== isFailed) return false;
  if ((scores !== null) !== (state === "scored")) return false;
  const values = scores ?? {};
  const empty = Object.keys(values).filter((column) => values[column] === null);
  if (
    empty.length !== Object.keys(missing).length ||
    empty.some((column) => !Object.hasOwn(missing, column))
  ) {
    return false;
  }
  return Object.keys(notes).every((column) => (values[column] ?? null) !== null);
}

export const questionForm: Form = which<QuestionRecord>(
  object({
    number: integer(0),
    id: text(),
    question: text(),
    reference: text(),
    state: oneOf("answered", "scored", "failed"),
    reason: maybeText,
    passages: list(object({ id: text(), rank: integer(), similarity: real })),
    prompt_digest: orNull(digest),
    answer: maybeText,
    timings: object(each(MODEL_TIMES, maybeCount)),
    scores: orNull(object(each(COLUMNS, orNull(real)))),
    missing: map(oneOf(...MISSING)),
    notes: map(oneOf("answer_cut_off")),
  }),
  isConsistent,
);

export const timingForm: Form = object({
  number: integer(0),
  id: text(),
  ...each(["embedding_s", "retrieval_s", "generation_s", "scoring_s"], orNull(real)),
  reused: boolean,
});

export const entryForm: Form = object({
  action: oneOf("addtest", "addtimetest"),
  testid: account,
  description: which<string>(text(), (value) => value !== "" && encoded(value).length <= LONGEST_DESCRIPTION),
  results: list(real, 1, 64),
  run_digest: digest,
  config_digest: digest,
});

const localPlace = object({ kind: oneOf("local"), digest, previous: digest, sequence: integer() });
const chainPlace = object({ kind: oneOf("chain"), transaction: integer(0), action_index: integer(0) });
const place: Form = (value, path) => {
  const kind = (value as { kind?: unknown } | null)?.kind;
  return kind === "chain" ? chainPlace(value, path) : localPlace(value, path);
};
const receipt = object({
  entry: entryForm,
  place,
  recorded_at: moment,
  seals: object({ place: seal, recorded_at: seal }),
});

const documentMembers = {
  manifest: map(seal),
  run: or(NOT_RECORDED, receipt),
  questions: or(NOT_RECORDED, list(receipt)),
  run_times: or(NOT_RECORDED, receipt),
  question_times: or(NOT_RECORDED, list(receipt)),
  transactions: list(
    object({
      chain_id: digest,
      contract: account,
      creator: account,
      transaction_id: digest,
      packed_transaction: which<string>(text(/^[0-9a-f]+$/), (value) => value.length % 2 === 0),
      signatures: list(text()),
      block_number: orNull(integer()),
      block_id: orNull(digest),
      seals: map(seal),
    }),
  ),
  seals: object({ manifest: seal }),
};
export const documentForm: Form = object(documentMembers);
export const DOCUMENT_NAMES = Object.keys(documentMembers).sort();
