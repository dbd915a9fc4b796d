import { t } from "@/words";

/** Aspects in which people grade answers, by the names of the judged metrics, with what each asks. */
export const ASPECTS = {
  Relevance: { label: t("Relevance"), asks: t("Is the answer about what was asked?") },
  Accuracy: { label: t("Accuracy"), asks: t("Do the passages support what it says?") },
  Completeness: {
    label: t("Completeness"),
    asks: t("Does it contain everything important from the passages?"),
  },
  Precision: { label: t("Precision"), asks: t("Is it free of content that was not asked for?") },
};

export type Aspect = keyof typeof ASPECTS;
