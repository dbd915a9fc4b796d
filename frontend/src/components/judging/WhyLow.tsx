import { NativeSelect, NumberInput, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { judgingQueries } from "@/api/judging";
import type { WhyReport } from "@/api/types";
import { Bar } from "@/components/Bar";
import { bindText } from "@/components/fields";
import { formatCount, formatScore, formatShare } from "@/components/numbers/format";
import { QueryState } from "@/components/QueryState";
import { Quiet } from "@/components/Quiet";
import { Subsection } from "@/components/Subsection";
import {
  type Column,
  countColumn,
  DataTable,
  plainColumn,
  shareColumn,
  textColumn,
} from "@/components/table";
import { useSettled } from "@/components/useSettled";
import { Warnings } from "@/components/Warnings";
import { t } from "@/words";
import { LOCATED, LABELS as STAGES } from "@/words/located";

type Run = WhyReport["runs"][number];
type Label = keyof typeof WHY;

/** A column of a table: a configuration, or a group or quarter of the questions of one. */
interface Part {
  id: string;
  name: string;
  /** Common heading of several columns. */
  group?: string;
  counts: Run["counts"];
}

interface Line {
  label: Label;
}

/** Failure labels by the server's closed list, in its order, with what they are about. */
const WHY = {
  missing_content: { kind: "RAG", name: t("Missing content (computed)") },
  missed_top_ranked: { kind: "RAG", name: t("Missed the gold passages (computed)") },
  not_extracted: { kind: "RAG", name: t("Not extracted") },
  wrong_format: { kind: "RAG", name: t("Wrong format") },
  under_specificity: { kind: "RAG", name: t("Under-specific") },
  over_specificity: { kind: "RAG", name: t("Over-specific") },
  incomplete: { kind: "RAG", name: t("Incomplete") },
  factual_contradiction: { kind: "LLM", name: t("Factual contradiction") },
  factual_fabrication: { kind: "LLM", name: t("Factual fabrication") },
  instruction_inconsistency: { kind: "LLM", name: t("Instruction inconsistency") },
  context_inconsistency: { kind: "LLM", name: t("Context inconsistency") },
  logical_inconsistency: { kind: "LLM", name: t("Logical inconsistency") },
  other: { kind: "", name: t("Low, no reason found") },
  unjudged: { kind: "", name: t("Not judged") },
  no_failure: { kind: "", name: t("Not low") },
};
const LABELS = Object.keys(WHY) as Label[];

/** A column that only assessments with failure labels have. */
export const FAILURE = "Failure: not extracted";

/**
 * Why answers of low correctness were low, by the judge of an assessment with failure labels; of one run by group.
 * Quarters of correctness, and stages by code against reasons by the judge, are those of one configuration.
 */
export function WhyLow({ id, run }: { id: string; run?: string }) {
  const [below, setBelow] = useState(1);
  const settled = useSettled(below);
  const query = useQuery(judgingQueries.failures(id, settled));
  const title = t("Reasons for low scores");
  return (
    <Subsection title={title}>
      <NumberInput
        label={t("Low means Answer correctness below")}
        w="fit-content"
        min={0}
        max={1}
        step={0.1}
        value={below}
        onChange={(value) => typeof value === "number" && setBelow(value)}
      />
      <QueryState query={query} />
      {query.data && (
        <>
          <Counts report={query.data} parts={partsOf(query.data, run)} />
          <OfOneRun runs={query.data.runs} run={run} />
        </>
      )}
    </Subsection>
  );
}

/** The configurations of a report; those of one run are all its questions and its groups. */
function partsOf({ runs }: WhyReport, run: string | undefined): Part[] {
  if (run === undefined) return runs.map(({ run_id, name, counts }) => ({ id: run_id, name, counts }));
  return runs
    .filter(({ run_id }) => run_id === run)
    .flatMap(({ counts, by_group }) => [
      { id: "all", name: t("All questions"), counts },
      ...Object.entries(by_group ?? {}).map(([name, own]) => ({ id: `group ${name}`, name, counts: own })),
    ]);
}

function Counts({ report, parts }: { report: WhyReport; parts: readonly Part[] }) {
  return (
    <>
      <Warnings warnings={report.warnings ?? []} />
      <PartsTable name="why-low" label={t("Reasons for low scores")} parts={parts} />
      <Quiet>
        {t(
          "Shares of all questions of a configuration or group. A question can have several labels, so the shares do not sum to 100 %.",
        )}
      </Quiet>
    </>
  );
}

function PartsTable({ parts, ...named }: { name: string; label: string; parts: readonly Part[] }) {
  const used = LABELS.filter((label) => parts.some(({ counts }) => counts[label]));
  return (
    <DataTable
      {...named}
      columns={columnsOf(parts)}
      rows={used.map((label) => ({ label }))}
      keyOf={({ label }) => label}
      isShort
    />
  );
}

/** Reasons by quarter of correctness, and by the stage that code found, of the given or a chosen configuration. */
function OfOneRun({ runs, run }: { runs: readonly Run[]; run: string | undefined }) {
  const [chosen, choose] = useState(runs[0]?.run_id);
  const found = runs.find(({ run_id }) => run_id === (run ?? chosen));
  if (!found || found.n === 0) return null;
  const quarters = found.quarters.map(
    ({ low, high, n, counts }): Part => ({
      id: `quarter ${low}`,
      name: t("{low} to below {high}, {n, plural, one {# question} other {# questions}}", {
        low: formatScore(low, 2),
        high: formatScore(high, 2),
        n,
      }),
      // The name of a metric is the same in both languages.
      group: "Answer correctness",
      counts,
    }),
  );
  return (
    <>
      {run === undefined && runs.length > 1 && (
        <NativeSelect
          size="xs"
          w="fit-content"
          label={t("Configuration of the quarters and stages")}
          {...bindText(found.run_id, choose)}
          data={runs.map(({ run_id, name }) => ({ value: run_id, label: name }))}
        />
      )}
      {quarters.length > 0 && (
        <>
          <h4>{t("Reasons by Answer correctness")}</h4>
          <PartsTable name="why-low-quarters" label={t("Reasons by Answer correctness")} parts={quarters} />
          <Quiet>
            {t("Shares of the questions of a quarter. Questions with Answer correctness 1 are in none.")}
          </Quiet>
        </>
      )}
      <h4>{t("Reasons by stage")}</h4>
      <Stages crossed={found.crossed ?? {}} />
    </>
  );
}

/** How many questions have which stage, by code, and which reason, by the judge. */
function Stages({ crossed }: { crossed: NonNullable<Run["crossed"]> }) {
  const stages = STAGES.filter((stage) => crossed[stage]);
  const used = LABELS.filter((label) => stages.some((stage) => crossed[stage]?.[label]));
  const columns: Column<{ stage: keyof typeof LOCATED }>[] = [
    textColumn("stage", t("Stage (computed)"), ({ stage }) => LOCATED[stage]),
    ...used.map(
      (label): Column<{ stage: keyof typeof LOCATED }> =>
        countColumn(label, WHY[label].name, ({ stage }) => crossed[stage]?.[label] ?? 0, {
          group: t("Reason (by judge)"),
        }),
    ),
  ];
  return (
    <DataTable
      name="why-low-stages"
      label={t("Reasons by stage")}
      columns={columns}
      rows={stages.map((stage) => ({ stage }))}
      keyOf={({ stage }) => stage}
      isShort
    />
  );
}

function columnsOf(parts: readonly Part[]): Column<Line>[] {
  return [
    textColumn("label", t("Label"), ({ label }) => WHY[label].name),
    plainColumn("kind", t("Kind"), ({ label }) => WHY[label].kind),
    ...parts.map(
      ({ id, name, group, counts }): Column<Line> =>
        shareColumn(id, name, ({ label }) => counts[label]?.share ?? 0, {
          ...(group ? { group } : {}),
          cell: ({ label }) => {
            const { n, share } = counts[label] ?? { n: 0, share: 0 };
            return (
              <Stack component="span" gap={2}>
                <Bar
                  parts={[
                    {
                      name: label,
                      count: share,
                      color: label === "no_failure" ? "var(--gain)" : "var(--loss)",
                    },
                  ]}
                  of={1}
                />
                {`${formatCount(n)} (${formatShare(share)})`}
              </Stack>
            );
          },
        }),
    ),
  ];
}
