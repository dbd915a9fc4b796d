import type { SweepPreview } from "@/api/types";
import { formatCount, formatScore } from "@/components/numbers/format";
import {
  type Column,
  countColumn,
  DataTable,
  plainColumn,
  scoreColumn,
  shareColumn,
} from "@/components/table";
import { t } from "@/words";

type Policy = SweepPreview["policies"][number];

const oneDecimal = (value: number) => formatScore(value, 1);
const ofPrompts = { reason: t("No model would be called."), format: formatCount };
const ofRetrieval = { reason: ({ retrieval }: Policy) => retrieval.reason };

const COLUMNS: Column<Policy>[] = [
  plainColumn("passages", t("Passages"), ({ retrieval }) => retrieval.mean_passages, {
    title: t("Mean number of passages kept"),
    ...ofRetrieval,
    format: oneDecimal,
  }),
  countColumn("most", t("Most passages"), ({ most_passages }) => most_passages, {
    title: t("Largest number of passages kept for one question"),
  }),
  shareColumn("coverage", t("Questions with passages"), ({ retrieval }) => retrieval.coverage, {
    title: t("Share of questions with at least one passage kept"),
    ...ofRetrieval,
  }),
  scoreColumn("recall", t("Gold passages, recall"), ({ retrieval }) => retrieval.recall, {
    title: t("Mean share of gold passages kept"),
    ...ofRetrieval,
  }),
  plainColumn("tokens", t("Tokens"), ({ tokens }) => tokens?.mean, {
    title: t("Mean prompt length in tokens (upper estimate)"),
    ...ofPrompts,
  }),
  plainColumn("longest", t("Longest"), ({ tokens }) => tokens?.most, {
    title: t("Tokens in the longest prompt (upper estimate)"),
    ...ofPrompts,
  }),
  plainColumn("overflowing", t("Too long"), ({ tokens }) => tokens?.overflowing, {
    title: t("Prompts that do not fit the context window together with the answer length limit"),
    ...ofPrompts,
  }),
];

/** Policy by policy: passages kept, coverage, gold recall and the size of the prompts. */
export function PreviewTable({ preview: { policies, collections } }: { preview: SweepPreview }) {
  const several = new Set(policies.map(({ prompt }) => prompt)).size > 1;
  const notesOf = ({ collection, prompt, is_baseline }: Policy) =>
    [collections.length > 1 && collection, several && prompt, is_baseline && t("baseline")]
      .filter(Boolean)
      .join(", ");
  return (
    <DataTable
      name="preview"
      label={t("Retrieval preview")}
      columns={[
        plainColumn("policy", t("Retrieval setting"), ({ name }) => name, { note: notesOf }),
        ...COLUMNS,
      ]}
      rows={policies}
      keyOf={({ collection, prompt, name, is_baseline }) => `${collection} ${prompt} ${name} ${is_baseline}`}
      isShort
    />
  );
}
