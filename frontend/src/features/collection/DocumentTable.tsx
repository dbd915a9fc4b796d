import type { CollectionDetail } from "@/api/types";
import { Digest } from "@/components/Digest";
import { formatCount } from "@/components/numbers/format";
import { Panel } from "@/components/Panel";
import type { Column } from "@/components/table/columns";
import { DataTable } from "@/components/table/DataTable";
import { t } from "@/words";

type Document = CollectionDetail["documents"][number];

const COLUMNS: Column<Document>[] = [
  { id: "name", label: t("Document"), value: ({ name }) => name },
  { id: "passages", label: t("Passages"), value: ({ passages }) => passages, format: formatCount },
  {
    id: "pages",
    label: t("Pages"),
    value: ({ pages }) => pages,
    reason: t("This document type has no pages."),
    format: formatCount,
  },
  {
    id: "digest",
    label: t("Digest"),
    value: ({ digest }) => digest,
    cell: ({ digest }) => <Digest value={digest} />,
  },
];

/** What was taken into the collection. */
export function DocumentTable({ documents }: { documents: CollectionDetail["documents"] }) {
  return (
    <Panel title={t("Documents")}>
      <DataTable
        name="documents"
        at=""
        label={t("Documents")}
        columns={COLUMNS}
        rows={documents}
        keyOf={({ digest, name }) => `${digest} ${name}`}
      />
    </Panel>
  );
}
