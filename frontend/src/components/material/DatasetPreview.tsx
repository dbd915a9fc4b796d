import { Button, NativeSelect, Stack, Text } from "@mantine/core";
import { Problem } from "@/api/problem";
import type { DatasetPreview as Preview } from "@/api/types";
import { bindText } from "@/components/fields";
import { Note } from "@/components/Note";
import { ProblemNotice } from "@/components/ProblemNotice";
import { Sentences } from "@/components/Sentences";
import { type Column, DataTable, plainColumn, textColumn } from "@/components/table";
import { t } from "@/words";

const QUESTIONS: Column<Preview["questions"][number]>[] = [
  textColumn("question", t("Question"), ({ text }) => text),
  textColumn("reference", t("Reference answer"), ({ reference }) => reference),
];
/** Value of the choice not to import a column; no column of a dataset has an empty name. */
const IGNORED = "";
/** Value of a column that is neither imported nor ignored yet. */
const UNDECIDED = "?";

/** How the columns of a file are read. */
export type Mapping = Pick<Preview["mapping"], "columns" | "ignored">;

/** The mapping after a column of the file is given a meaning; the column that had this meaning is not imported. */
export function remapped(mapping: Mapping, column: string, meaning: string): Mapping {
  const before = Object.entries(mapping.columns ?? {});
  const replaced = before.filter(([name, own]) => name === meaning && own !== column).map(([, own]) => own);
  const kept = before.filter(([name, own]) => name !== meaning && own !== column);
  const ignored = [...(mapping.ignored ?? []).filter((own) => own !== column), ...replaced];
  return meaning === IGNORED
    ? { columns: Object.fromEntries(kept), ignored: [...ignored, column] }
    : { columns: Object.fromEntries([...kept, [meaning, column]]), ignored };
}

/** Columns of the file that are neither imported nor ignored yet. */
function undecided({ columns, mapping }: Preview): string[] {
  const given = new Set([...Object.values(mapping.columns ?? {}), ...(mapping.ignored ?? [])]);
  return columns.filter((column) => !given.has(column));
}

function mappedColumns(
  { mapping, meanings }: Preview,
  onMap: (mapping: Mapping) => void,
): Column<{ column: string }>[] {
  const meaningOf = new Map(
    Object.entries(mapping.columns ?? {}).map(([meaning, column]) => [column, meaning]),
  );
  const given = (column: string) =>
    meaningOf.get(column) ?? (mapping.ignored?.includes(column) ? IGNORED : null);
  return [
    plainColumn("column", t("File column"), ({ column }) => column),
    plainColumn("meaning", t("Imported as"), ({ column }) => given(column) ?? "", {
      cell: ({ column }) => (
        <NativeSelect
          size="xs"
          aria-label={t("{column} is imported as", { column })}
          {...bindText(given(column) ?? UNDECIDED, (value) => onMap(remapped(mapping, column, value)))}
          w={180}
        >
          {given(column) === null && (
            <option value={UNDECIDED} disabled>
              {t("Choose")}
            </option>
          )}
          <option value={IGNORED}>{t("Not imported")}</option>
          {meanings.map((meaning) => (
            <option key={meaning}>{meaning}</option>
          ))}
        </NativeSelect>
      ),
    }),
  ];
}

/** How the columns of a file are read and can be read, what is wrong with it, and its first questions. */
export function DatasetPreview({ preview, onMap }: { preview: Preview; onMap: (mapping: Mapping) => void }) {
  const { counts, mapping, questions } = preview;
  return (
    <Stack gap="sm">
      <Text size="sm">
        {t(
          "{rows, plural, one {# row} other {# rows}}, {questions, plural, one {# valid question} other {# valid questions}}: {gold, number} with gold passages, {without, number} without a reference answer.",
          {
            rows: counts.rows,
            questions: counts.questions,
            gold: counts.with_gold,
            without: counts.questions - counts.with_reference,
          },
        )}
      </Text>
      {mapping.notes.length > 0 && (
        <Note title={t("Import decisions")}>
          <Sentences texts={mapping.notes} />
        </Note>
      )}
      {counts.problems > 0 && <Problems preview={preview} onMap={onMap} />}
      <DataTable
        name="preview-columns"
        label={t("Columns")}
        columns={mappedColumns(preview, onMap)}
        rows={preview.columns.map((column) => ({ column }))}
        keyOf={({ column }) => column}
        isShort
      />
      {questions.length > 0 && (
        <DataTable
          name="preview-questions"
          label={t("First rows")}
          columns={QUESTIONS}
          rows={questions}
          keyOf={({ id }) => id}
          isShort
        />
      )}
    </Stack>
  );
}

interface ProblemsProps {
  preview: Preview;
  onMap: (mapping: Mapping) => void;
}

/** Why the file is not imported as it is: columns to choose below, rows to skip, or the file itself. */
function Problems({ preview, onMap }: ProblemsProps) {
  const { counts, problems, mapping, meanings } = preview;
  const open = undecided(preview);
  const isMissing = (field = "") => meanings.includes(field) && mapping.columns?.[field] === undefined;
  const missing = problems.filter(({ row, field }) => row == null && isMissing(field ?? ""));
  const unknown = problems.filter(({ row, field }) => row == null && open.includes(field ?? ""));
  if (new Set([...missing, ...unknown]).size === problems.length)
    return (
      <Note tone="warn" role="alert" title={t("Some columns are not recognised")}>
        <Stack gap="xs" align="flex-start">
          <Text size="sm">{t("Choose below how each column is imported. The file needs no change.")}</Text>
          <Sentences texts={missing.map(({ message }) => message)} />
          {missing.length === 0 && open.length > 0 && (
            <Text size="sm">{t("Not used yet: {columns}.", { columns: open.join(", ") })}</Text>
          )}
          {missing.length === 0 && open.length > 1 && (
            <Button
              size="xs"
              variant="default"
              onClick={() => onMap({ ...mapping, ignored: [...(mapping.ignored ?? []), ...open] })}
            >
              {t("Set the other {count, number} columns to “Not imported”", { count: open.length })}
            </Button>
          )}
        </Stack>
      </Note>
    );
  const text =
    counts.skippable > 0
      ? t(
          "{count, plural, one {# row has a problem. Fix it} other {# rows have problems. Fix them}} in the file and drop the file again, or skip {count, plural, one {this row} other {these rows}}.",
          { count: counts.skippable },
        )
      : t(
          "{count, plural, one {# problem. Fix it} other {# problems. Fix them}} in the file, then drop the file again.",
          { count: counts.problems },
        );
  return (
    <ProblemNotice
      error={new Problem(422, t("Nothing was imported"), text, problems)}
      title={counts.skippable > 0 ? t("Some rows have problems") : t("This file cannot be imported")}
    />
  );
}
