import { Button, Group, Stack, Text } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { api } from "@/api/client";
import { isLive, problemOf, useJob } from "@/api/jobs";
import { words } from "@/words";
import { JobProgress } from "./JobProgress";
import { showDone } from "./notices";
import { formatCount } from "./numbers/format";
import { ProblemNotice } from "./ProblemNotice";

interface Props {
  /** What to do with an example that is there; left out, the form opens with both its parts chosen. */
  onLoaded?: (name: string) => void;
}

/** Example documents with questions, one click away. */
export function Examples({ onLoaded }: Props) {
  const [job, setJob] = useState<{ id: string; name: string } | null>(null);
  const examples = api.useQuery("get", "/api/v1/examples");
  const load = api.useMutation("post", "/api/v1/examples/{name}");
  const cache = useQueryClient();
  const navigate = useNavigate();

  const progress = useJob(job?.id ?? null, async (ended) => {
    await cache.invalidateQueries();
    if (ended.state === "failed") return;
    // An example becomes a collection and a dataset of its own name.
    const name = job?.name ?? "";
    if (onLoaded) {
      showDone(words.sweeps.loaded);
      onLoaded(name);
      return;
    }
    showDone(words.sweeps.loaded, words.sweeps.loadedText);
    await navigate({ to: "/new", search: { collection: name, dataset: name } });
  });

  const start = async (name: string) => {
    const accepted = await load.mutateAsync({ params: { path: { name } } }).catch(() => null);
    if (accepted) setJob({ id: accepted.job_id, name });
  };

  if (examples.isError) return <ProblemNotice error={examples.error} onRetry={() => examples.refetch()} />;
  const busy = load.isPending || isLive(progress);
  const problem = problemOf(progress);
  return (
    <Stack gap="xs">
      <Text size="sm" c="var(--quiet)">
        {words.sweeps.examples}
      </Text>
      <Group gap="xs">
        {examples.data?.items.map(({ name, documents, questions }) => (
          <Button
            key={name}
            variant="default"
            h="auto"
            maw="100%"
            py="xs"
            disabled={busy && job?.name !== name}
            loading={busy && job?.name === name}
            onClick={() => start(name)}
          >
            <Stack gap={0} align="flex-start" ta="left">
              {words.sweeps.load(name.replaceAll("-", " "))}
              <Text span size="xs" c="var(--quiet)" fw={400}>
                {words.sweeps.exampleHolds(formatCount(documents), formatCount(questions))}
              </Text>
            </Stack>
          </Button>
        ))}
      </Group>
      {progress && isLive(progress) && (
        <JobProgress
          label={words.sweeps.loading}
          message={progress.message}
          done={progress.done}
          total={progress.total}
        />
      )}
      {problem && <ProblemNotice error={problem} title={words.sweeps.notLoaded} />}
    </Stack>
  );
}
