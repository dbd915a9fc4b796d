import type { CollectionDetail } from "@/api/types";
import { Panel } from "@/components/Panel";
import { type Column, countColumn, DataTable, digestColumn, plainColumn } from "@/components/table";
import { t } from "@/words";

type Document = CollectionDetail["documents"][number];

const COLUMNS: Column<Document>[] = [
  plainColumn("name", t("Document"), ({ name }) => name),
  countColumn("passages", t("Passages"), ({ passages }) => passages),
  countColumn("pages", t("Pages"), ({ pages }) => pages, { reason: t("This document type has no pages.") }),
  digestColumn("digest", t("Digest"), ({ digest }) => digest),
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
