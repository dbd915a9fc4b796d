import { Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { usual } from "@/api/defaults";
import { sweepQueries } from "@/api/sweeps";
import { timingQueries } from "@/api/timings";
import type { TimingReport } from "@/api/types";
import { EmptyState } from "@/components/EmptyState";
import { ButtonLink, SmallLink } from "@/components/links";
import { PageHead } from "@/components/PageHead";
import { ProblemNotice } from "@/components/ProblemNotice";
import { QueryState } from "@/components/QueryState";
import { useFormState } from "@/components/useFormState";
import { Waiting } from "@/components/Waiting";
import { t } from "@/words";
import type { Asked } from "./margins";
import { TimeChoice } from "./TimeChoice";
import { TimeMachines } from "./TimeMachines";
import { TimeRatios } from "./TimeRatios";

const route = getRouteApi("/analysis/times");

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
  const [read, setRead] = useFormState<ReadFile | null>("times", null);
  const sweeps = useQuery(sweepQueries.all());
  // Going back may bring a sweep back into the address: it goes before the file.
  const file = there === undefined ? read : null;
  const take = (report: TimingReport | null) => {
    lastRead = Math.max(lastRead, read?.reading ?? 0) + 1;
    setRead(report && { report, reading: lastRead });
  };
  const finished = (sweeps.data ?? []).filter(({ state }) => state === "finished");
  const isChosen = here !== undefined && (there !== undefined || file !== null);
  return (
    <>
      <PageHead
        title={t("Time comparison")}
        trail={<SmallLink to="/analysis">{t("Analysis")}</SmallLink>}
        lead={t(
          "Two timing runs paired by configuration and question: ratios with confidence intervals and equivalence tests.",
        )}
      />
      <Stack gap="lg">
        <QueryState query={sweeps} height={160} />
        {sweeps.data && finished.length === 0 && !here && (
          <EmptyState
            title={t("No finished sweeps")}
            text={t(
              "Times can be compared between two finished sweeps with the same configurations. Run the experiment as a timing run on both machines, then choose both sweeps or a report from the other machine.",
            )}
          >
            <ButtonLink to="/new">{t("Create sweep")}</ButtonLink>
          </EmptyState>
        )}
        {sweeps.data && (finished.length > 0 || here) && (
          <TimeChoice sweeps={finished} file={file?.report ?? null} onFile={take} />
        )}
        {sweeps.data && finished.length > 0 && !isChosen && (
          <Text>
            {here
              ? t("Choose a second sweep or a report from another machine.")
              : t(
                  "Times can be compared between two finished sweeps with the same configurations. Run the experiment as a timing run on both machines, then choose both sweeps or a report from the other machine.",
                )}
          </Text>
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
  const ours = useQuery(timingQueries.of(here));
  const theirs = useQuery({ ...timingQueries.of(there ?? ""), enabled: file === null });
  const report = file?.report ?? theirs.data;
  const body: Asked = {
    ...(file ? { report: file.report } : { sweep_id: there ?? "" }),
    time_margin: margin ?? usual.time_margin,
    score_margin: scoreMargin ?? usual.score_margin,
  };
  const compared = useQuery({
    ...timingQueries.compared(here, body, file?.reading),
    enabled: ours.isSuccess && report !== undefined,
  });
  const failed = [ours, theirs, compared].find(({ isError }) => isError);
  if (failed) return <ProblemNotice error={failed.error} onRetry={() => failed.refetch()} />;
  if (!ours.data || !report || !compared.data) return <Waiting height={320} />;
  return (
    <>
      <TimeMachines here={ours.data} there={report} />
      <TimeRatios compared={compared.data} here={ours.data} body={body} />
    </>
  );
}
