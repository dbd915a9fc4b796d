import { useMemo } from "react";
import type { Question } from "@/api/types";
import { Hint } from "@/components/Hint";
import { formatCount } from "@/components/numbers/format";
import { Panel } from "@/components/Panel";
import { type Column, countColumn, DataTable, plainColumn, textColumn } from "@/components/table";
import { t } from "@/words";
import classes from "./Questions.module.css";

type Numbered = { number: number; question: Question };

const COLUMNS: Column<Numbered>[] = [
  textColumn("question", t("Question"), ({ question }) => question.text),
  countColumn("number", t("No."), ({ number }) => number),
  textColumn("reference", t("Reference answer"), ({ question }) => question.reference || null, {
    reason: t("none"),
  }),
  textColumn(
    "other_references",
    t("Other right answers"),
    ({ question }) => question.other_references?.join(" | ") ?? null,
  ),
  plainColumn("gold", t("Gold passages"), ({ question }) => question.gold_passages.length, {
    kind: "number",
    cell: ({ question }) => <Gold passages={question.gold_passages} />,
  }),
  textColumn("group", t("Group"), ({ question }) => question.group || null),
  textColumn("category", t("Category"), ({ question }) => question.category || null),
  plainColumn("weight", t("Weight"), ({ question }) => question.weight ?? 1, { kind: "number" }),
  plainColumn("id", t("ID"), ({ question }) => question.id, {
    cell: ({ question }) => <span className={classes.id}>{question.id}</span>,
  }),
];

const RARE = ["other_references", "group", "category", "weight"] as const;

function isRare(id: string): id is (typeof RARE)[number] {
  return (RARE as readonly string[]).includes(id);
}

/** The questions in order; what is sought and the order stand in the address. */
export function Questions({ questions }: { questions: Question[] }) {
  const rows = useMemo(
    () => questions.map((question, place): Numbered => ({ number: place + 1, question })),
    [questions],
  );
  // Most datasets have no groups, categories, weights or further right answers: no empty columns for them.
  const shown = COLUMNS.filter(({ id }) => !isRare(id) || questions.some((question) => question[id]));
  return (
    <Panel title={t("Questions")}>
      <DataTable
        name="questions"
        at=""
        label={t("Questions")}
        columns={shown}
        rows={rows}
        keyOf={({ question }) => question.id}
      />
    </Panel>
  );
}

function Gold({ passages }: { passages: Question["gold_passages"] }) {
  const count = formatCount(passages.length);
  if (passages.length === 0) return count;
  const documents = [...new Set(passages.map(({ document }) => document || t("unknown documents")))].join(
    ", ",
  );
  return <Hint text={t("From {documents}", { documents })}>{count}</Hint>;
}
