import { Stack, Text } from "@mantine/core";
import { keepPreviousData } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { api } from "@/api/client";
import { EmptyState } from "@/components/EmptyState";
import { ButtonLink } from "@/components/links";
import { PageHead } from "@/components/PageHead";
import { ProblemNotice } from "@/components/ProblemNotice";
import { Waiting } from "@/components/Waiting";
import { words } from "@/words";
import { ChangedPanel } from "./ChangedPanel";
import { Factors } from "./Factors";
import { FiguresPanel } from "./FiguresPanel";
import { MetricsPanel } from "./MetricsPanel";
import { RunPicker } from "./RunPicker";
import { RunsPanel } from "./RunsPanel";
import { type Chosen, useChosen } from "./useChosen";

const label = words.compare;

/** Runs side by side; which ones, and beside what, stands in the address. */
export function ComparePage(): ReactNode {
  const chosen = useChosen();
  const query = api.useQuery(
    "get",
    "/api/v1/comparisons",
    { params: { query: { run: chosen.runs, ...(chosen.baseline ? { baseline: chosen.baseline } : {}) } } },
    { enabled: chosen.runs.length > 1, placeholderData: keepPreviousData, staleTime: 30_000 },
  );
  const comparison = chosen.runs.length > 1 ? query.data : undefined;
  return (
    <>
      <PageHead title={label.title} lead={label.lead} />
      <Stack gap="lg">
        {chosen.runs.length === 0 && <Empty chosen={chosen} />}
        {chosen.runs.length > 0 && <RunsPanel chosen={chosen} comparison={comparison} />}
        {chosen.runs.length === 1 && <Text c="var(--quiet)">{label.one}</Text>}
        {chosen.runs.length > 1 && query.isPending && <Waiting height={320} />}
        {query.isError && <ProblemNotice error={query.error} onRetry={() => query.refetch()} />}
        {comparison && (
          <>
            <Factors comparison={comparison} />
            <MetricsPanel comparison={comparison} />
            <FiguresPanel comparison={comparison} />
            <ChangedPanel comparison={comparison} />
          </>
        )}
      </Stack>
    </>
  );
}

/** Nothing is chosen; where there is nothing to choose from, a sweep comes first. */
function Empty({ chosen }: { chosen: Chosen }) {
  const runs = api.useQuery("get", "/api/v1/runs", { params: { query: { limit: 1 } } });
  if (runs.data?.total === 0) {
    return (
      <EmptyState title={label.emptyTitle} text={label.emptyBare}>
        <ButtonLink to="/new">{words.runs.emptyAct}</ButtonLink>
      </EmptyState>
    );
  }
  return (
    <EmptyState title={label.emptyTitle} text={label.empty}>
      <ButtonLink to="/runs">{label.toRuns}</ButtonLink>
      <RunPicker chosen={chosen} />
    </EmptyState>
  );
}
