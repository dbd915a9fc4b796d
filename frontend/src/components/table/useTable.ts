import { useLocalStorage } from "@mantine/hooks";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { type Column, readSort, type Sort, writeSort } from "./columns";

/** What of a table stands in the address. */
interface TableSearch {
  sort?: string | undefined;
  find?: string | undefined;
  page?: number | undefined;
}

interface Taste {
  hidden: string[];
  dense: boolean;
}

interface Options {
  /** Where a page has several tables: what this one's keys in the address begin with. */
  key?: string;
}

/** `sort`, or `metricsSort` where the keys of a table begin with `metrics`. */
export function keyOf(key: string, name: keyof TableSearch): string {
  return key === "" ? name : `${key}${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

/** What an address says; the router reads digits as a number, and an old link may hold anything. */
export function readTable(search: Record<string, unknown>, key: string): TableSearch {
  const text = (name: keyof TableSearch) => {
    const value = search[keyOf(key, name)];
    return typeof value === "string" || typeof value === "number" ? String(value) : undefined;
  };
  const page = Number(text("page") ?? 0);
  return { sort: text("sort"), find: text("find"), page: Number.isInteger(page) && page > 0 ? page : 0 };
}

/** How a table is looked at: sort, search and page stand in the address; columns and density are remembered here. */
export function useTable<Row>(name: string, columns: readonly Column<Row>[], { key = "" }: Options = {}) {
  const search = readTable(useSearch({ strict: false }), key);
  const navigate = useNavigate();
  const extra = columns.filter(({ isExtra }) => isExtra).map(({ id }) => id);
  const [taste, setTaste] = useLocalStorage<Taste>({
    key: `passer.table.${name}`,
    defaultValue: { hidden: extra, dense: false },
    getInitialValueInEffect: false,
  });
  const put = (change: TableSearch) =>
    navigate({
      to: ".",
      search: (before: object) => ({
        ...before,
        ...Object.fromEntries(
          Object.entries(change).map(([part, value]) => [keyOf(key, part as keyof TableSearch), value]),
        ),
      }),
      replace: true,
      resetScroll: false,
    });
  const [first, ...others] = columns;
  const shown = [first, ...others.filter(({ id }) => !taste.hidden.includes(id))].filter(
    (column) => column !== undefined,
  );
  return {
    columns: shown,
    hidden: taste.hidden,
    isDense: taste.dense,
    sort: readSort(search.sort),
    find: search.find ?? "",
    page: search.page ?? 0,
    setSort: (sort: Sort | null) => put({ sort: sort ? writeSort(sort) : undefined, page: undefined }),
    setFind: (find: string) => put({ find: find || undefined, page: undefined }),
    setPage: (page: number) => put({ page: page || undefined }),
    show: (id: string, isShown: boolean) =>
      setTaste({
        ...taste,
        hidden: isShown ? taste.hidden.filter((other) => other !== id) : [...taste.hidden, id],
      }),
    setDense: (dense: boolean) => setTaste({ ...taste, dense }),
  };
}

export type Table<Row> = ReturnType<typeof useTable<Row>>;
