import type { ModelInfo } from "@/api/types";
import { Digest } from "@/components/Digest";
import { named } from "@/components/material/columns";
import { MaterialTable } from "@/components/material/MaterialTable";
import { formatBytes, formatCount } from "@/components/numbers/format";
import { Num } from "@/components/numbers/Num";
import type { Column } from "@/components/table/columns";
import { words } from "@/words";

const label = words.settings;
const nameOf = ({ name }: ModelInfo) => name;

function Said({ value }: { value: string | null | undefined }) {
  return value ? value : <Num value={null} reason={label.notSaid} format={String} />;
}

const COLUMNS: Column<ModelInfo>[] = [
  named("name", label.model, nameOf),
  {
    id: "size",
    label: label.size,
    isNumber: true,
    cell: ({ size_bytes }) => <Num value={size_bytes} reason={label.notSaid} format={formatBytes} />,
    text: ({ size_bytes }) => String(size_bytes ?? ""),
    by: ({ size_bytes }) => size_bytes,
  },
  {
    id: "parameters",
    label: label.parameters,
    isNumber: true,
    cell: ({ parameter_size }) => <Said value={parameter_size} />,
    text: ({ parameter_size }) => parameter_size ?? "",
    by: ({ parameter_size }) => (parameter_size ? Number.parseFloat(parameter_size) : null),
  },
  {
    id: "quantization",
    label: label.quantization,
    cell: ({ quantization }) => <Said value={quantization} />,
    text: ({ quantization }) => quantization ?? "",
    by: ({ quantization }) => quantization,
  },
  {
    id: "context",
    label: label.context,
    isNumber: true,
    cell: ({ context_length }) => (
      <Num value={context_length} reason={label.notListed} format={formatCount} />
    ),
    text: ({ context_length }) => String(context_length ?? ""),
    by: ({ context_length }) => context_length,
  },
  {
    id: "digest",
    label: label.digest,
    cell: ({ digest }) => <Digest value={digest} />,
    text: ({ digest }) => digest,
  },
];

/** What the model server has. */
export function ModelTable({ items }: { items: ModelInfo[] }) {
  return <MaterialTable name="models" label={label.models} columns={COLUMNS} items={items} nameOf={nameOf} />;
}
