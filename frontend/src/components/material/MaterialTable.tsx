import type { Column } from "@/components/table/columns";
import { DataTable } from "@/components/table/DataTable";
import { useTable } from "@/components/table/useTable";

interface Props<Item> {
  /** By which its columns and its density are remembered. */
  name: string;
  label: string;
  columns: Column<Item>[];
  items: Item[];
  nameOf: (item: Item) => string;
  onOpen?: (name: string) => void;
}

/** Things that are known by their names, each in a row that opens it. */
export function MaterialTable<Item>({ name, label, columns, items, nameOf, onOpen }: Props<Item>) {
  const table = useTable(name, columns);
  return (
    <DataTable
      label={label}
      columns={columns}
      rows={items}
      table={table}
      keyOf={nameOf}
      nameOf={nameOf}
      {...(onOpen ? { onOpen: (item: Item) => onOpen(nameOf(item)) } : {})}
    />
  );
}
