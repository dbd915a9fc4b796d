import { Group, Stack, Text } from "@mantine/core";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { type ReactNode, useMemo } from "react";
import { api } from "@/api/client";
import { EmptyState } from "@/components/EmptyState";
import { AnchorLink, ButtonLink } from "@/components/links";
import { PageHead } from "@/components/PageHead";
import { ProblemNotice } from "@/components/ProblemNotice";
import { ResultTables } from "@/components/results/ResultTables";
import { Waiting } from "@/components/Waiting";
import { FigureView } from "@/figures/FigureView";
import { words } from "@/words";
import { ChoicePanel } from "./ChoicePanel";
import { Findings } from "./Findings";
import { figuresOf } from "./figuresOf";
import { Rankings } from "./Rankings";
import { useBehind } from "./useBehind";
import { type Choice, isReady, useChoice } from "./useChoice";
import { useStudies } from "./useStudies";

const route = getRouteApi("/analysis/domains");
const label = words.crossing;
const STALE_MS = 600_000;

/** Two studies side by side; which ones, and on which constants, stands in the address. */
export function CrossingPage(): ReactNode {
  const studies = useStudies();
  const choice = useChoice(studies.all);
  return (
    <>
      <PageHead
        title={label.title}
        trail={
          <AnchorLink to="/analysis" size="sm">
            {words.analysis.title}
          </AnchorLink>
        }
        lead={label.lead}
      />
      <Stack gap="lg">
        {studies.isPending && <Waiting height={160} />}
        {studies.error != null && <ProblemNotice error={studies.error} onRetry={studies.retry} />}
        {studies.isReady && !studies.hasPair && !choice.first && (
          <EmptyState title={label.emptyTitle} text={label.empty}>
            <Group gap="xs">
              <ButtonLink to="/new">{label.newSweep}</ButtonLink>
              <ButtonLink to="/analysis" variant="default">
                {label.importSheets}
              </ButtonLink>
            </Group>
          </EmptyState>
        )}
        {studies.isReady && (studies.hasPair || choice.first) && (
          <ChoicePanel studies={studies.all} choice={choice} />
        )}
        {studies.isReady && studies.hasPair && !isReady(choice) && <Text>{label.chooseBoth}</Text>}
        {isReady(choice) && <Crossed choice={choice} />}
      </Stack>
    </>
  );
}

function Crossed({ choice }: { choice: Choice & { first: string; second: string } }) {
  const { table } = route.useSearch();
  const navigate = useNavigate({ from: "/analysis/domains" });
  const { first, second, constants, asked } = choice;
  const params = {
    params: { query: { first, second, constants, ...(asked.length > 0 ? { label: asked } : {}) } },
  };
  const settled = { staleTime: STALE_MS };
  const query = api.useQuery("get", "/api/v1/cross-domain", params, settled);
  const tables = api.useQuery("get", "/api/v1/cross-domain/tables", params, {
    ...settled,
    enabled: query.isSuccess,
  });
  const behind = useBehind(choice, query.isSuccess);
  const figures = useMemo(() => (query.data ? figuresOf(query.data) : []), [query.data]);
  const fileOf = (name: string, format: string) => {
    const search = new URLSearchParams({ first, second, constants, table: name, format });
    for (const each of asked) search.append("label", each);
    return `/api/v1/cross-domain/export?${search}`;
  };
  if (query.isError) return <ProblemNotice error={query.error} onRetry={() => query.refetch()} />;
  if (!query.data) {
    return (
      <>
        <Text role="status">{label.computing}</Text>
        <Waiting height={320} />
      </>
    );
  }
  return (
    <>
      <Findings crossed={query.data} />
      <Rankings crossed={query.data} behind={behind} />
      {figures.map((figure) => (
        <FigureView key={figure.id} figure={figure} />
      ))}
      {tables.isError && <ProblemNotice error={tables.error} onRetry={() => tables.refetch()} />}
      {tables.data && (
        <ResultTables
          tables={tables.data.items}
          basis={`${label.constants}: ${label.constantsOf[constants]}.`}
          fileOf={fileOf}
          shown={table}
          onShow={(name) =>
            navigate({ search: (search) => ({ ...search, table: name }), replace: true, resetScroll: false })
          }
        />
      )}
    </>
  );
}
