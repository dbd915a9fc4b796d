import { Anchor, Group, NativeSelect, Text } from "@mantine/core";
import type { NamedTable } from "@/api/types";
import { Num } from "@/components/numbers/Num";
import { Panel } from "@/components/Panel";
import { cell, Sheet } from "@/components/Sheet";
import { words } from "@/words";
import { headingOf, textOf } from "./cells";

const label = words.analysis;
const FORMATS = ["csv", "xlsx", "latex"] as const;
const NAMES = { csv: "CSV", xlsx: "XLSX", latex: "LaTeX" };

interface Props {
  tables: NamedTable[];
  /** What every CPS in them is relative to. */
  basis: string;
  /** Address of a table as a file. */
  fileOf: (table: string, format: string) => string;
  shown: string | undefined;
  onShow: (name: string) => void;
}

/** One table of an analysis at a time, each saved as CSV, XLSX or LaTeX. */
export function Tables({ tables, basis, fileOf, shown, onShow }: Props) {
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
            data={tables.map(({ name, title }) => ({ value: name, label: title }))}
            value={table.name}
            onChange={(event) => onShow(event.currentTarget.value)}
          />
          <Group gap={8}>
            {FORMATS.map((format) => (
              <Anchor
                key={format}
                size="sm"
                href={fileOf(table.name, format)}
                download
                aria-label={label.save(table.title, NAMES[format])}
              >
                {NAMES[format]}
              </Anchor>
            ))}
          </Group>
        </Group>
      }
    >
      {table.table.rows.length === 0 ? <Text c="var(--quiet)">{label.empty}</Text> : <Shown table={table} />}
      <Text size="xs" c="var(--quiet)">
        {basis}
      </Text>
    </Panel>
  );
}

function Shown({ table: { title, table } }: { table: NamedTable }) {
  const isNumber = table.columns.map((_, place) => table.rows.some((row) => typeof row[place] === "number"));
  return (
    <Sheet label={title} pinned bounded>
      <thead>
        <tr>
          {table.columns.map((column, place) => (
            <th key={column} scope="col" className={isNumber[place] ? cell.number : undefined}>
              {headingOf(column)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {table.rows.map((row, line) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the rows of a finished table have no other name and never move
          <tr key={line}>
            {row.map((value, place) => {
              const column = table.columns[place] ?? "";
              const text = textOf(value, column);
              const shown = text ?? <Num value={null} format={String} />;
              return place === 0 ? (
                <th key={column} scope="row">
                  {shown}
                </th>
              ) : (
                <td key={column} className={isNumber[place] ? cell.number : undefined}>
                  {shown}
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </Sheet>
  );
}
