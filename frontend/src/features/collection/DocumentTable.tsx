import type { CollectionDetail } from "@/api/types";
import { Digest } from "@/components/Digest";
import { formatCount } from "@/components/numbers/format";
import { Num } from "@/components/numbers/Num";
import { Panel } from "@/components/Panel";
import type { Column } from "@/components/table/columns";
import { DataTable } from "@/components/table/DataTable";
import { useTable } from "@/components/table/useTable";
import { words } from "@/words";

const label = words.collections;
const PAGE = 100;

type Document = CollectionDetail["documents"][number];

const COLUMNS: Column<Document>[] = [
  {
    id: "name",
    label: label.document,
    cell: ({ name }) => name,
    text: ({ name }) => name,
    by: ({ name }) => name,
  },
  {
    id: "passages",
    label: label.passages,
    isNumber: true,
    cell: ({ passages }) => formatCount(passages),
    text: ({ passages }) => String(passages),
    by: ({ passages }) => passages,
  },
  {
    id: "pages",
    label: label.pages,
    isNumber: true,
    cell: ({ pages }) => <Num value={pages} reason={label.noPages} format={formatCount} />,
    text: ({ pages }) => String(pages ?? ""),
    by: ({ pages }) => pages,
  },
  {
    id: "digest",
    label: label.digest,
    cell: ({ digest }) => <Digest value={digest} />,
    text: ({ digest }) => digest,
  },
];

/** What was taken into the collection. */
export function DocumentTable({ documents }: { documents: CollectionDetail["documents"] }) {
  const table = useTable("documents", COLUMNS);
  return (
    <Panel title={label.documents}>
      <DataTable
        label={label.documents}
        columns={COLUMNS}
        rows={documents}
        table={table}
        keyOf={({ digest, name }) => `${digest} ${name}`}
        pageSize={PAGE}
      />
    </Panel>
  );
}
