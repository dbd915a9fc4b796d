import { Button, Group, Progress, Stack, Text, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { api } from "@/api/client";
import { isLive, problemOf, useJob } from "@/api/jobs";
import { Problem } from "@/api/problem";
import type { Job } from "@/api/types";
import { showDone } from "@/components/notices";
import { formatBytes } from "@/components/numbers/format";
import { ProblemNotice } from "@/components/ProblemNotice";
import { words } from "@/words";

const label = words.settings;

/** Have the model server download a model, with the bytes counted. */
export function PullModel() {
  const [name, setName] = useState("");
  const [started, setStarted] = useState<{ id: string; name: string } | null>(null);
  const pull = api.useMutation("post", "/api/v1/models", { meta: { shown: true } });
  const cache = useQueryClient();
  const job = useJob(started?.id ?? null, async (ended) => {
    if (ended.state === "failed") return;
    await cache.invalidateQueries({ queryKey: ["get", "/api/v1/models"] });
    showDone(label.pulled(started?.name ?? ""));
    setName("");
  });
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const wanted = name.trim();
    setStarted(null);
    const accepted = await pull.mutateAsync({ body: { name: wanted } }).catch(() => null);
    if (accepted) setStarted({ id: accepted.job_id, name: wanted });
  };
  const problem = pull.error instanceof Problem ? pull.error : problemOf(job);
  const busy = pull.isPending || (started !== null && (job === undefined || isLive(job)));
  return (
    <Stack gap="xs">
      <form onSubmit={submit}>
        <Group align="flex-start" gap="xs">
          <TextInput
            label={label.pullName}
            description={label.pullHint}
            placeholder="mistral:7b"
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            error={problem?.fields.name}
            autoComplete="off"
            spellCheck={false}
          />
          <Button type="submit" variant="default" mt={25} disabled={name.trim() === ""} loading={busy}>
            {label.pullButton}
          </Button>
        </Group>
      </form>
      {busy && started && job && <Bytes name={started.name} job={job} />}
      {problem && !problem.fields.name && <ProblemNotice error={problem} title={label.notPulled} />}
    </Stack>
  );
}

function Bytes({ name, job: { done, total, message } }: { name: string; job: Job }) {
  const text = total > 0 ? label.pulling(name, formatBytes(done), formatBytes(total)) : label.asking(name);
  return (
    <Stack gap={4}>
      <Text size="sm" c="var(--quiet)" title={message}>
        {text}
      </Text>
      <Progress value={total > 0 ? (100 * done) / total : 100} animated={total === 0} aria-label={text} />
    </Stack>
  );
}
