import { Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { type ReactNode, useMemo } from "react";
import { POLL_MS } from "@/api/freshness";
import { inProject } from "@/api/project";
import { isMoving, isOpen } from "@/api/states";
import { sweepQueries } from "@/api/sweeps";
import type { SweepDetail } from "@/api/types";
import { ButtonLink, SmallLink } from "@/components/links";
import { PageState } from "@/components/NoPage";
import { Note } from "@/components/Note";
import { PageHead } from "@/components/PageHead";
import { QueryState } from "@/components/QueryState";
import { sourcesOfSweep } from "@/components/results/sourcesOf";
import { Withheld } from "@/components/results/Withheld";
import { StateBadge } from "@/components/StateBadge";
import { useAddress } from "@/components/useAddress";
import { language, t } from "@/words";
import { basisOf, ConstantsPanel } from "./ConstantsPanel";
import { DecisionsPanel } from "./DecisionsPanel";
import { type Decisions, decide, decided, decidedAddress } from "./decisions";
import { Outcome } from "./Outcome";

const route = getRouteApi("/analysis/sweeps/$id");

/** Figures, tables and report of a sweep. */
export function SweepAnalysisPage(): ReactNode {
  const { id } = route.useParams();
  const { table, ...decisions } = route.useSearch();
  const put = useAddress();
  const query = useQuery({
    ...sweepQueries.detail(id),
    // Until the sweep has ended there is nothing to analyse.
    refetchInterval: ({ state }) => (isMoving(state.data?.state) ? POLL_MS : false),
  });
  const isWithheld = isOpen(query.data?.state);
  const chosen = decided(decisions);
  const analysis = useQuery({
    ...sweepQueries.analysis(id, chosen),
    enabled: query.isSuccess && !isWithheld,
  });
  const later = { enabled: analysis.isSuccess && !analysis.isPlaceholderData };
  const figures = useQuery({ ...sweepQueries.figures(id, chosen), ...later });
  const tables = useQuery({ ...sweepQueries.tables(id, chosen), ...later });
  const sweeps = useQuery(sweepQueries.all());
  const configurations = analysis.data?.configurations;
  const sources = useMemo(() => sourcesOfSweep(configurations ?? []), [configurations]);
  if (!query.data) return <PageState query={query} height={240} />;
  const onDecide = (next: Partial<Decisions>) => put(decide(decisions, next), false);
  const base = inProject(`/api/v1/sweeps/${encodeURIComponent(id)}`);
  return (
    <>
      <PageHead
        title={query.data.name}
        trail={<SmallLink to="/analysis">{t("Analysis")}</SmallLink>}
        beside={<StateBadge state={query.data.state} />}
        actions={
          <ButtonLink to="/sweeps/$id" params={{ id }} variant="default">
            {t("Show sweep")}
          </ButtonLink>
        }
      />
      {isWithheld ? (
        <Withheld />
      ) : (
        <Stack gap="lg">
          {query.data.state !== "finished" && (
            <Note tone="warn">{t("The sweep is not finished. These figures will change.")}</Note>
          )}
          <DecisionsPanel decisions={decisions} onDecide={onDecide} analysis={analysis.data} />
          <ConstantsPanel
            given={decisions.constants}
            onGive={(given) => onDecide({ constants: given })}
            others={othersOf(sweeps.data, id)}
            analysis={analysis.data}
            file={{
              address: `${base}/analysis${decidedAddress(decisions, "?")}`,
              name: `${id}-analysis.json`,
            }}
          />
          <QueryState query={analysis} height={240} />
          {analysis.data && (
            <Outcome
              figures={figures}
              tables={tables}
              basis={basisOf(analysis.data)}
              report={`${base}/report?language=${language}${decidedAddress(decisions, "&")}`}
              fileOf={(name, format) =>
                `${base}/export?table=${encodeURIComponent(name)}&format=${format}${decidedAddress(decisions, "&")}`
              }
              shown={table}
              sources={sources}
              onShow={(name) => put({ table: name })}
            />
          )}
        </Stack>
      )}
    </>
  );
}

function othersOf(sweeps: SweepDetail[] | undefined, id: string) {
  return (sweeps ?? [])
    .filter((other) => other.id !== id && other.runs.some(({ counts }) => counts.scored > 0))
    .map((other) => ({ id: other.id, name: other.name }));
}
