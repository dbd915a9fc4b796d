const REASONS: Record<string, string> = {
  empty_answer: "The model gave an empty answer.",
  empty_reference: "The question has no reference answer.",
  no_tokens: "A text has no token that this metric counts.",
  constant_vector: "A vector is constant, so a correlation is not defined.",
  too_long: "A text is longer than this metric takes.",
  not_finite: "The value is not a finite number.",
  encoder_unavailable: "The encoder was not there.",
  wordnet_unavailable: "WordNet is not installed.",
  not_requested: "This metric was not asked for.",
  another_configuration: "Another configuration has no value for it.",
  generation_failed: "No answer was generated.",
  identical: "All differences from the baseline are exactly 0, so there is nothing to test.",
  no_spread: "All differences from the baseline are the same, so there is no spread to test against.",
  baseline: "This is the baseline: the others are compared with it.",
  no_baseline: "There is no baseline to compare with.",
  no_gold_passages: "The questions name no gold passages.",
  gold_passages_absent: "The collection holds none of the gold passages that the questions name.",
  no_questions: "No question has been looked up.",
  no_rows: "No question could be used.",
  no_cv: "The variation cannot be computed: there are too few questions, or the mean is not above 0.",
  constant_cps: "CPS does not vary in this pool.",
  too_few: "There are too few questions for this.",
};

const NOTES: Record<string, string> = {
  answer_cut_off: "The encoder saw nothing of the answer behind a long reference.",
};

export const numbers = {
  note: (note: string) => NOTES[note] ?? note,
  range: (low: string, high: string) => `${low} to ${high}`,
  none: (reason: string) => `no value: ${reason}`,
  reason: (reason: string | null | undefined) => {
    if (!reason) return "There is no value.";
    return REASONS[reason] ?? reason;
  },
};
