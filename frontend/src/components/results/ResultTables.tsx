import { Group, NativeSelect, Text } from "@mantine/core";
import type { ReactNode } from "react";
import type { NamedTable } from "@/api/types";
import { bindText } from "@/components/fields";
import { Panel } from "@/components/Panel";
import { Quiet } from "@/components/Quiet";
import { type Column, DataTable, plainColumn } from "@/components/table";
import { t } from "@/words";
import { textOf } from "./cells";
import { goalsOf, type QuestionSource } from "./questionSources";

/** Long texts that are the same in most rows: not shown until chosen. */
const LONG: ReadonlySet<string> = new Set(["machine", "other_machine"]);
/** What wide tables show until their reader chooses columns; all others have room for every column. */
const MAIN: Readonly<Record<string, ReadonlySet<string>>> = {
  configurations: new Set(
    "model name threshold level n n_failed mean_cps tcps gain gain_ci_low gain_ci_high p_adjusted outcome mean_passages prompt_tokens".split(
      " ",
    ),
  ),
  tests: new Set(
    "model threshold gain gain_ci_low gain_ci_high cohens_d p_t p_wilcoxon p_permutation p_max_t p_holm".split(
      " ",
    ),
  ),
  timings: new Set(
    "model name measured reused generation_s_median generation_s_q1 generation_s_q3 retrieval_s_median".split(
      " ",
    ),
  ),
};
/** From this many rows on one searches them. */
const SEARCHED = 12;

interface Props {
  tables: NamedTable[];
  /** What every CPS in them is relative to. */
  basis?: string;
  /** Ways to save a table as a file. */
  save: (table: string, title: string) => ReactNode;
  shown: string | undefined;
  onShow: (name: string) => void;
  /** Descriptions of columns, by their names. */
  titles?: Record<string, string>;
  /** Configurations whose questions the rows lead to. */
  sources?: readonly QuestionSource[];
}

/** One table of an analysis at a time, each saved as CSV, XLSX or LaTeX. */
export function ResultTables({ tables, basis, save, shown, onShow, titles = {}, sources = [] }: Props) {
  const table = tables.find(({ name }) => name === shown) ?? tables[0];
  if (!table) return null;
  return (
    <Panel
      title={t("Tables")}
      beside={
        <Group gap="md" align="flex-end">
          <NativeSelect
            size="xs"
            aria-label={t("Table shown")}
            data={tables.map(({ name, title }) => ({ value: name, label: title }))}
            {...bindText(table.name, onShow)}
          />
          {save(table.name, table.title)}
        </Group>
      }
    >
      {table.table.rows.length === 0 ? (
        <Text c="var(--quiet)">{t("This table has no rows.")}</Text>
      ) : (
        <Shown table={table} titles={titles} sources={sources} />
      )}
      {basis && <Quiet size="xs">{basis}</Quiet>}
    </Panel>
  );
}

interface ShownProps extends Required<Pick<Props, "titles" | "sources">> {
  table: NamedTable;
}

function Shown({ table: { name, title, table, columns: shown }, titles, sources }: ShownProps) {
  const rows = table.rows.map((cells, place) => ({
    cells,
    key: String(place),
    goals: goalsOf(table, cells, sources),
  }));
  const main = MAIN[name];
  // In a table that is too wide, hide columns with the same value in all rows.
  const isSame = (place: number) => new Set(rows.map(({ cells }) => cells[place])).size === 1;
  const figure = table.columns.indexOf("figure");
  const columns = shown.map((how, place): Column<(typeof rows)[number]> => {
    const column = table.columns[place] ?? "";
    return plainColumn(column, how.heading, ({ cells }) => cells[place], {
      ...(titles[column] ? { title: titles[column] } : {}),
      ...(rows.some(({ cells }) => typeof cells[place] === "number") ? { kind: "number" } : {}),
      isExtra:
        LONG.has(column) ||
        (main !== undefined && (!main.has(column) || (column === "model" && isSame(place)))),
      cell: ({ cells }) => textOf(cells[place] ?? null, column, how, cells[figure]),
      goal: ({ goals }) => goals.get(place),
    });
  });
  return (
    <DataTable
      key={name}
      name={`results-${name}`}
      label={title}
      columns={columns}
      rows={rows}
      keyOf={({ key }) => key}
      isShort={rows.length < SEARCHED}
    />
  );
}
