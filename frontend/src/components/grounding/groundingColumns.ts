import type { GroundedColumn, GroundingLimits } from "@/api/types";
import { USUAL } from "@/components/grounding/limits";
import { judgeName } from "@/components/judging/judgeName";
import { formatInterval, formatScore } from "@/components/numbers/format";
import { type Column, countColumn, plainColumn, scoreColumn, textColumn } from "@/components/table";
import { t } from "@/words";
import { reasonOf } from "@/words/reasons";

/** A column of grounding with the configuration that it is of. */
export interface GroundedRow {
  key: string;
  run: string;
  name: string;
  column: GroundedColumn;
}

/** What a measure was computed by, as far as it is not the usual. */
export function changedLimits(measure: string, limits: GroundingLimits): string | undefined {
  const of = (...measures: string[]) => measures.includes(measure);
  const changed = [
    of("Citation rate") &&
      limits.citation !== USUAL.citation &&
      t("verified at {share} or more", { share: formatScore(limits.citation, 2) }),
    of("Citation rate") && limits.by === "document" && t("numbers refer to documents"),
    of("Citations", "Citation rate") && limits.per === "sentence" && t("by citing sentence"),
    of("Grounded share") &&
      limits.grounding !== USUAL.grounding &&
      t("grounded at {share} or more", { share: formatScore(limits.grounding, 2) }),
    of("Citation rate", "Grounded share", "Mean grounding") &&
      limits.published &&
      t("passages split on white space"),
  ].filter((each) => each !== false);
  return changed.length > 0 ? changed.join("; ") : undefined;
}

/** Means, and the values expected by chance; the headings name the configuration if there are several. */
export function groundingColumns(isNamed: boolean, limits: GroundingLimits): Column<GroundedRow>[] {
  const named: Column<GroundedRow>[] = isNamed
    ? [plainColumn("name", t("Configuration"), ({ name }) => name)]
    : [];
  return [
    ...named,
    textColumn("measure", t("Measure"), ({ column }) => column.name, {
      note: ({ column }) => changedLimits(column.name, limits),
    }),
    scoreColumn("mean", t("Mean"), ({ column }) => column.mean, {
      reason: ({ column }) => reasonOf(Object.keys(column.missing)[0]),
    }),
    plainColumn("interval", t("95 % interval"), ({ column: { interval } }) => formatInterval(interval)),
    scoreColumn("chance", t("By chance"), ({ column }) => column.chance, {
      title: t("The same measure against passages of other questions, as many as were kept."),
      note: ({ column: { above_chance } }) =>
        above_chance && above_chance.low <= 0 ? t("not above chance") : undefined,
    }),
    scoreColumn("micro", t("Micro mean"), ({ column }) => column.micro, {
      isExtra: "narrow",
      title: t("Ratio of sums: each citation or sentence has the same weight."),
    }),
    scoreColumn("judged", t("τ with a judge"), ({ column: { judged } }) => judged?.tau, {
      isExtra: "narrow",
      title: t(
        "Kendall’s τ-b over the answers, between this measure and the judged metric of the same property.",
      ),
      note: ({ column: { judged } }) =>
        judged &&
        t("{metric} by {judge}, n = {n, number}", {
          metric: judged.column,
          judge: judgeName(judged.judge, judged.rated),
          n: judged.n,
        }),
      reason: t("No judge has judged every answer of this configuration."),
    }),
    countColumn("n", t("Answers"), ({ column }) => column.n),
  ];
}
