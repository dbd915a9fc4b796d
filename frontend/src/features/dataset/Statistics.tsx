import { useMemo } from "react";
import type { Question } from "@/api/types";
import { formatCount, formatScore } from "@/components/numbers/format";
import { Num } from "@/components/numbers/Num";
import { Panel } from "@/components/Panel";
import type { Column } from "@/components/table/columns";
import { DataTable } from "@/components/table/DataTable";
import { useTable } from "@/components/table/useTable";
import { words } from "@/words";
import { countWords, type Description, describe } from "./describe";

const label = words.datasets;
const oneDecimal = (value: number) => formatScore(value, 1);

interface Measure {
  name: string;
  found: Description | null;
}

function figure(id: keyof Description, heading: string, format: (value: number) => string): Column<Measure> {
  return {
    id,
    label: heading,
    isNumber: true,
    cell: ({ found }) => <Num value={found?.[id]} reason={label.noReferences} format={format} />,
    text: ({ found }) => String(found?.[id] ?? ""),
  };
}

const COLUMNS: Column<Measure>[] = [
  { id: "measure", label: label.measure, cell: ({ name }) => name, text: ({ name }) => name },
  figure("minimum", label.shortest, formatCount),
  figure("median", label.median, oneDecimal),
  figure("mean", label.mean, oneDecimal),
  figure("maximum", label.longest, formatCount),
  {
    id: "n",
    label: label.counted,
    isNumber: true,
    cell: ({ found }) => formatCount(found?.n ?? 0),
    text: ({ found }) => String(found?.n ?? 0),
  },
];

/** How long questions and references are, and how many gold passages there are. */
export function Statistics({ questions }: { questions: Question[] }) {
  const table = useTable("statistics", COLUMNS, { key: "statistics" });
  const rows = useMemo((): Measure[] => {
    const references = questions.map(({ reference }) => reference).filter(Boolean);
    return [
      { name: label.questionWords, found: describe(questions.map(({ text }) => countWords(text))) },
      { name: label.referenceWords, found: describe(references.map(countWords)) },
      {
        name: label.goldPassages,
        found: describe(questions.map((question) => question.gold_passages.length)),
      },
    ];
  }, [questions]);
  return (
    <Panel title={label.statistics}>
      <DataTable
        label={label.statistics}
        columns={COLUMNS}
        rows={rows}
        table={table}
        keyOf={({ name }) => name}
        isShort
      />
    </Panel>
  );
}
