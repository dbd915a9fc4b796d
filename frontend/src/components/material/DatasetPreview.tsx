import { Button, Stack, Text } from "@mantine/core";
import { Problem } from "@/api/problem";
import type { DatasetPreview as Preview } from "@/api/types";
import { Note } from "@/components/Note";
import { ProblemNotice } from "@/components/ProblemNotice";
import { Sentences } from "@/components/Sentences";
import { type Column, DataTable, textColumn } from "@/components/table";
import { t } from "@/words";
import { ColumnTable, type Mapping } from "./ColumnTable";

const QUESTIONS: Column<Preview["questions"][number]>[] = [
  textColumn("question", t("Question"), ({ text }) => text),
  textColumn("reference", t("Reference answer"), ({ reference }) => reference),
];
/** Columns of the file that are neither imported nor ignored yet. */
function undecided({ columns, mapping }: Preview): string[] {
  const given = new Set([...Object.values(mapping.columns ?? {}), ...(mapping.ignored ?? [])]);
  return columns.filter((column) => !given.has(column));
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
      <ColumnTable columns={preview.columns} meanings={preview.meanings} mapping={mapping} onMap={onMap} />
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
