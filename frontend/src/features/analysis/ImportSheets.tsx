import { Button, Group, Select, Stack, Text } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { api } from "@/api/client";
import { isLive, problemOf, useJob } from "@/api/jobs";
import { asPart, formData } from "@/api/upload";
import { JobProgress } from "@/components/JobProgress";
import { FileDrop } from "@/components/material/FileDrop";
import { formatCount } from "@/components/numbers/format";
import { ProblemNotice } from "@/components/ProblemNotice";
import { words } from "@/words";
import { withPath } from "./paths";

const label = words.analysis;

/** Result sheets in: read whole or not at all, then their audit opens. */
export function ImportSheets() {
  const [files, setFiles] = useState<File[]>([]);
  const [dataset, setDataset] = useState<string | null>(null);
  const [id, setId] = useState<string | null>(null);
  const datasets = api.useQuery("get", "/api/v1/datasets");
  const send = api.useMutation("post", "/api/v1/imports", { meta: { shown: true } });
  const cache = useQueryClient();
  const navigate = useNavigate();
  const job = useJob(id, async (ended) => {
    if (ended.state === "failed") return;
    await cache.invalidateQueries({ queryKey: ["get", "/api/v1/imports"] });
    setFiles([]);
    await navigate({ to: "/analysis/imports/$id", params: { id: String(ended.result?.id) } });
  });
  const start = async () => {
    setId(null);
    const body = { files: files.map(withPath).map(asPart), ...(dataset ? { dataset } : {}) };
    const accepted = await send.mutateAsync({ body, bodySerializer: formData }).catch(() => null);
    if (accepted) setId(accepted.job_id);
  };
  const busy = send.isPending || (id !== null && (job === undefined || isLive(job)));
  const problem = send.error ?? problemOf(job);
  return (
    <Stack gap="md">
      {files.length === 0 ? (
        <FileDrop multiple label={label.drop} hint={label.dropHint} onFiles={setFiles} />
      ) : (
        <Group gap="sm">
          <Text fw={550}>{label.chosen(formatCount(files.length))}</Text>
          <Text size="sm" c="var(--quiet)" lineClamp={2}>
            {files.map((file) => withPath(file).name).join(", ")}
          </Text>
          <Button variant="subtle" size="compact-sm" onClick={() => setFiles([])} disabled={busy}>
            {label.forget}
          </Button>
        </Group>
      )}
      <Select
        w="min(100%, 24rem)"
        label={label.dataset}
        description={label.datasetHint}
        placeholder={label.datasetNone}
        clearable
        clearButtonProps={{ "aria-label": label.datasetNone }}
        data={datasets.data?.items.map(({ name }) => name) ?? []}
        value={dataset}
        onChange={setDataset}
      />
      {problem != null && <ProblemNotice error={problem} title={label.notImported} />}
      {busy && (
        <JobProgress
          label={label.importing}
          message={job?.message}
          done={job?.done ?? 0}
          total={job?.total ?? 0}
        />
      )}
      {files.length > 0 && (
        <Group>
          <Button onClick={start} loading={busy}>
            {label.importButton(formatCount(files.length))}
          </Button>
        </Group>
      )}
    </Stack>
  );
}
