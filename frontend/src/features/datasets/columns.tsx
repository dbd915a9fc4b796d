import type { DatasetSummary } from "@/api/types";
import { Digest } from "@/components/Digest";
import { formatCount } from "@/components/numbers/format";
import type { Column } from "@/components/table/columns";
import { t } from "@/words";

export const nameOf = ({ name }: DatasetSummary) => name;

/** What the list of datasets shows. */
export const COLUMNS: Column<DatasetSummary>[] = [
  { id: "name", label: t("Name"), value: nameOf },
  { id: "language", label: t("Language"), value: ({ language }) => language },
  { id: "questions", label: t("Questions"), value: ({ questions }) => questions, format: formatCount },
  {
    id: "with_gold",
    label: t("With gold passages"),
    value: ({ with_gold }) => with_gold,
    format: formatCount,
  },
  { id: "versions", label: t("Versions"), value: ({ versions }) => versions, format: formatCount },
  {
    id: "newest",
    label: t("Newest version"),
    value: ({ digest }) => digest,
    cell: ({ digest }) => <Digest value={digest} />,
  },
];
