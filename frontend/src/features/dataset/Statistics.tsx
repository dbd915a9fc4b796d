import { useMemo } from "react";
import type { Question } from "@/api/types";
import { formatCount, formatScore } from "@/components/numbers/format";
import { Panel } from "@/components/Panel";
import { type Column, countColumn, DataTable, plainColumn } from "@/components/table";
import { t } from "@/words";

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

/** How a few whole numbers lie. */
interface Description {
  n: number;
  minimum: number;
  median: number;
  mean: number;
  maximum: number;
}

/** Median, mean and ends of some numbers, or null where there are none. */
export function describe(values: number[]): Description | null {
  const sorted = [...values].sort((a, b) => a - b);
  const [minimum] = sorted;
  const maximum = sorted.at(-1);
  if (minimum === undefined || maximum === undefined) return null;
  const half = sorted.length / 2;
  const middle = sorted.slice(Math.ceil(half) - 1, Math.floor(half) + 1);
  return { n: sorted.length, minimum, median: meanOf(middle), mean: meanOf(sorted), maximum };
}

function meanOf(values: number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Words of a text, split at white space. */
export function countWords(text: string): number {
  return text.split(/\s+/).filter(Boolean).length;
}
