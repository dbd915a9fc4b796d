import { Text } from "@mantine/core";
import { useMemo } from "react";
import type { Question } from "@/api/types";
import { formatCount } from "@/components/numbers/format";
import { Panel } from "@/components/Panel";
import type { Column } from "@/components/table/columns";
import { DataTable } from "@/components/table/DataTable";
import { useTable } from "@/components/table/useTable";
import { words } from "@/words";
import classes from "./Questions.module.css";

const PAGE = 100;
const label = words.datasets;

type Numbered = { number: number; question: Question };

const COLUMNS: Column<Numbered>[] = [
  {
    id: "question",
    label: label.question,
    cell: ({ question }) => question.text,
    text: ({ question }) => question.text,
    by: ({ question }) => question.text,
  },
  {
    id: "number",
    label: label.number,
    isNumber: true,
    cell: ({ number }) => formatCount(number),
    text: ({ number }) => String(number),
    by: ({ number }) => number,
  },
  {
    id: "reference",
    label: label.reference,
    isText: true,
    cell: ({ question }) =>
      question.reference || (
        <Text span size="sm" c="var(--quiet)">
          {label.noReference}
        </Text>
      ),
    text: ({ question }) => question.reference,
    by: ({ question }) => question.reference || null,
  },
  {
    id: "gold",
    label: label.gold,
    isNumber: true,
    cell: ({ question }) => <Gold passages={question.gold_passages} />,
    text: ({ question }) => String(question.gold_passages.length),
    by: ({ question }) => question.gold_passages.length,
  },
  {
    id: "id",
    label: label.id,
    cell: ({ question }) => <span className={classes.id}>{question.id}</span>,
    text: ({ question }) => question.id,
    by: ({ question }) => question.id,
  },
];

/** The questions in order, a page at a time; what is sought and the place stand in the address. */
export function Questions({ questions }: { questions: Question[] }) {
  const rows = useMemo(
    () => questions.map((question, place): Numbered => ({ number: place + 1, question })),
    [questions],
  );
  const table = useTable("questions", COLUMNS);
  return (
    <Panel title={label.questions}>
      <DataTable
        label={label.questions}
        columns={COLUMNS}
        rows={rows}
        table={table}
        keyOf={({ question }) => question.id}
        pageSize={PAGE}
      />
    </Panel>
  );
}

function Gold({ passages }: { passages: Question["gold_passages"] }) {
  const count = formatCount(passages.length);
  if (passages.length === 0) return count;
  const documents = [...new Set(passages.map(({ document }) => document))].join(", ");
  return <abbr title={label.goldOf(documents)}>{count}</abbr>;
}
