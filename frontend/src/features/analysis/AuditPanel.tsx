import { List, Text } from "@mantine/core";
import type { ImportDetail } from "@/api/types";
import { formatCount, formatScore } from "@/components/numbers/format";
import { Panel } from "@/components/Panel";
import { GoalLink } from "@/components/results/GoalLink";
import { ofSheet } from "@/components/results/goals";
import { Said, type Wordings } from "@/components/Said";
import { cell, Sheet } from "@/components/Sheet";
import { words } from "@/words";
import classes from "./analysis.module.css";

const label = words.analysis;
const NAMED = 3;

type Audit = ImportDetail["audit"];
type Finding = Audit["findings"][number];

const MARKS: Record<Finding["severity"], string> = { defect: "!", attention: "?", note: "·" };

/** What is wrong, odd or worth knowing in the sheets: before any number. */
export function AuditPanel({ found: { id, audit, wordings } }: { found: ImportDetail }) {
  return (
    <Panel title={label.audit}>
      <Text>
        {label.auditLead(
          formatCount(audit.sheets.length),
          formatCount(audit.rows),
          formatCount(audit.questions),
        )}{" "}
        {!audit.findings.some(({ severity }) => severity === "defect") && label.auditClean}
      </Text>
      {audit.findings.length > 0 && <Findings findings={audit.findings} wordings={wordings} />}
      {audit.not_checked.length > 0 && (
        <>
          <Text size="sm" fw={550}>
            {label.notChecked}
          </Text>
          <List size="sm">
            {audit.not_checked.map((sentence) => (
              <List.Item key={sentence}>
                <Said text={sentence} wordings={wordings} />
              </List.Item>
            ))}
          </List>
        </>
      )}
      <details className={classes.more}>
        <summary>{label.sheetList}</summary>
        <Sheets id={id} audit={audit} />
      </details>
    </Panel>
  );
}

function Findings({ findings, wordings }: { findings: Finding[]; wordings: Wordings }) {
  return (
    <Sheet label={label.audit} bounded>
      <thead>
        <tr>
          <th scope="col">{label.about}</th>
          <th scope="col">{label.finding}</th>
          <th scope="col" className={cell.number}>
            {label.count}
          </th>
          <th scope="col">{label.action}</th>
        </tr>
      </thead>
      <tbody>
        {findings.map((finding) => (
          <tr key={`${finding.kind} ${finding.message}`}>
            <td className={classes[finding.severity]}>
              <span aria-hidden="true">{MARKS[finding.severity]}</span> {label.severity[finding.severity]}
            </td>
            <th scope="row" className={cell.text}>
              <Said text={finding.message} wordings={wordings} />
              <Where finding={finding} />
            </th>
            <td className={cell.number}>{formatCount(finding.count)}</td>
            <td className={cell.text}>
              <Said text={finding.action} wordings={wordings} />
            </td>
          </tr>
        ))}
      </tbody>
    </Sheet>
  );
}

function Where({ finding: { sheets, listed } }: { finding: Finding }) {
  return (
    <Text size="xs" c="var(--quiet)" component="div">
      {sheets.length > 0 && (
        <div title={sheets.join(", ")}>
          {sheets.length > NAMED
            ? label.whereAll(formatCount(sheets.length))
            : label.where(sheets.join(", "))}
        </div>
      )}
      {listed.length > 0 && (
        <details className={classes.more}>
          <summary>{label.listed}</summary>
          <List size="xs">
            {listed.map((item) => (
              <List.Item key={item}>{item}</List.Item>
            ))}
          </List>
        </details>
      )}
    </Text>
  );
}

function Sheets({ id, audit }: { id: string; audit: Audit }) {
  return (
    <Sheet label={label.sheetList} bounded>
      <thead>
        <tr>
          <th scope="col">{label.sheet}</th>
          <th scope="col">{label.model}</th>
          <th scope="col" className={cell.number}>
            {label.threshold}
          </th>
          <th scope="col" className={cell.number}>
            {label.rows}
          </th>
          <th scope="col" className={cell.number}>
            {label.questions}
          </th>
          <th scope="col">{label.labels}</th>
        </tr>
      </thead>
      <tbody>
        {audit.sheets.map((sheet) => (
          <tr key={sheet.path}>
            <th scope="row" className={cell.text}>
              <GoalLink goal={ofSheet(id, sheet.path)}>{sheet.path}</GoalLink>
            </th>
            <td>{sheet.model}</td>
            <td className={cell.number}>
              {sheet.threshold == null ? label.baseline : formatScore(sheet.threshold, 2)}
            </td>
            <td className={cell.number}>{formatCount(sheet.rows)}</td>
            <td className={cell.number}>
              <GoalLink goal={sheet.questions < sheet.rows ? ofSheet(id, sheet.path, "repeated") : undefined}>
                {formatCount(sheet.questions)}
              </GoalLink>
            </td>
            <td>{String(sheet.labels)}</td>
          </tr>
        ))}
      </tbody>
    </Sheet>
  );
}
