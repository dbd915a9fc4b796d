import type { ModelInfo } from "@/api/types";
import { Digest } from "@/components/Digest";
import { formatBytes, formatCount } from "@/components/numbers/format";
import type { Column } from "@/components/table/columns";
import { DataTable } from "@/components/table/DataTable";
import { t } from "@/words";

/** A table of so few rows needs no search. */
const SHORT = 8;

const COLUMNS: Column<ModelInfo>[] = [
  { id: "name", label: t("Model"), value: ({ name }) => name },
  {
    id: "size",
    label: t("Size"),
    value: ({ size_bytes }) => size_bytes,
    reason: t("Not reported by the server."),
    format: formatBytes,
  },
  {
    id: "family",
    label: t("Family"),
    value: ({ family }) => family,
    reason: t("Not reported by the server."),
  },
  {
    id: "parameters",
    label: t("Parameters"),
    kind: "number",
    value: ({ parameter_size }) => parameter_size,
    reason: t("Not reported by the server."),
  },
  {
    id: "quantization",
    label: t("Quantisation"),
    value: ({ quantization }) => quantization,
    reason: t("Not reported by the server."),
  },
  {
    id: "context",
    label: t("Context length"),
    value: ({ context_length }) => context_length,
    reason: t("Not part of the server’s model list."),
    format: formatCount,
  },
  {
    id: "licence",
    label: t("Licence"),
    value: ({ licence }) => licence,
    reason: t("Neither the file nor the server’s model list states it."),
  },
  {
    id: "digest",
    label: t("Digest"),
    value: ({ digest }) => digest,
    cell: ({ digest }) => <Digest value={digest} />,
  },
];

/** What one model server has. */
export function ModelTable({ name, label, items }: { name: string; label: string; items: ModelInfo[] }) {
  return (
    <DataTable
      name={`models-${name}`}
      label={label}
      columns={COLUMNS}
      rows={items}
      keyOf={({ name }) => name}
      isShort={items.length <= SHORT}
    />
  );
}
