import type { ReactNode } from "react";
import { formatCount } from "@/components/numbers/format";
import type { Column } from "@/components/table/columns";

/** A count of something. */
export function counted<Item>(id: string, label: string, of: (item: Item) => number): Column<Item> {
  return {
    id,
    label,
    isNumber: true,
    cell: (item) => formatCount(of(item)),
    text: (item) => String(of(item)),
    by: of,
  };
}

/** A text that is sorted by; `cell` says how it shows where that is not the text alone. */
export function named<Item>(
  id: string,
  label: string,
  of: (item: Item) => string,
  cell: (item: Item) => ReactNode = of,
): Column<Item> {
  return { id, label, cell, text: of, by: of };
}
