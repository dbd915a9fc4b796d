import {
  Button,
  CloseButton,
  Group,
  List,
  NumberInput,
  SimpleGrid,
  Stack,
  TextInput,
  Title,
} from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "@/api/client";
import { isLive, problemOf, useJob } from "@/api/jobs";
import { Problem } from "@/api/problem";
import type { Collection } from "@/api/types";
import { asPart, formData } from "@/api/upload";
import { JobProgress } from "@/components/JobProgress";
import { showDone } from "@/components/notices";
import { ProblemNotice } from "@/components/ProblemNotice";
import { words } from "@/words";
import { FileDrop } from "./FileDrop";
import classes from "./FileDrop.module.css";

const label = words.materials;

interface Props {
  collections: Collection[];
  into: string;
  onAdded: (collection: string) => void;
}

/** Make passages of dropped documents, in a new collection or an existing one. */
export function AddDocuments({ collections, into, onAdded }: Props) {
  const [files, setFiles] = useState<File[]>([]);
  const [name, setName] = useState(into);
  const [size, setSize] = useState<number | string>(1024);
  const [overlap, setOverlap] = useState<number | string>(50);
  const ingest = useIngest(name, (collection) => {
    setFiles([]);
    onAdded(collection);
  });
  // A collection is cut one way for good: adding to it takes over how.
  const bound = collections.find((collection) => collection.name === name)?.chunking;
  const problem = ingest.problem;
  const chunking = { chunk_size: bound?.chunk_size ?? size, chunk_overlap: bound?.chunk_overlap ?? overlap };

  return (
    <Stack gap="md" className={classes.inset ?? ""}>
      <Title order={3}>{label.documentsTitle}</Title>
      <FileDrop
        multiple
        label={label.dropDocuments}
        hint={label.dropDocumentsHint}
        onFiles={(dropped) => setFiles([...files, ...dropped])}
      />
      <FileList files={files} onRemove={(file) => setFiles(files.filter((other) => other !== file))} />
      <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="md">
        <TextInput
          label={label.into}
          description={label.intoHint}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          error={problem?.fields.name}
        />
        <NumberInput
          label={label.chunkSize}
          description={label.chunkSizeHint}
          value={chunking.chunk_size}
          onChange={setSize}
          disabled={bound !== undefined}
          error={problem?.fields.chunk_size}
        />
        <NumberInput
          label={label.chunkOverlap}
          description={label.chunkOverlapHint}
          value={chunking.chunk_overlap}
          onChange={setOverlap}
          disabled={bound !== undefined}
          error={problem?.fields.chunk_overlap}
        />
      </SimpleGrid>
      {problem && <ProblemNotice error={problem} title={label.rejected} />}
      {ingest.running && (
        <JobProgress label={ingest.running.message || label.ingesting} {...ingest.running} />
      )}
      <Group>
        <Button
          disabled={files.length === 0 || name === ""}
          loading={ingest.busy}
          onClick={() => ingest.start(files, chunking)}
        >
          {label.ingest}
        </Button>
      </Group>
    </Stack>
  );
}

function useIngest(name: string, onAdded: (collection: string) => void) {
  const [started, setStarted] = useState<{ job: string; collection: string } | null>(null);
  const send = api.useMutation("post", "/api/v1/collections/{name}/documents", { meta: { shown: true } });
  const cache = useQueryClient();
  const job = useJob(started?.job ?? null, async (ended) => {
    if (ended.state === "failed" || !started) return;
    await cache.invalidateQueries({ queryKey: ["get", "/api/v1/collections"] });
    showDone(label.ingested(started.collection));
    onAdded(started.collection);
  });
  const start = async (
    files: File[],
    chunking: { chunk_size: number | string; chunk_overlap: number | string },
  ) => {
    const accepted = await send
      .mutateAsync({
        params: { path: { name } },
        body: {
          files: files.map(asPart),
          chunk_size: Number(chunking.chunk_size),
          chunk_overlap: Number(chunking.chunk_overlap),
        },
        bodySerializer: formData,
      })
      .catch(() => null);
    setStarted(accepted && { job: accepted.job_id, collection: name });
  };
  const running = job && isLive(job) ? job : null;
  const refused = send.error instanceof Problem ? send.error : null;
  return { start, busy: send.isPending || running !== null, running, problem: refused ?? problemOf(job) };
}

function FileList({ files, onRemove }: { files: File[]; onRemove: (file: File) => void }) {
  if (files.length === 0) return null;
  return (
    <List size="sm" listStyleType="none">
      {files.map((file) => (
        <List.Item key={`${file.name} ${file.size} ${file.lastModified}`}>
          <Group gap="xs">
            {file.name}
            <CloseButton size="sm" aria-label={label.remove(file.name)} onClick={() => onRemove(file)} />
          </Group>
        </List.Item>
      ))}
    </List>
  );
}
