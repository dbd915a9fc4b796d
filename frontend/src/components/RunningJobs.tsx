import { Button, Group, Stack } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import type { Change } from "@/api/freshness";
import { markStale } from "@/api/freshness";
import { isLiveJob, type JobsQuery, jobListQuery, useCancelJob } from "@/api/jobs";
import type { Job } from "@/api/types";
import { ForRole } from "@/components/ForRole";
import { t } from "@/words";
import { JobProgress } from "./JobProgress";
import { Note } from "./Note";
import { ServerText } from "./ServerText";

const KINDS: Record<Job["kind"], string> = {
  ingest: t("Import of documents"),
  example: t("Import of an example"),
  dataset: t("Import of questions"),
  import: t("Import of result sheets"),
  ragelo: t("Import of RAGElo files"),
  answers: t("Import of answers"),
  pull: t("Pull of a model"),
  sweep: t("Sweep"),
  post: t("Posting to the ledger"),
  assess: t("Judging of answers"),
  draft: t("Drafting questions"),
  tune: t("Tuning of a judge"),
};
/** How long a failure is shown together with running work. */
const FRESH_MS = 10 * 60_000;

interface Props {
  query: JobsQuery;
  /** What the jobs change when they end. */
  changes: readonly Change[];
}

/** Work that is under way where its result will appear: also after a reload, and that of others. */
export function RunningJobs({ query, changes }: Props) {
  const cache = useQueryClient();
  const jobs = useQuery(jobListQuery(query)).data?.items ?? [];
  const live = jobs.filter(isLiveJob);
  const failed = jobs.filter(
    ({ state, ended_at }) => state === "failed" && ended_at && Date.now() - Date.parse(ended_at) < FRESH_MS,
  );
  const ids = live.map(({ id }) => id).join();
  const before = useRef(ids);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the end of a job is the event
  useEffect(() => {
    const ended = before.current.split(",").some((id) => id !== "" && !ids.includes(id));
    before.current = ids;
    if (ended) void markStale(cache, changes);
  }, [ids]);
  if (live.length + failed.length === 0) return null;
  return (
    <Stack component="section" gap="sm" aria-label={t("Running work")}>
      {live.map((job) => (
        <Live key={job.id} job={job} />
      ))}
      {failed.map((job) => (
        <Note key={job.id} tone="bad" title={t("{name} failed", { name: nameOf(job) })}>
          <ServerText text={job.message ?? ""} />
        </Note>
      ))}
    </Stack>
  );
}

function nameOf({ kind, subject }: Job): string {
  return subject ? `${KINDS[kind]} (${subject})` : KINDS[kind];
}

function Live({ job }: { job: Job }) {
  const cancel = useCancelJob();
  const name = nameOf(job);
  return (
    <Group wrap="nowrap" align="flex-end" gap="md">
      <div style={{ flex: 1, minWidth: 0 }}>
        <JobProgress
          label={job.state === "queued" ? `${name}: ${t("waiting for other work")}` : name}
          message={job.message ? `${name}: ${job.message}` : undefined}
          done={job.done ?? 0}
          total={job.total ?? 0}
        />
      </div>
      <ForRole>
        <Button
          variant="default"
          size="xs"
          loading={cancel.isPending}
          aria-label={t("Cancel {name}", { name })}
          onClick={() => cancel.mutate({ params: { path: { job_id: job.id } } })}
        >
          {t("Cancel")}
        </Button>
      </ForRole>
    </Group>
  );
}
