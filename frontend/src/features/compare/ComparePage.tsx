import { Group, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Problem } from "@/api/problem";
import { comparisonQueries, runQueries } from "@/api/runs";
import type { RunComparison } from "@/api/types";
import { EmptyState } from "@/components/EmptyState";
import { ButtonLink } from "@/components/links";
import { Note } from "@/components/Note";
import { PageHead } from "@/components/PageHead";
import { ProblemNotice } from "@/components/ProblemNotice";
import { QueryState } from "@/components/QueryState";
import { SaveLinks } from "@/components/SaveLinks";
import { type Column, DataTable, plainColumn } from "@/components/table";
import { Waiting } from "@/components/Waiting";
import { FigureView } from "@/figures/FigureView";
import { t } from "@/words";
import { FACTORS } from "@/words/factors";
import { nameOfField } from "@/words/fields";
import { ChangedPanel } from "./ChangedPanel";
import { fileOf } from "./files";
import { MetricsPanel } from "./MetricsPanel";
import { OriginsPanel } from "./OriginsPanel";
import { RunPicker } from "./RunPicker";
import { RunsPanel } from "./RunsPanel";
import { type Chosen, useChosen } from "./useChosen";

const CONFLICT = 409;

/** Compares runs; the runs and the baseline are in the address. */
export function ComparePage(): ReactNode {
  const chosen = useChosen();
  const query = useQuery(comparisonQueries.detail(chosen.runs, chosen.baseline));
  const comparison = chosen.runs.length > 1 ? query.data : undefined;
  return (
    <>
      <PageHead
        title={t("Run comparison")}
        lead={t("Compare the settings and scores of runs, paired by question.")}
      />
      <Stack gap="lg">
        {chosen.runs.length === 0 && <Empty chosen={chosen} />}
        {chosen.runs.length > 0 && <RunsPanel chosen={chosen} comparison={comparison} />}
        {chosen.runs.length === 1 && <Alone id={chosen.runs[0] ?? ""} />}
        {chosen.runs.length > 1 && query.isPending && <Waiting height={320} />}
        {query.isError && <NotCompared error={query.error} onRetry={() => query.refetch()} />}
        {comparison && (
          <>
            <Factors comparison={comparison} />
            <MetricsPanel comparison={comparison} isDiffOnly={chosen.isDiffOnly} />
            <FiguresPanel comparison={comparison} />
            <ChangedPanel comparison={comparison} />
          </>
        )}
        {chosen.runs.length > 0 && <OriginsPanel runs={chosen.runs} />}
      </Stack>
    </>
  );
}

/** Asks for a second run, or shows that the only chosen run does not exist. */
function Alone({ id }: { id: string }) {
  const query = useQuery(runQueries.detail(id));
  if (query.isError) return <NotCompared error={query.error} onRetry={() => query.refetch()} />;
  return <Text c="var(--quiet)">{t("Add at least one more run.")}</Text>;
}

/** Runs of an unfinished sweep, or of different scorers, stay so however often they are asked for. */
function NotCompared({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  return error instanceof Problem && error.status === CONFLICT ? (
    <ProblemNotice error={error} title={t("These runs cannot be compared")} />
  ) : (
    <ProblemNotice error={error} onRetry={onRetry} />
  );
}

/** Nothing is chosen; where there is nothing to choose from, a sweep comes first. */
function Empty({ chosen }: { chosen: Chosen }) {
  const runs = useQuery(runQueries.search({ limit: 1 }));
  if (runs.data?.total === 0) {
    return (
      <EmptyState title={t("No runs yet")} text={t("A sweep creates one run per configuration.")}>
        <ButtonLink to="/new">{t("Create sweep")}</ButtonLink>
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title={t("No runs selected")}
      text={t("Select two or more runs in the list of runs, or add them here.")}
    >
      <ButtonLink to="/runs">{t("Choose runs")}</ButtonLink>
      <RunPicker chosen={chosen} />
    </EmptyState>
  );
}

type Factor = RunComparison["factors"][number];

/** Whether the comparison is controlled or confounded, and by what. */
function Factors({ comparison }: { comparison: RunComparison }) {
  const { factors } = comparison;
  const { isControlled, sentence } = verdictOf(factors);
  return (
    <>
      <Note tone={isControlled ? "plain" : "warn"} role="status">
        {sentence}
      </Note>
      {factors.length > 0 && <FactorTable comparison={comparison} />}
    </>
  );
}

function FactorTable({ comparison }: { comparison: RunComparison }) {
  return (
    <DataTable
      name="compared-factors"
      at="factors"
      label={t("Differences in configuration")}
      columns={columnsOf(comparison.runs)}
      rows={comparison.factors}
      keyOf={({ factor }) => factor}
      isShort
      filters={
        <Group gap="md">
          <SaveLinks
            title={t("Differences in configuration")}
            fileOf={(format) => fileOf(comparison, "export", { table: "factors", format })}
          />
        </Group>
      }
    />
  );
}

function columnsOf(runs: RunComparison["runs"]): Column<Factor>[] {
  return [
    plainColumn("factor", t("Differences in configuration"), ({ factor }) => nameOf(factor)),
    ...runs.map(
      ({ id, name }, place): Column<Factor> => plainColumn(id, name, ({ values }) => values[place] ?? ""),
    ),
  ];
}

/** A factor in a researcher's words; what the scores depend on is named as the record names it. */
export function nameOf(factor: string): string {
  return nameOfField(factor, FACTORS);
}

/** What sets the runs apart: one thing, several, or none. */
export function verdictOf(factors: RunComparison["factors"]): { isControlled: boolean; sentence: string } {
  const names = factors.map(({ factor }) => nameOf(factor));
  const [first, ...others] = names;
  if (first === undefined)
    return {
      isControlled: true,
      sentence: t("No differences: these runs have the same configuration and differ only by chance."),
    };
  if (others.length === 0)
    return { isControlled: true, sentence: t("Controlled: only {what} differs.", { what: first }) };
  const last = names.at(-1) ?? "";
  const listed = `${names.slice(0, -1).join(", ")}${t(" and ")}${last}`;
  return {
    isControlled: false,
    sentence: t("Confounded: {what} differ, so the difference cannot be attributed to one of them.", {
      what: listed,
    }),
  };
}

/** What the differences look like: each figure is seen or read as a table, and saved. */
function FiguresPanel({ comparison: { runs, baseline } }: { comparison: RunComparison }) {
  const query = useQuery(comparisonQueries.figures({ run: runs.map(({ id }) => id), baseline }));
  if (!query.data) return <QueryState query={query} height={320} />;
  return query.data.items.map((figure) => <FigureView key={figure.id} figure={figure} />);
}
