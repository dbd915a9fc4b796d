import type { Assessment } from "@/api/types";
import { t } from "@/words";

/** The models that write the questions of a drafting. */
export function writersOf({ spec }: Assessment): string {
  return (spec.drafting?.writers ?? []).map(({ judge }) => judge.model.name).join(", ");
}

/** The checks of a draft, by the server's closed list; `unjudged` counts replies that could not be used. */
export const STAGES: Record<string, string> = {
  question: t("Question"),
  form: t("Form"),
  stand_alone: t("Understandable without the passage"),
  answerability: t("Answerable"),
  answer: t("Answer"),
  faithfulness: t("Faithful"),
  relevance: t("Relevant"),
  copy: t("Copy"),
  duplicate: t("Repetition"),
  person: t("Refused by a person"),
  unjudged: t("Not judged"),
};

/** Why a check refused a draft. */
export const CHECK_REASONS: Record<string, string> = {
  none: t("The model found nothing to ask or answer."),
  unjudged: t("The model gave no usable reply."),
  too_short: t("The question is too short."),
  too_long: t("The question is too long."),
  no_question_mark: t("The question does not end with a question mark."),
  several_questions: t("The draft asks several questions."),
  refers_to_text: t("The question refers to a text that its reader does not see."),
  loop: t("The model repeats itself."),
  example: t("The question repeats an example that the model was shown."),
  few_words: t("The question has fewer than three content words."),
  off_topic: t("The question shares no words with the passage."),
  copied: t("The question copies twelve words in a row from the passage."),
  empty: t("The answer is empty."),
  is_question: t("The answer is the question."),
  longer_than_window: t("The answer is longer than the passage."),
  same_text: t("An accepted question has the same words."),
  similar: t("An accepted question is almost the same."),
  same_quote: t("An accepted question has the same answer."),
};

/** Why a person refuses a draft. */
export const REFUSALS = {
  wrong: t("The answer is wrong"),
  unclear: t("The question is unclear"),
  trivial: t("Nobody would ask this"),
  "not-alone": t("Not understood without the passage"),
  "not-answered": t("The passage does not answer it"),
  other: t("Another reason"),
} as const;

export const STATES = {
  accepted: t("Accepted"),
  edited: t("Edited"),
  waiting: t("Waiting for review"),
  refused: t("Refused", {}, "drafts"),
} as const;

export const WAYS = {
  agentic: t("One question per passage, checked by a judge"),
  inpars: t("Several questions per passage, without answers"),
  paragraph: t("One question per paragraph; the paragraph is the answer"),
} as const;
