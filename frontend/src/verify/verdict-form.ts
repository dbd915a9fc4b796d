/** verdict.json as a schema: docs/bundle.md, member by member. */
import * as v from "valibot";
import { count, digest, maybeReal, maybeText, real, text } from "./forms";

const positive = v.pipe(real, v.gtValue(0));
const maybeCount = v.nullable(count);
const names = v.array(text);
const cost = v.picklist(["prompt_tokens", "passages", "seconds", "money"]);

/** Written now; the versions before have another rank at upper ends. */
export const CURRENT = "passer-verdict-4";
/** Written where the sweep chose what its cost is measured by. */
export const CHOSEN_COST = "passer-verdict-5";

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
  reason: v.nullable(v.picklist(["few_changed", "no_spread", "too_few", "identical"])),
  pairs: count,
  clusters: count,
  changed: count,
  effective_pairs: v.optional(real),
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

const judgement = v.strictObject({
  key: digest,
  task: text,
  task_digest: digest,
  given_digest: digest,
  model_digest: text,
  value: v.unknown(),
  reason: maybeText,
});
const share = v.pipe(real, v.minValue(0), v.maxValue(1));
const mark = v.pipe(
  v.strictObject({ value: v.nullable(share), reason: maybeText, judgements: v.array(count) }),
  v.check(({ value, reason }) => (value === null) !== (reason === null)),
);
const judged = v.strictObject({
  assessment: text,
  judge: text,
  column: text,
  status: v.picklist(["unchecked", "biased"]),
  runs: v.array(v.strictObject({ id: text, marks: v.array(mark) })),
  judgements: v.array(judgement),
});

const document = v.strictObject({
  format: v.picklist(["passer-verdict-1", "passer-verdict-2", "passer-verdict-3", CURRENT, CHOSEN_COST]),
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
/** 5 has another cost than tokens of prompts. Before 4: 3 has a judge, 2 has weights and none, 1 has neither. */
export const verdictForm = v.pipe(
  document,
  v.check(({ format, weights, judged, rule: { cost, price } }) => {
    if ((cost === "money") !== (price !== undefined)) return false;
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
