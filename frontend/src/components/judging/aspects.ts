import { t } from "@/words";

/** Aspects in which people grade answers, by the names of the judged metrics, with what each asks. */
export const ASPECTS = {
  Relevance: { label: t("Relevance"), asks: t("Is the answer about what was asked?") },
  Accuracy: { label: t("Accuracy"), asks: t("Is what it says right by the passages?") },
  Completeness: {
    label: t("Completeness"),
    asks: t("Does it contain everything in the passages that matters?"),
  },
  Precision: { label: t("Precision"), asks: t("Does it go without what was not asked?") },
};

export type Aspect = keyof typeof ASPECTS;
