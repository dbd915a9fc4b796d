import type { SweepPreview } from "@/api/types";
import { formatCount, formatScore, formatShare } from "@/components/numbers/format";
import type { Column } from "@/components/table/columns";
import { DataTable } from "@/components/table/DataTable";
import { t } from "@/words";

type Policy = SweepPreview["policies"][number];

const oneDecimal = (value: number) => formatScore(value, 1);
const ofPrompts = { reason: t("No model would be called."), format: formatCount };
const ofRetrieval = { reason: ({ retrieval }: Policy) => retrieval.reason };

const COLUMNS: Column<Policy>[] = [
  {
    id: "passages",
    label: t("Passages"),
    title: t("Mean number of passages kept"),
    value: ({ retrieval }) => retrieval.mean_passages,
    ...ofRetrieval,
    format: oneDecimal,
  },
  {
    id: "most",
    label: t("Most passages"),
    title: t("Largest number of passages kept for one question"),
    value: ({ most_passages }) => most_passages,
    format: formatCount,
  },
  {
    id: "coverage",
    label: t("Questions with passages"),
    title: t("Share of questions with at least one passage kept"),
    value: ({ retrieval }) => retrieval.coverage,
    ...ofRetrieval,
    format: formatShare,
  },
  {
    id: "recall",
    label: t("Gold passages, recall"),
    title: t("Mean share of gold passages kept"),
    value: ({ retrieval }) => retrieval.recall,
    ...ofRetrieval,
    format: formatScore,
  },
  {
    id: "tokens",
    label: t("Tokens"),
    title: t("Mean prompt length in tokens (upper estimate)"),
    value: ({ tokens }) => tokens?.mean,
    ...ofPrompts,
  },
  {
    id: "longest",
    label: t("Longest"),
    title: t("Tokens in the longest prompt (upper estimate)"),
    value: ({ tokens }) => tokens?.most,
    ...ofPrompts,
  },
  {
    id: "overflowing",
    label: t("Too long"),
    title: t("Prompts that do not fit the context window together with the answer length limit"),
    value: ({ tokens }) => tokens?.overflowing,
    ...ofPrompts,
  },
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
        { id: "policy", label: t("Retrieval setting"), value: ({ name }) => name, note: notesOf },
        ...COLUMNS,
      ]}
      rows={policies}
      keyOf={({ collection, prompt, name, is_baseline }) => `${collection} ${prompt} ${name} ${is_baseline}`}
      isShort
    />
  );
}
