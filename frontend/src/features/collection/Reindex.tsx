import { Button, Group, Stack } from "@mantine/core";
import { useState } from "react";
import { useJob } from "@/api/jobs";
import { useReindex } from "@/api/materials";
import type { Collection } from "@/api/types";
import { JobProgress } from "@/components/JobProgress";
import { EmbeddingSelect } from "@/components/material/EmbeddingSelect";
import { showDone } from "@/components/notices";
import { Panel } from "@/components/Panel";
import { ProblemNotice } from "@/components/ProblemNotice";
import { t } from "@/words";

/** Embed the passages of a collection again, by another model or a new version of its own. */
export function Reindex({ collection: { name, embedding } }: { collection: Collection }) {
  const [chosen, choose] = useState(embedding.name);
  const reindex = useReindex();
  const job = useJob({
    changes: ["collections"],
    onDone: () => showDone(t("Collection {name} was reindexed", { name })),
  });
  const start = () =>
    reindex.mutate(
      { params: { path: { name } }, body: { embedding: chosen } },
      { onSuccess: ({ job_id }) => job.follow(job_id) },
    );
  const problem = reindex.error ?? job.problem;
  return (
    <Panel title={t("Embedding model")}>
      <Stack gap="md">
        <EmbeddingSelect
          description={t(
            "Embeds all passages again. Searches use the old vectors until all new ones are stored. Without a new version of the model, nothing changes.",
          )}
          value={chosen}
          onChange={choose}
        />
        {job.isBusy && <JobProgress label={t("Embedding passages")} {...job.running} />}
        <ProblemNotice error={problem} />
        <Group>
          <Button variant="default" onClick={start} loading={reindex.isPending || job.isBusy}>
            {t("Reindex collection")}
          </Button>
        </Group>
      </Stack>
    </Panel>
  );
}
