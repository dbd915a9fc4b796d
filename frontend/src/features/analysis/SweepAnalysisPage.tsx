import { Stack } from "@mantine/core";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { api } from "@/api/client";
import { AnchorLink, ButtonLink } from "@/components/links";
import { Note } from "@/components/Note";
import { PageHead } from "@/components/PageHead";
import { ProblemNotice } from "@/components/ProblemNotice";
import { StateBadge } from "@/components/StateBadge";
import { Waiting } from "@/components/Waiting";
import { words } from "@/words";
import { Outcome } from "./Outcome";

const route = getRouteApi("/analysis/sweeps/$id");
const label = words.analysis;
/** Figures of a sweep at rest do not change, and take a while. */
const STALE_MS = 60_000;

/** Figures, tables and report of a sweep. */
export function SweepAnalysisPage(): ReactNode {
  const { id } = route.useParams();
  const { table } = route.useSearch();
  const navigate = useNavigate({ from: "/analysis/sweeps/$id" });
  const params = { params: { path: { sweep_id: id } } };
  const query = api.useQuery("get", "/api/v1/sweeps/{sweep_id}", params);
  const figures = api.useQuery("get", "/api/v1/sweeps/{sweep_id}/figures", params, { staleTime: STALE_MS });
  const tables = api.useQuery("get", "/api/v1/sweeps/{sweep_id}/tables", params, { staleTime: STALE_MS });
  if (query.isPending) return <Waiting height={240} />;
  if (!query.data) return <ProblemNotice error={query.error} onRetry={() => query.refetch()} />;
  const base = `/api/v1/sweeps/${encodeURIComponent(id)}`;
  return (
    <>
      <PageHead
        title={query.data.sweep.name}
        trail={
          <AnchorLink to="/analysis" size="sm">
            {label.title}
          </AnchorLink>
        }
        beside={<StateBadge state={query.data.state} />}
        actions={
          <ButtonLink to="/sweeps/$id" params={{ id }} variant="default">
            {label.toSweep}
          </ButtonLink>
        }
      />
      <Stack gap="lg">
        {query.data.state !== "finished" && <Note tone="warn">{label.partial}</Note>}
        <Outcome
          figures={figures}
          tables={tables}
          report={`${base}/report`}
          fileOf={(name, format) => `${base}/export?table=${encodeURIComponent(name)}&format=${format}`}
          shown={table}
          onShow={(name) => navigate({ search: { table: name }, replace: true, resetScroll: false })}
        />
      </Stack>
    </>
  );
}
