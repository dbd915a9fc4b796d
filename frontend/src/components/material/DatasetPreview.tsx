import { List, Stack, Text } from "@mantine/core";
import { Problem } from "@/api/problem";
import type { DatasetPreview as Preview } from "@/api/types";
import { Note } from "@/components/Note";
import { ProblemNotice } from "@/components/ProblemNotice";
import { Said } from "@/components/Said";
import type { Column } from "@/components/table/columns";
import { DataTable } from "@/components/table/DataTable";
import { t } from "@/words";

const QUESTIONS: Column<Preview["questions"][number]>[] = [
  { id: "question", label: t("Question"), kind: "text", value: ({ text }) => text },
  { id: "reference", label: t("Reference answer"), kind: "text", value: ({ reference }) => reference },
];
const MAPPED: Column<{ column: string; meaning: string | null }>[] = [
  { id: "column", label: t("File column"), value: ({ column }) => column },
  {
    id: "meaning",
    label: t("Imported as"),
    value: ({ meaning }) => meaning ?? t("Not imported"),
    cell: ({ meaning }) =>
      meaning ?? (
        <Text component="span" size="sm" c="var(--quiet)">
          {t("Not imported")}
        </Text>
      ),
  },
];

/** How the columns of a file are read, what is wrong with it, and its first questions. */
export function DatasetPreview({ preview }: { preview: Preview }) {
  const { counts, mapping, problems, questions } = preview;
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
          <List size="sm">
            {mapping.notes.map((note) => (
              <List.Item key={note}>
                <Said text={note} />
              </List.Item>
            ))}
          </List>
        </Note>
      )}
      {counts.problems > 0 && (
        <ProblemNotice
          error={
            new Problem(
              422,
              t("Nothing was imported"),
              counts.skippable > 0
                ? t(
                    "{count, plural, one {# row has a problem. Fix it} other {# rows have problems. Fix them}} in the file and drop the file again, or skip {count, plural, one {this row} other {these rows}}.",
                    { count: counts.skippable },
                  )
                : t(
                    "{count, plural, one {# problem. Fix it} other {# problems. Fix them}} in the file, then drop the file again.",
                    { count: counts.problems },
                  ),
              problems,
            )
          }
          title={counts.skippable > 0 ? t("Some rows have problems") : t("This file cannot be imported")}
        />
      )}
      <DataTable
        name="preview-columns"
        label={t("Columns")}
        columns={MAPPED}
        rows={[
          ...Object.entries(mapping.columns ?? {}).map(([meaning, column]) => ({ column, meaning })),
          ...mapping.ignored.map((column) => ({ column, meaning: null })),
        ]}
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
