import { useLocalStorage } from "@mantine/hooks";
import { useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { useAddress } from "@/components/useAddress";
import type { Column } from "./columns";

/** A column and a direction. */
export interface Sort {
  id: string;
  desc: boolean;
}

/** State of a table in the address. */
interface TableSearch {
  sort?: string | undefined;
  find?: string | undefined;
  page?: number | undefined;
}

/** `name`, or `-name` for the largest first. */
export function readSort(text: string | undefined): Sort | null {
  if (!text) return null;
  return text.startsWith("-") ? { id: text.slice(1), desc: true } : { id: text, desc: false };
}

export function writeSort({ id, desc }: Sort): string {
  return desc ? `-${id}` : id;
}

/** `sort`, or `metricsSort` where the keys of a table begin with `metrics`. */
export function keyOf(at: string, name: keyof TableSearch): string {
  return at === "" ? name : `${at}${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

/** Parse the address; the router reads digits as a number, and an old link may contain any value. */
export function readTable(search: Record<string, unknown>, at: string): TableSearch {
  const text = (name: keyof TableSearch) => {
    const value = search[keyOf(at, name)];
    return typeof value === "string" || typeof value === "number" ? String(value) : undefined;
  };
  const page = Number(text("page") ?? 0);
  return { sort: text("sort"), find: text("find"), page: Number.isInteger(page) && page > 0 ? page : 0 };
}

/** Sort, search and page of a table: in the address under keys that begin with `at`, or, without it, in memory. */
export function useView(at: string | undefined) {
  const search = useSearch({ strict: false });
  const [own, setOwn] = useState<TableSearch>({});
  const address = useAddress();
  const { sort, find = "", page = 0 } = at === undefined ? own : readTable(search, at);
  const put = (change: TableSearch) => {
    if (at === undefined) return setOwn((before) => ({ ...before, ...change }));
    const keyed = Object.entries(change).map(([name, value]) => [
      keyOf(at, name as keyof TableSearch),
      value,
    ]);
    return address(Object.fromEntries(keyed));
  };
  return {
    sort: readSort(sort),
    find,
    page,
    setSort: (next: Sort | undefined) => put({ sort: next && writeSort(next), page: undefined }),
    setFind: (next: string) => put({ find: next || undefined, page: undefined }),
    setPage: (next: number) => put({ page: next || undefined }),
  };
}

export type View = ReturnType<typeof useView>;

/** Below it the navigation makes room too. */
const LAPTOP_PX = 1024;

interface Taste {
  hidden: string[];
  dense: boolean;
}

/** Which columns are hidden and how dense rows are, remembered in this browser under the table's name. */
export function useTablePreferences<Row>(name: string, columns: readonly Column<Row>[]) {
  const isNarrow = globalThis.innerWidth < LAPTOP_PX;
  const extra = columns
    .filter(({ isExtra }) => (isExtra === "narrow" ? isNarrow : isExtra))
    .map(({ id }) => id);
  const [preferences, setTaste] = useLocalStorage<Taste>({
    key: `passer.table.${name}`,
    defaultValue: { hidden: extra, dense: false },
    getInitialValueInEffect: false,
  });
  return {
    ...preferences,
    show: (id: string, isShown: boolean) =>
      setTaste({
        ...preferences,
        hidden: isShown ? preferences.hidden.filter((other) => other !== id) : [...preferences.hidden, id],
      }),
    setDense: (dense: boolean) => setTaste({ ...preferences, dense }),
  };
}
