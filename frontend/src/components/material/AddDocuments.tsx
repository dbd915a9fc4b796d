import { Button, Group, NumberInput, Select, SimpleGrid, Stack, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { api } from "@/api/client";
import { Problem } from "@/api/problem";
import type { Collection } from "@/api/types";
import { JobProgress } from "@/components/JobProgress";
import { showDone } from "@/components/notices";
import { formatCount } from "@/components/numbers/format";
import { ProblemNotice } from "@/components/ProblemNotice";
import { words } from "@/words";
import { DocumentSource, EMPTY_DRAFT, sourceOf } from "./DocumentSource";
import { useIngest } from "./ingest";
import { suggestedName } from "./naming";
import type { IngestReport } from "./report";

const label = words.materials;
const SIZE = 1024;
const OVERLAP = 50;
const BUILT_IN = "embedded/all-MiniLM-L6-v2";
const MINUTE_MS = 60_000;

interface Props {
  collections: Collection[];
  /** Name that stands in the form at first. */
  into: string;
  /** The page is that collection's: its name is not asked for. */
  fixed?: boolean;
  /** The collection that has them; whether all were taken, or some are shown with what was wrong. */
  onAdded?: (collection: string, whole: boolean) => void;
}

/** Make passages of documents, in a new collection or an existing one. */
export function AddDocuments({ collections, into, fixed = false, onAdded }: Props) {
  const [draft, setDraft] = useState(EMPTY_DRAFT);
  // Until a name is typed, the documents give one.
  const [typed, setTyped] = useState(into === "" ? null : into);
  const [size, setSize] = useState<number | string>(SIZE);
  const [overlap, setOverlap] = useState<number | string>(OVERLAP);
  const [embedding, setEmbedding] = useState(BUILT_IN);
  const [report, setReport] = useState<IngestReport | null>(null);
  const ingest = useIngest((collection, report) => {
    setReport(report);
    if (report.refused.length === 0) setDraft({ ...EMPTY_DRAFT, kind: draft.kind });
    // Where nothing was taken there may be no collection to go to.
    if (report.refused.length > 0 && report.documents === 0) return;
    showDone(label.ingested(collection), summaryOf(report));
    onAdded?.(collection, report.refused.length === 0);
  });
  const names = collections.map((collection) => collection.name);
  const name = typed ?? suggestedName(draft, names);
  // A collection is cut one way for good: adding to it takes over how.
  const bound = collections.find((collection) => collection.name === name)?.chunking;
  const problem = ingest.problem;
  const source = sourceOf(draft);
  const start = () => {
    if (!source) return;
    setReport(null);
    // What is added after this goes to the same collection.
    setTyped(name);
    const making = { chunk_size: Number(size), chunk_overlap: Number(overlap), embedding };
    ingest.start(name, source, bound ? null : making);
  };

  return (
    <Stack gap="md">
      <DocumentSource draft={draft} onChange={setDraft} problem={problem} />
      <SimpleGrid cols={{ base: 1, xs: 2, lg: fixed ? 3 : 2 }} spacing="md">
        {!fixed && (
          <TextInput
            label={label.into}
            description={label.intoHint}
            value={name}
            onChange={(event) => setTyped(event.currentTarget.value)}
            error={problem?.fields.name}
          />
        )}
        {!bound && (
          <>
            <NumberInput
              label={label.chunkSize}
              description={label.chunkSizeHint}
              value={size}
              onChange={setSize}
              error={problem?.fields.chunk_size ?? problem?.fields["chunking.chunk_size"]}
            />
            <NumberInput
              label={label.chunkOverlap}
              description={label.chunkOverlapHint}
              value={overlap}
              onChange={setOverlap}
              error={overlapProblem(problem)}
            />
            <EmbeddingSelect value={embedding} onChange={setEmbedding} error={problem?.fields.embedding} />
          </>
        )}
      </SimpleGrid>
      {bound && (
        <Text size="sm" c="var(--quiet)">
          {label.bound(
            formatCount(bound.chunk_size),
            formatCount(bound.chunk_overlap),
            label.units[bound.unit],
          )}
        </Text>
      )}
      {problem && <ProblemNotice error={problem} title={label.rejected} />}
      {report && report.refused.length > 0 && <Refused report={report} />}
      {ingest.running && <JobProgress label={label.ingesting} {...ingest.running} />}
      <Group>
        <Button disabled={source === null || name === ""} loading={ingest.busy} onClick={start}>
          {label.ingest}
        </Button>
      </Group>
    </Stack>
  );
}

interface EmbeddingProps {
  value: string;
  onChange: (value: string) => void;
  error: string | undefined;
}

/** The embedding model of a new collection: the built-in one, or one of the model server. */
function EmbeddingSelect({ value, onChange, error }: EmbeddingProps) {
  const served = api.useQuery(
    "get",
    "/api/v1/models",
    { params: { query: { provider: "ollama" } } },
    { retry: false, staleTime: MINUTE_MS },
  );
  const data = [
    { value: BUILT_IN, label: label.embeddingBuiltIn },
    ...(served.data?.items ?? []).map(({ name }) => ({ value: `ollama/${name}`, label: name })),
  ];
  return (
    <Select
      label={label.embedding}
      description={label.embeddingHint}
      data={data}
      allowDeselect={false}
      value={value}
      onChange={(chosen) => chosen && onChange(chosen)}
      error={error}
    />
  );
}

/** A refused chunking as a whole is one of its overlap: it must be below the size. */
function overlapProblem(problem: Problem | null): string | undefined {
  const { chunk_overlap, chunking, "chunking.chunk_overlap": nested } = problem?.fields ?? {};
  return chunk_overlap ?? nested ?? chunking;
}

function Refused({ report }: { report: IngestReport }) {
  const errors = report.refused.map(({ problem }) => ({ message: problem }));
  const text = report.documents > 0 ? label.notReadText : label.notRead;
  return <ProblemNotice error={new Problem(422, label.notRead, text, errors)} title={label.notRead} />;
}

function summaryOf({ passages, documents }: IngestReport): string {
  return passages > 0 ? label.added(formatCount(passages), formatCount(documents)) : label.addedNothing;
}
