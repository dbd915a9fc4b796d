import { Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { api, client } from "@/api/client";
import { useAllSweeps } from "@/api/sweeps";
import type { TimingReport } from "@/api/types";
import { EmptyState } from "@/components/EmptyState";
import { AnchorLink, ButtonLink } from "@/components/links";
import { PageHead } from "@/components/PageHead";
import { ProblemNotice } from "@/components/ProblemNotice";
import { Waiting } from "@/components/Waiting";
import { words } from "@/words";
import { type Asked, SCORE_MARGIN, TIME_MARGIN } from "./margins";
import { TimeChoice } from "./TimeChoice";
import { TimeMachines } from "./TimeMachines";
import { TimeRatios } from "./TimeRatios";

const route = getRouteApi("/analysis/times");
const label = words.analysis.times;
const STALE_MS = 600_000;

/** Rises with each file that is read, also when the page was left between two: no file is taken for another. */
let lastRead = 0;

/** A report that was read from a file, and which reading it was. */
interface ReadFile {
  report: TimingReport;
  reading: number;
}

/** Two timing runs side by side: both of this server, or one beside a report of another machine. */
export function TimeComparisonPage(): ReactNode {
  const { here, there } = route.useSearch();
  const [read, setRead] = useState<ReadFile | null>(null);
  const sweeps = useAllSweeps();
  // Going back may bring a sweep back into the address: it goes before the file.
  const file = there === undefined ? read : null;
  const take = (report: TimingReport | null) => {
    lastRead += 1;
    setRead(report && { report, reading: lastRead });
  };
  const finished = (sweeps.data ?? []).filter(({ state }) => state === "finished");
  const isChosen = here !== undefined && (there !== undefined || file !== null);
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
        {sweeps.isPending && <Waiting height={160} />}
        {sweeps.isError && <ProblemNotice error={sweeps.error} onRetry={() => sweeps.refetch()} />}
        {sweeps.data && finished.length === 0 && !here && (
          <EmptyState title={label.emptyTitle} text={label.emptyText}>
            <ButtonLink to="/new">{words.analysis.newSweep}</ButtonLink>
          </EmptyState>
        )}
        {sweeps.data && (finished.length > 0 || here) && (
          <TimeChoice sweeps={finished} file={file?.report ?? null} onFile={take} />
        )}
        {sweeps.data && finished.length > 0 && !isChosen && (
          <Text>{here ? label.emptyOne : label.emptyText}</Text>
        )}
        {here !== undefined && isChosen && <Compared key={here} here={here} there={there} file={file} />}
      </Stack>
    </>
  );
}

interface ComparedProps {
  here: string;
  there: string | undefined;
  file: ReadFile | null;
}

function Compared({ here, there, file }: ComparedProps) {
  const { margin, scoreMargin } = route.useSearch();
  const settled = { staleTime: STALE_MS };
  const ours = api.useQuery(
    "get",
    "/api/v1/sweeps/{sweep_id}/timings",
    { params: { path: { sweep_id: here } } },
    settled,
  );
  const theirs = api.useQuery(
    "get",
    "/api/v1/sweeps/{sweep_id}/timings",
    { params: { path: { sweep_id: there ?? "" } } },
    { ...settled, enabled: file === null },
  );
  const report = file?.report ?? theirs.data;
  const body: Asked = {
    ...(file ? { report: file.report } : { sweep_id: there ?? "" }),
    time_margin: margin ?? TIME_MARGIN,
    score_margin: scoreMargin ?? SCORE_MARGIN,
  };
  const compared = useQuery({
    // A report of a whole run is too long for a key: it is told by its reading.
    queryKey: ["timings", here, there ?? null, file?.reading ?? null, margin, scoreMargin],
    queryFn: async () => {
      const { data } = await client.POST("/api/v1/sweeps/{sweep_id}/timings/comparisons", {
        params: { path: { sweep_id: here } },
        body,
      });
      return data;
    },
    staleTime: STALE_MS,
    enabled: ours.isSuccess && report !== undefined,
  });
  const failed = [ours, theirs, compared].find(({ isError }) => isError);
  if (failed) return <ProblemNotice error={failed.error} onRetry={() => failed.refetch()} />;
  if (!ours.data || !report || !compared.data) return <Waiting height={320} />;
  return (
    <>
      <TimeMachines here={ours.data} there={report} />
      <TimeRatios compared={compared.data} here={ours.data} there={report} body={body} />
    </>
  );
}
