import { Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Problem } from "@/api/problem";
import { comparisonQueries, runQueries } from "@/api/runs";
import { EmptyState } from "@/components/EmptyState";
import { ButtonLink } from "@/components/links";
import { PageHead } from "@/components/PageHead";
import { ProblemNotice } from "@/components/ProblemNotice";
import { Waiting } from "@/components/Waiting";
import { t } from "@/words";
import { ChangedPanel } from "./ChangedPanel";
import { Factors } from "./Factors";
import { FiguresPanel } from "./FiguresPanel";
import { MetricsPanel } from "./MetricsPanel";
import { OriginsPanel } from "./OriginsPanel";
import { RunPicker } from "./RunPicker";
import { RunsPanel } from "./RunsPanel";
import { type Chosen, useChosen } from "./useChosen";

const CONFLICT = 409;

/** Runs side by side; which ones, and beside what, stands in the address. */
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
        {chosen.runs.length === 1 && <Text c="var(--quiet)">{t("Add at least one more run.")}</Text>}
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
