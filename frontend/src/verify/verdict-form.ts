/** verdict.json as a schema: docs/bundle.md, member by member. */
import * as v from "valibot";
import { count, digest, MISSING, mapOf, maybeReal, maybeText, real, text } from "./forms";

const positive = v.pipe(real, v.gtValue(0));
const maybeCount = v.nullable(count);
const names = v.array(text);
const cost = v.picklist(["prompt_tokens", "passages", "seconds", "money"]);

/** Written now; the versions before have another rank at upper ends. */
const CURRENT = "passer-verdict-4";
/** Written where the sweep chose what its cost is measured by. */
const CHOSEN_COST = "passer-verdict-5";
/** Written where a judge decides, with the digests of prompts and replies. */
const WITH_REPLIES = "passer-verdict-6";
/** Written where ratings of people correct the gains of a judged column. */
const WITH_RATINGS = "passer-verdict-7";
/** Written where a gain has the reason `one_amount`: before, it stayed in the family. */
export const WITH_ONE_AMOUNT = "passer-verdict-8";
/** Versions with another rank at upper ends. */
export const OLD_RANK: readonly string[] = ["passer-verdict-1", "passer-verdict-2", "passer-verdict-3"];

const amount = v.pipe(real, v.minValue(0));
export const priceForm = v.strictObject({
  currency: v.pipe(text, v.regex(/^[A-Z]{3}$/)),
  input: amount,
  output: amount,
});
const rule = v.strictObject({
  primary: text,
  margin: positive,
  alpha: v.pipe(positive, v.ltValue(0.5)),
  draws: v.pipe(count, v.minValue(99), v.maxValue(99_999)),
  seed: count,
  cost,
  saving: v.pipe(positive, v.ltValue(1)),
  fewest_pairs: v.pipe(count, v.minValue(5)),
  fewest_clusters: v.pipe(count, v.minValue(6)),
  most_missing: v.pipe(real, v.minValue(0), v.ltValue(1)),
  price: v.optional(priceForm),
});
const composite = v.strictObject({
  panel: text,
  clips: v.boolean(),
  metrics: v.pipe(
    v.array(
      v.strictObject({
        metric: text,
        weight: v.pipe(positive, v.maxValue(1)),
        higher_is_better: v.boolean(),
        minimum: real,
        maximum: real,
      }),
    ),
    v.minLength(1),
  ),
});
const look = v.strictObject({
  is_planned: v.boolean(),
  in_first: v.array(v.boolean()),
  share: v.pipe(positive, v.ltValue(1)),
});
const configuration = v.strictObject({
  name: text,
  model: text,
  runs: v.pipe(v.array(v.strictObject({ id: text, run_digest: v.nullable(digest) })), v.minLength(1)),
  is_baseline: v.boolean(),
  baseline: maybeCount,
  planned: count,
  failed: count,
  open: count,
  cost: maybeReal,
  values: v.array(maybeReal),
});
const gain = v.strictObject({
  configuration: count,
  ...v.entriesFromList(["gain", "standard_error", "low", "high", "p"], maybeReal),
  outcome: v.picklist(["better", "worse", "as_good", "undecided", "identical"]),
  reason: v.nullable(v.picklist(["few_changed", "one_amount", "no_spread", "too_few", "identical"])),
  pairs: count,
  clusters: count,
  changed: count,
  effective_pairs: v.optional(real),
  alike: v.optional(count),
  amount: v.optional(real),
});
const conclusion = v.strictObject({
  model: text,
  kind: v.picklist(["no_verdict", "better", "as_good_cheaper", "cannot_tell", "keep_baseline"]),
  missing: v.array(
    v.picklist([
      "no_baseline",
      "baseline_unfinished",
      "too_few_pairs",
      "too_few_clusters",
      "failed_or_open",
      "judge_bias",
    ]),
  ),
  recommended: maybeText,
  corrected: v.nullable(v.strictObject({ gain: real, better_share: real, splits: count })),
  better: names,
  as_good: names,
  worse: names,
  undecided: names,
  detectable: maybeReal,
  questions_needed: maybeCount,
  saved: maybeReal,
  cost: v.nullable(cost),
});

const REASONS = [
  ...MISSING,
  ..."abstained,no_passages,no_facts,none_applies,no_sentences,no_nuggets,no_citations".split(","),
  ..."cut_off,not_json,off_schema,prompt_too_long,no_logprobs,judge_failed,budget".split(","),
];
const judgement = v.strictObject({
  key: digest,
  task: text,
  task_digest: digest,
  given_digest: digest,
  prompt_digest: v.optional(digest),
  reply_digest: v.optional(digest),
  model_digest: text,
  value: v.unknown(),
  reason: maybeText,
});
const share = v.pipe(real, v.minValue(0), v.maxValue(1));
const mark = v.pipe(
  v.strictObject({
    value: v.nullable(share),
    reason: v.nullable(v.picklist(REASONS)),
    judgements: v.array(count),
  }),
  v.check(({ value, reason }) => (value === null) !== (reason === null)),
);
const shown = v.union([text, v.pipe(v.number(), v.integer()), v.array(text)]);
const task = v.strictObject({
  name: text,
  instruction: text,
  reply_schema: v.nullable(mapOf(v.unknown())),
  examples: v.array(v.strictObject({ given: mapOf(shown), reply: v.union([mapOf(v.unknown()), text]) })),
  digest: text,
});
const inclusions = v.array(v.strictObject({ question: count, inclusion: share }));
const rating = v.strictObject({ question: count, rater: count, value: share });
/** What people rated, and the random draw that chose it, since version 7. */
const ratings = v.strictObject({
  seed: count,
  drawn: inclusions,
  others: inclusions,
  runs: v.array(v.strictObject({ id: text, ratings: v.array(rating) })),
  means: v.array(
    v.strictObject({ value: maybeReal, standard_error: maybeReal, rated: count, others: count }),
  ),
});
/** Questions, tasks and digests of prompts are stated together, since version 6. */
const judged = v.pipe(
  v.strictObject({
    assessment: text,
    judge: text,
    column: text,
    status: v.picklist(["unchecked", "biased", "corrected"]),
    questions: v.optional(v.pipe(names, v.minLength(1))),
    tasks: v.optional(v.pipe(v.array(task), v.minLength(1))),
    runs: v.array(v.strictObject({ id: text, marks: v.array(mark) })),
    judgements: v.array(judgement),
    ratings: v.optional(ratings),
  }),
  v.check(({ questions, tasks, judgements }) =>
    questions
      ? judgements.every(({ prompt_digest }) => prompt_digest !== undefined)
      : !tasks && judgements.every((each) => !each.prompt_digest && !each.reply_digest),
  ),
  v.check(
    ({ status, questions, ratings }) =>
      (status === "corrected") === (ratings !== undefined) && (!ratings || !!questions),
  ),
);

const document = v.strictObject({
  format: v.picklist([
    "passer-verdict-1",
    "passer-verdict-2",
    "passer-verdict-3",
    CURRENT,
    CHOSEN_COST,
    WITH_REPLIES,
    WITH_RATINGS,
    WITH_ONE_AMOUNT,
  ]),
  sweep_id: text,
  conclusion_digest: digest,
  exploratory: names,
  rule,
  composite,
  questions: v.pipe(names, v.minLength(1)),
  clusters: v.nullable(v.array(count)),
  weights: v.optional(v.array(positive)),
  judged: v.optional(judged),
  look: v.nullable(look),
  configurations: v.pipe(v.array(configuration), v.minLength(1)),
  gains: v.array(gain),
  conclusions: v.array(conclusion),
  digest,
});
/** 8 has a gain with `one_amount`, 7 has ratings, 6 has a judge's replies, and 5 another cost than tokens of prompts. Before 4: 3 has a judge, 2 has weights and none, 1 has neither. */
export const verdictForm = v.pipe(
  document,
  v.check(({ format, weights, judged, gains, rule: { cost, price } }) => {
    if ((cost === "money") !== (price !== undefined)) return false;
    const isOneAmount = gains.some(({ reason }) => reason === "one_amount");
    if (isOneAmount || format === WITH_ONE_AMOUNT) {
      return isOneAmount && format === WITH_ONE_AMOUNT && (!judged || !!judged.questions);
    }
    const isWhole = format === WITH_REPLIES || format === WITH_RATINGS;
    if (judged?.questions || isWhole) {
      return !!judged?.questions && format === (judged.ratings ? WITH_RATINGS : WITH_REPLIES);
    }
    if (cost !== "prompt_tokens") return format === CHOSEN_COST;
    const plain = weights === undefined ? "passer-verdict-1" : "passer-verdict-2";
    return format === CURRENT || format === (judged === undefined ? plain : "passer-verdict-3");
  }),
);
export type VerdictDocument = v.InferOutput<typeof verdictForm>;
export type Judged = v.InferOutput<typeof judged>;
export type Rule = VerdictDocument["rule"];
export type Configuration = VerdictDocument["configurations"][number];
export type Gain = Omit<VerdictDocument["gains"][number], "configuration">;
export type Conclusion = VerdictDocument["conclusions"][number];
