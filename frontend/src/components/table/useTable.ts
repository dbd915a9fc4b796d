import { useLocalStorage } from "@mantine/hooks";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { type Column, readSort, type Sort, writeSort } from "./columns";

/** What of a table stands in the address. */
export interface TableSearch {
  sort?: string | undefined;
  find?: string | undefined;
  page?: number | undefined;
}

interface Taste {
  hidden: string[];
  dense: boolean;
}

/** How a table is looked at: sort, search and page stand in the address; columns and density are remembered here. */
export function useTable<Row>(name: string, columns: readonly Column<Row>[]) {
  const search: TableSearch = useSearch({ strict: false });
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
      search: (before: object) => ({ ...before, ...change }),
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
    setSort: (sort: Sort) => put({ sort: writeSort(sort), page: undefined }),
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
