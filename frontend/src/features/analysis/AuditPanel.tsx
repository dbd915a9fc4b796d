import { List, Text } from "@mantine/core";
import type { ImportDetail } from "@/api/types";
import { More } from "@/components/More";
import { formatScore } from "@/components/numbers/format";
import { Panel } from "@/components/Panel";
import { ofSheet } from "@/components/results/goals";
import { Sentences } from "@/components/Sentences";
import { ServerText } from "@/components/ServerText";
import { type Column, countColumn, DataTable, plainColumn, textColumn } from "@/components/table";
import { t } from "@/words";
import classes from "./analysis.module.css";

const SEVERITY = {
  defect: t("changes results"),
  attention: t("may change results"),
  note: t("changes nothing"),
};
const NAMED = 3;

type Audit = ImportDetail["audit"];
type Finding = Audit["findings"][number];

const MARKS: Record<Finding["severity"], string> = { defect: "!", attention: "?", note: "·" };

/** What is wrong, odd or worth knowing in the sheets: before any number. */
export function AuditPanel({ found: { id, audit } }: { found: ImportDetail }) {
  return (
    <Panel title={t("Audit")}>
      <Text>
        {t(
          "{sheets, plural, one {# sheet} other {# sheets}}, {rows, plural, one {# row} other {# rows}}, {questions, plural, one {# distinct question} other {# distinct questions}}.",
          { sheets: audit.sheets.length, rows: audit.rows, questions: audit.questions },
        )}{" "}
        {!audit.findings.some(({ severity }) => severity === "defect") &&
          t("The audit found nothing that changes results.")}
      </Text>
      {audit.findings.length > 0 && <Findings findings={audit.findings} />}
      {audit.not_checked.length > 0 && (
        <>
          <Text size="sm" fw={550}>
            {t("Checks not performed")}
          </Text>
          <Sentences texts={audit.not_checked} />
        </>
      )}
      <More title={t("Sheets")}>
        <Sheets id={id} audit={audit} />
      </More>
    </Panel>
  );
}

function Findings({ findings }: { findings: Finding[] }) {
  const columns: Column<Finding>[] = [
    textColumn("finding", t("Finding"), ({ message }) => message, {
      cell: ({ message }) => <ServerText text={message} />,
      note: (finding) => <Where finding={finding} />,
    }),
    plainColumn("effect", t("Effect"), ({ severity }) => SEVERITY[severity], {
      cell: ({ severity }) => (
        <span className={classes[severity]}>
          <span aria-hidden="true">{MARKS[severity]}</span> {SEVERITY[severity]}
        </span>
      ),
    }),
    countColumn("count", t("Count"), ({ count }) => count),
    textColumn("action", t("Action"), ({ action }) => action, {
      cell: ({ action }) => <ServerText text={action} />,
    }),
  ];
  return (
    <DataTable
      name="sheet-audit"
      label={t("Audit")}
      columns={columns}
      rows={findings}
      keyOf={({ kind, message }) => `${kind} ${message}`}
      isShort
    />
  );
}

function Where({ finding: { sheets, listed } }: { finding: Finding }) {
  return (
    <>
      {sheets.length > 0 && (
        <div title={sheets.join(", ")}>
          {sheets.length > NAMED
            ? t("In {count, plural, one {# sheet} other {# sheets}}", { count: sheets.length })
            : t("In {sheets}", { sheets: sheets.join(", ") })}
        </div>
      )}
      {listed.length > 0 && (
        <More title={t("Examples")}>
          <List size="xs">
            {listed.map((item) => (
              <List.Item key={item}>{item}</List.Item>
            ))}
          </List>
        </More>
      )}
    </>
  );
}

function Sheets({ id, audit }: { id: string; audit: Audit }) {
  const columns: Column<Audit["sheets"][number]>[] = [
    plainColumn("sheet", t("Sheet"), ({ path }) => path, { goal: ({ path }) => ofSheet(id, path) }),
    plainColumn("model", t("Model"), ({ model }) => model),
    {
      id: "threshold",
      label: t("Threshold or strategy"),
      value: ({ threshold, strategy }) => strategy ?? threshold ?? t("baseline"),
      kind: "number",
      cell: ({ threshold }) => (threshold == null ? null : formatScore(threshold, 2)),
    },
    countColumn("rows", t("Rows"), ({ rows }) => rows),
    countColumn("questions", t("Questions"), ({ questions }) => questions, {
      goal: ({ path, questions, rows }) => (questions < rows ? ofSheet(id, path, "repeated") : undefined),
    }),
    plainColumn("labels", t("Labels"), ({ labels }) => String(labels)),
  ];
  return (
    <DataTable
      name="sheets"
      label={t("Sheets")}
      columns={columns}
      rows={audit.sheets}
      keyOf={({ path }) => path}
      isShort
    />
  );
}
