import { Group } from "@mantine/core";
import { FileLink } from "@/components/links";
import { More } from "@/components/More";
import { Quiet } from "@/components/Quiet";
import { t } from "@/words";

const EXPORTS = {
  composites: t("Configurations"),
  evaluations: t("All evaluations"),
  "ragelo-queries": t("RAGElo queries"),
  "ragelo-documents": t("RAGElo documents"),
  "ragelo-answers": t("RAGElo answers"),
  trec: t("TREC runs and qrels"),
};

const FORMATS = ["csv", "xlsx", "jsonl"] as const;
const TABLES = ["composites", "evaluations"] as const;
const RAGELO = ["ragelo-queries", "ragelo-documents", "ragelo-answers"] as const;

/** The tables as files. */
export function Exports({ id }: { id: string }) {
  return (
    <Group gap="lg">
      {TABLES.map((table) => (
        <Group key={table} gap={8}>
          <Quiet>{EXPORTS[table]}</Quiet>
          {FORMATS.map((format) => (
            <File key={format} id={id} table={table} format={format} text={format.toUpperCase()} />
          ))}
        </Group>
      ))}
      <More title={t("Files for other tools")}>
        <Group gap="sm">
          {RAGELO.map((table) => (
            <File key={table} id={id} table={table} format="csv" text={EXPORTS[table]} />
          ))}
          <File id={id} table="trec" format="zip" text={EXPORTS.trec} />
        </Group>
      </More>
    </Group>
  );
}

interface FileProps {
  id: string;
  table: keyof typeof EXPORTS;
  format: (typeof FORMATS)[number] | "zip";
  text: string;
}

function File({ id, table, format, text }: FileProps) {
  // A zip has its own form.
  const wanted = format === "zip" ? `table=${table}` : `format=${format}&table=${table}`;
  return (
    <FileLink
      address={`/api/v1/sweeps/${encodeURIComponent(id)}/export?${wanted}`}
      aria-label={t("{table} as {format}", { table: EXPORTS[table], format: format.toUpperCase() })}
    >
      {text}
    </FileLink>
  );
}
