import { Group, List, NativeSelect, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { judgingQueries } from "@/api/judging";
import { isMoving } from "@/api/states";
import { sweepQueries } from "@/api/sweeps";
import type { Assessment, ListedAssessment, SweepDetail } from "@/api/types";
import { ForRole } from "@/components/ForRole";
import { bindText } from "@/components/fields";
import { Calibration } from "@/components/judging/Calibration";
import { JudgingProgress } from "@/components/judging/JudgingProgress";
import { judgedColumns } from "@/components/judging/judgedColumns";
import { KeyFacts, NUGGETS } from "@/components/judging/KeyFacts";
import { OF_PASSAGES, RelevanceGrades } from "@/components/judging/RelevanceGrades";
import { FAILURE, WhyLow } from "@/components/judging/WhyLow";
import { ButtonLink } from "@/components/links";
import { formatCount, formatScore } from "@/components/numbers/format";
import { Panel } from "@/components/Panel";
import { QueryState } from "@/components/QueryState";
import { Quiet } from "@/components/Quiet";
import { StateBadge } from "@/components/StateBadge";
import { DataTable } from "@/components/table";
import { Warnings } from "@/components/Warnings";
import { t } from "@/words";
import { Labels } from "./Labels";
import type { Begun } from "./NewAssessment";
import { OtherJudge } from "./OtherJudge";
import { Tuning } from "./Tuning";
import { TwoColumns } from "./TwoColumns";
import { VerdictCard } from "./VerdictCard";

interface Props {
  id: string;
  sweep: SweepDetail;
  /** The other assessments of the sweep. */
  others: ListedAssessment[];
  /** Begin an assessment with a tuned task, or with key facts that people chose. */
  onUse: (begun: Begun) => void;
}

/** Progress and results of one assessment. */
export function AssessmentPanel({ id, sweep, others, onUse }: Props) {
  const query = useQuery(judgingQueries.detail(id));
  if (!query.data) return <QueryState query={query} height={240} />;
  const { job, table } = query.data;
  const { assessment } = table;
  const title = t("Judged by {judge}", { judge: assessment.spec.judge.model.name });
  const names = new Map(sweep.runs.map((run) => [run.id, run.name]));
  return (
    <Panel title={title} beside={job && <StateBadge state={job.state} />}>
      {job && <JudgingProgress job={job} cancel={t("Cancel assessment")} />}
      {/* Means of the first answers, and what they lack, are said of no judge that still works. */}
      {!isMoving(job?.state) && (
        <>
          <Warnings warnings={[...table.warnings, ...warningsOf(table.columns)]} />
          <DataTable
            name="judged"
            at="judged"
            label={title}
            columns={judgedColumns(table, names)}
            rows={table.cells}
            keyOf={({ run_id, column }) => `${run_id} ${column}`}
            open={({ run_id }) => ({ to: "/runs/$id", params: { id: run_id } })}
          />
        </>
      )}
      {assessment.spec.criteria && <Criteria criteria={assessment.spec.criteria} />}
      {assessment.spec.tuned && <Tuned evidence={assessment.spec.tuned.evidence} />}
      <Spent assessment={assessment} />
      {assessment.spec.columns.includes(FAILURE) && <WhyLow id={id} />}
      {job?.state === "finished" && (
        <>
          {assessment.spec.runs.length > 1 && <JudgedVerdict sweep={sweep} assessment={assessment} />}
          <Labels assessment={assessment} names={names} asked={sweep.questions} />
          <ForRole>
            {" "}
            {assessment.spec.columns
              .filter((name) => OF_PASSAGES.includes(name))
              .map((column) => (
                <RelevanceGrades key={column} id={id} column={column}>
                  {t(
                    "Compare retrievers by these grades instead of the gold passages. Ratings by people give grades only if the prompt has one passage, or if its passages are all relevant or all irrelevant.",
                  )}
                </RelevanceGrades>
              ))}
          </ForRole>
          <Calibration id={id} names={names} />
          {assessment.spec.columns.some((name) => name.startsWith(NUGGETS)) && (
            <KeyFacts id={id} onUse={(facts) => onUse({ facts })} />
          )}
          <Tuning id={id} onUse={(tuned) => onUse({ tuned })} />
          <TwoColumns id={id} judged={assessment.spec.columns} />
          {others.length > 0 && <OtherJudge id={id} others={others} names={names} />}
        </>
      )}
    </Panel>
  );
}

/** The criteria that the judge checked, with their weights. */
function Criteria({ criteria }: { criteria: NonNullable<Assessment["spec"]["criteria"]> }) {
  return (
    <div>
      <Text fw={600}>{t("Criteria")}</Text>
      <List type="ordered" size="sm">
        {criteria.map(({ text, weight }) => (
          <List.Item key={text}>
            {text}{" "}
            {weight !== 1 && (
              <Text span c="var(--quiet)">
                {t("weight {weight, number}", { weight })}
              </Text>
            )}
          </List.Item>
        ))}
      </List>
    </div>
  );
}

/** How the task file was chosen that judged these answers. */
function Tuned({ evidence }: { evidence: NonNullable<Assessment["spec"]["tuned"]>["evidence"] }) {
  const { test, rho_before, rho_after } = evidence;
  const shown = (rho: number | null) => (rho === null ? t("not defined") : formatScore(rho, 2));
  return (
    <Text size="sm">
      {t(
        "Judged by a tuned task. On {test, plural, one {# other rated answer} other {# other rated answers}}, Spearman’s ρ before tuning: {before}; after it: {after}.",
        { test, before: shown(rho_before), after: shown(rho_after) },
      )}
    </Text>
  );
}

/** What to know of single columns; what holds of several is said once, with their names. */
export function warningsOf(
  columns: { column: string; changed: number | null; warnings: string[] }[],
): string[] {
  const texts = new Set(columns.flatMap(({ warnings }) => warnings));
  const havers = (text: string) => columns.filter(({ warnings }) => warnings.includes(text));
  return [
    ...[...texts].map(
      (text) =>
        `${havers(text)
          .map(({ column }) => column)
          .join(", ")}: ${text}`,
    ),
    ...columns.flatMap(({ column, changed }) =>
      changed
        ? [
            t("{column}: {share} of the answers get another value when they are judged again.", {
              column,
              share: `${formatCount(Math.round(100 * changed))} %`,
            }),
          ]
        : [],
    ),
  ];
}

function Spent({ assessment: { spent, spec } }: { assessment: Assessment }) {
  const { asks = 0, input_tokens = 0, output_tokens = 0 } = spent ?? {};
  const { price } = spec.judge;
  const cost = price ? (input_tokens * price.input + output_tokens * price.output) / 1e6 : null;
  return (
    <Quiet>
      {t(
        "{asks, plural, one {# request} other {# requests}}, {tokens, plural, one {# token} other {# tokens}}",
        { asks, tokens: input_tokens + output_tokens },
      )}
      {cost !== null && `, ${t("cost {cost}", { cost: formatScore(cost, 2) })}`}
    </Quiet>
  );
}

/** Columns of criteria are named after what they contain, so that no list of metrics has them. */
const isCriteria = (name: string) => name.startsWith("Criteria ");

/** What the sweep concludes where a column of this judge is the primary metric. */
function JudgedVerdict({ sweep, assessment }: { sweep: SweepDetail; assessment: Assessment }) {
  const { judge } = assessment.spec;
  const deciding = useQuery(judgingQueries.deciding());
  const names = new Set(deciding.data?.items.map(({ name }) => name));
  const columns = assessment.spec.columns.filter((name) => names.has(name) || isCriteria(name));
  const [chosenColumn, choose] = useState<string | null>(null);
  const primary = chosenColumn ?? columns[0] ?? "";
  const chosen = { assessment: assessment.id, primary };
  const query = useQuery({ ...sweepQueries.analysis(sweep.id, chosen), enabled: primary !== "" });
  // Columns that explain answers, such as failure labels, decide nothing.
  if (deciding.data && columns.length === 0) return null;
  return (
    <Stack gap="sm">
      <Group align="flex-end" gap="sm">
        <NativeSelect label={t("Metric of the verdict")} data={columns} {...bindText(primary, choose)} />
        <ButtonLink
          variant="default"
          to="/analysis/sweeps/$id"
          params={{ id: sweep.id }}
          search={{ ...chosen, table: "configurations" }}
        >
          {t("Show tables and report")}
        </ButtonLink>
      </Group>
      <QueryState query={query} height={160} />
      {query.data && (
        <VerdictCard
          sweep={sweep}
          analysis={query.data}
          title={t("Verdict by {judge}", { judge: judge.model.name })}
        />
      )}
    </Stack>
  );
}
