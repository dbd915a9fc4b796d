import { NativeSelect } from "@mantine/core";
import { bindText } from "@/components/fields";
import { type Column, DataTable, plainColumn } from "@/components/table";
import { t } from "@/words";

/** Value of the choice not to import a column; no column of a dataset has an empty name. */
const IGNORED = "";
/** Value of a column that is neither imported nor ignored yet. */
const UNDECIDED = "?";

/** How the columns of files are read. */
export type Mapping = { columns?: Record<string, string>; ignored?: string[] };

/** The mapping after a column of the file is given a meaning; the column that had this meaning is not imported. */
export function remapped(mapping: Mapping, column: string, meaning: string): Mapping {
  const before = Object.entries(mapping.columns ?? {});
  const replaced = before.filter(([name, own]) => name === meaning && own !== column).map(([, own]) => own);
  const kept = before.filter(([name, own]) => name !== meaning && own !== column);
  const ignored = [...(mapping.ignored ?? []).filter((own) => own !== column), ...replaced];
  if (meaning === UNDECIDED) return { columns: Object.fromEntries(kept), ignored };
  return meaning === IGNORED
    ? { columns: Object.fromEntries(kept), ignored: [...ignored, column] }
    : { columns: Object.fromEntries([...kept, [meaning, column]]), ignored };
}

interface Props {
  columns: readonly string[];
  /** What a column can be imported as. */
  meanings: readonly string[];
  mapping: Mapping;
  onMap: (mapping: Mapping) => void;
  /** Whether a column that is not chosen is imported by its name; otherwise each needs a choice. */
  byName?: boolean;
}

/** How each column of a file is imported. */
export function ColumnTable({ columns, meanings, mapping, onMap, byName = false }: Props) {
  const meaningOf = new Map(
    Object.entries(mapping.columns ?? {}).map(([meaning, column]) => [column, meaning]),
  );
  const given = (column: string) =>
    meaningOf.get(column) ?? (mapping.ignored?.includes(column) ? IGNORED : null);
  const shown: Column<{ column: string }>[] = [
    plainColumn("column", t("File column"), ({ column }) => column),
    plainColumn("meaning", t("Imported as"), ({ column }) => given(column) ?? "", {
      cell: ({ column }) => (
        <NativeSelect
          size="xs"
          aria-label={t("{column} is imported as", { column })}
          {...bindText(given(column) ?? UNDECIDED, (value) => onMap(remapped(mapping, column, value)))}
          w={180}
        >
          {(byName || given(column) === null) && (
            <option value={UNDECIDED} disabled={!byName}>
              {byName ? t("Automatic") : t("Choose")}
            </option>
          )}
          {!byName && <option value={IGNORED}>{t("Not imported")}</option>}
          {meanings.map((meaning) => (
            <option key={meaning}>{meaning}</option>
          ))}
        </NativeSelect>
      ),
    }),
  ];
  return (
    <DataTable
      name="preview-columns"
      label={t("Columns")}
      columns={shown}
      rows={columns.map((column) => ({ column }))}
      keyOf={({ column }) => column}
      isShort
    />
  );
}
