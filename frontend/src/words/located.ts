import { t } from ".";

/** Where a question failed, by the server's closed list, in the order in which labels are tried. */
export const LOCATED = {
  failed: t("No answer"),
  unanswerable: t("Unanswerable by the documents"),
  gold_unknown: t("Gold passage unknown"),
  gold_absent: t("Gold passage not in the collection"),
  not_retrieved: t("Gold passage not retrieved"),
  cut: t("Gold passage retrieved but not kept"),
  prompt_cut: t("Prompt truncated"),
  abstained: t("Abstained with gold passage"),
  answer_cut: t("Answer truncated"),
  unscored: t("Not scored"),
  unused: t("Gold passage not used"),
  used_and_low: t("Gold passage used, low score"),
  low: t("Low score"),
  fine: t("No failure"),
};

export type Located = keyof typeof LOCATED;

export const LABELS = Object.keys(LOCATED) as Located[];
