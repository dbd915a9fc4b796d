import { Group, NativeSelect, Text } from "@mantine/core";
import type { NamedTable } from "@/api/types";
import { Num } from "@/components/numbers/Num";
import { Panel } from "@/components/Panel";
import { SaveLinks } from "@/components/SaveLinks";
import { cell, Sheet } from "@/components/Sheet";
import { words } from "@/words";
import { type Behind, goalsOf } from "./behind";
import { textOf } from "./cells";
import { GoalLink } from "./GoalLink";

const label = words.analysis;

interface Props {
  tables: NamedTable[];
  /** What every CPS in them is relative to. */
  basis: string;
  /** Address of a table as a file. */
  fileOf: (table: string, format: string) => string;
  shown: string | undefined;
  onShow: (name: string) => void;
  /** Configurations whose questions the rows lead to. */
  behind?: readonly Behind[];
}

/** One table of an analysis at a time, each saved as CSV, XLSX or LaTeX. */
export function ResultTables({ tables, basis, fileOf, shown, onShow, behind = [] }: Props) {
  const table = tables.find(({ name }) => name === shown) ?? tables[0];
  if (!table) return null;
  return (
    <Panel
      title={label.tables}
      beside={
        <Group gap="md" align="flex-end">
          <NativeSelect
            size="xs"
            aria-label={label.showTable}
            data={tables.map(({ name, title }) => ({ value: name, label: words.told.table(name, title) }))}
            value={table.name}
            onChange={(event) => onShow(event.currentTarget.value)}
          />
          <SaveLinks
            title={words.told.table(table.name, table.title)}
            fileOf={(format) => fileOf(table.name, format)}
          />
        </Group>
      }
    >
      {table.table.rows.length === 0 ? (
        <Text c="var(--quiet)">{label.empty}</Text>
      ) : (
        <Shown table={table} behind={behind} />
      )}
      <Text size="xs" c="var(--quiet)">
        {basis}
      </Text>
    </Panel>
  );
}

function Shown({ table: { name, title, table }, behind }: { table: NamedTable; behind: readonly Behind[] }) {
  const isNumber = table.columns.map((_, place) => table.rows.some((row) => typeof row[place] === "number"));
  return (
    <Sheet label={words.told.table(name, title)} pinned bounded>
      <thead>
        <tr>
          {table.columns.map((column, place) => (
            <th key={column} scope="col" className={isNumber[place] ? cell.number : undefined}>
              {words.told.column(column)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {table.rows.map((row, line) => {
          const goals = goalsOf(table, row, behind);
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: the rows of a finished table have no other name and never move
            <tr key={line}>
              {row.map((value, place) => {
                const column = table.columns[place] ?? "";
                const text = textOf(value, column);
                const shown = text ?? <Num value={null} format={String} />;
                const goal = goals.get(place);
                return place === 0 ? (
                  <th key={column} scope="row">
                    <GoalLink goal={goal}>{shown}</GoalLink>
                  </th>
                ) : (
                  <td key={column} className={isNumber[place] ? cell.number : undefined}>
                    <GoalLink goal={goal}>{shown}</GoalLink>
                  </td>
                );
              })}
            </tr>
          );
        })}
      </tbody>
    </Sheet>
  );
}
