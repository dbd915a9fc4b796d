import type { ModelInfo } from "@/api/types";
import {
  bytesColumn,
  type Column,
  countColumn,
  DataTable,
  digestColumn,
  plainColumn,
} from "@/components/table";
import { t } from "@/words";

/** A table of so few rows needs no search. */
const SHORT = 8;

const COLUMNS: Column<ModelInfo>[] = [
  plainColumn("name", t("Model"), ({ name }) => name),
  bytesColumn("size", t("Size"), ({ size_bytes }) => size_bytes, {
    reason: t("Not reported by the server."),
  }),
  plainColumn("family", t("Family"), ({ family }) => family, { reason: t("Not reported by the server.") }),
  plainColumn("parameters", t("Parameters"), ({ parameter_size }) => parameter_size, {
    kind: "number",
    reason: t("Not reported by the server."),
  }),
  plainColumn("quantization", t("Quantisation"), ({ quantization }) => quantization, {
    reason: t("Not reported by the server."),
  }),
  countColumn("context", t("Context window"), ({ context_length }) => context_length, {
    reason: t("Not part of the server’s model list."),
  }),
  plainColumn("licence", t("Licence"), ({ licence }) => licence, {
    reason: t("Neither the file nor the server’s model list states it."),
  }),
  digestColumn("digest", t("Digest"), ({ digest }) => digest),
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
