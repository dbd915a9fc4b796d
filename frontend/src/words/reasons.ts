import { t } from ".";

/** Why there is no value, by the server's closed list. */
const REASONS: Record<string, string> = {
  empty_answer: t("The model returned an empty answer."),
  empty_reference: t("The question has no reference answer."),
  no_tokens: t("A text contains no tokens for this metric."),
  constant_vector: t("An embedding vector is constant, so the correlation is undefined."),
  too_long: t("A text is too long for this metric."),
  not_finite: t("The value is not a finite number."),
  encoder_unavailable: t("The encoder was not available."),
  unknown_script: t("The encoder does not know this script. Choose a multilingual encoder."),
  wordnet_unavailable: t("WordNet is not installed."),
  not_requested: t("This metric was not requested."),
  abstained: t("The answer is an abstention."),
  no_passages: t("The model was given no passages."),
  none_applies: t("No criterion applies to this answer."),
  no_facts: t("The judge found no facts in the text."),
  no_sentences: t("The text contains no sentences."),
  no_nuggets: t("The judge found no key facts for this question."),
  no_citations: t("The answer contains no citations."),
  cut_off: t("The judge’s reply was cut off."),
  not_json: t("The judge’s reply is not JSON."),
  off_schema: t("The judge’s reply does not have the requested form."),
  prompt_too_long: t("The text is too long for the judge’s context window."),
  no_logprobs: t("The model’s server reports no log probabilities of a given text."),
  judge_failed: t("The judge gave no reply."),
  budget: t("The budget was used up."),
  another_configuration: t("Another configuration has no value for this question."),
  generation_failed: t("No answer was generated."),
  identical: t("All differences from the baseline are exactly 0. There is nothing to test."),
  no_spread: t(
    "All differences from the baseline are equal, so their variance is 0 and no test is possible.",
  ),
  baseline: t("This is the baseline of the comparison."),
  no_baseline: t("There is no baseline."),
  no_gold_passages: t("The questions have no gold passages."),
  gold_passages_absent: t("The collection contains none of the questions’ gold passages."),
  no_questions: t("No question has retrieved passages yet."),
  no_rows: t("No question has all values needed."),
  no_cv: t("The coefficient of variation cannot be computed: too few questions, or a mean of 0 or less."),
  constant_cps: t("CPS is constant in this pool."),
  too_few: t("Too few questions."),
  one_amount: t("Nearly all questions differ from the baseline by the same amount, which gives no interval."),
  few_changed: t("Fewer than 10 questions differ from the baseline, too few for an interval."),
};

const NOTES: Record<string, string> = {
  answer_cut_off: t("The reference answer is so long that the encoder did not see the answer."),
  meteor_exact: t(
    "METEOR (exact): only equal words match, because stems and synonyms are available for English only.",
  ),
  "unicode-1": t("Tokenizer unicode-1, because the reference contains letters beyond ASCII."),
};

/** Why there is no value; a sentence that is no name of the list stays as it is. */
export function reasonOf(reason: string | null | undefined): string {
  if (!reason) return t("No value.");
  return REASONS[reason] ?? reason;
}

/** What should be known of a value. */
export function noteOf(note: string): string {
  return NOTES[note] ?? note;
}
