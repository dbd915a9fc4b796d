import { useMemo } from "react";
import type { Question } from "@/api/types";
import { formatCount, formatScore } from "@/components/numbers/format";
import { Panel } from "@/components/Panel";
import { type Column, countColumn, DataTable, plainColumn } from "@/components/table";
import { t } from "@/words";
import { countWords, type Description, describe } from "./describe";

const oneDecimal = (value: number) => formatScore(value, 1);

interface Measure {
  name: string;
  found: Description | null;
}

function figure(id: keyof Description, heading: string, format: (value: number) => string): Column<Measure> {
  return plainColumn(id, heading, ({ found }) => found?.[id], {
    reason: t("No question has a reference answer."),
    format,
  });
}

const COLUMNS: Column<Measure>[] = [
  plainColumn("measure", t("Quantity", {}, "statistics"), ({ name }) => name),
  figure("minimum", t("Minimum"), formatCount),
  figure("median", t("Median"), oneDecimal),
  figure("mean", t("Mean"), oneDecimal),
  figure("maximum", t("Maximum"), formatCount),
  countColumn("n", t("n"), ({ found }) => found?.n ?? 0),
];

/** How long questions and references are, and how many gold passages there are. */
export function Statistics({ questions }: { questions: Question[] }) {
  const rows = useMemo((): Measure[] => {
    const references = questions.map(({ reference }) => reference).filter(Boolean);
    return [
      { name: t("Words per question"), found: describe(questions.map(({ text }) => countWords(text))) },
      { name: t("Words per reference answer"), found: describe(references.map(countWords)) },
      {
        name: t("Gold passages per question"),
        found: describe(questions.map((question) => question.gold_passages.length)),
      },
    ];
  }, [questions]);
  return (
    <Panel title={t("Statistics")}>
      <DataTable
        name="statistics"
        label={t("Statistics")}
        columns={COLUMNS}
        rows={rows}
        keyOf={({ name }) => name}
        isShort
      />
    </Panel>
  );
}
