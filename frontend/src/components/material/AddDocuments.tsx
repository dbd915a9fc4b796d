import { Group, List, NumberInput, SimpleGrid, Stack, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { usual } from "@/api/defaults";
import { datasetQueries } from "@/api/materials";
import { Problem } from "@/api/problem";
import type { Collection } from "@/api/types";
import { bindText } from "@/components/fields";
import { ButtonLink } from "@/components/links";
import { Note } from "@/components/Note";
import { showDone } from "@/components/notices";
import { ProblemNotice } from "@/components/ProblemNotice";
import { Quiet } from "@/components/Quiet";
import { SendButton } from "@/components/SendButton";
import { Sentences } from "@/components/Sentences";
import { useFormState } from "@/components/useFormState";
import { t } from "@/words";
import { UNITS } from "@/words/units";
import { DocumentSource, EMPTY_DRAFT, sourceOf } from "./DocumentSource";
import { BUILT_IN_EMBEDDING, EmbeddingSelect } from "./EmbeddingSelect";
import { useIngest } from "./ingest";
import { suggestedName } from "./naming";
import { type IngestReport, leftOf } from "./report";
import { sizeOf, tooLarge, useUploadLimit } from "./uploadLimit";

/** What each kind of source lacks while it is empty. */
const LACKING = {
  files: t("Choose files first."),
  text: t("Enter a document name and a text."),
  address: t("Enter a web address."),
};

interface Props {
  collections: Collection[];
  /** Initial name in the form. */
  into: string;
  /** The page is that collection's: its name is not asked for. */
  fixed?: boolean;
  /** Called with the collection, and whether all documents were added or some are listed with their problems. */
  onAdded?: (collection: string, whole: boolean) => void;
}

/** Make passages of documents, in a new collection or an existing one. */
export function AddDocuments({ collections, into, fixed = false, onAdded }: Props) {
  const [draft, setDraft] = useFormState("documents", EMPTY_DRAFT);
  // Until a name is typed, the documents give one.
  const [typed, setTyped] = useFormState("documents.name", into === "" ? null : into);
  const [size, setSize] = useFormState<number | string>("documents.size", usual.chunking.chunk_size);
  const [overlap, setOverlap] = useFormState<number | string>(
    "documents.overlap",
    usual.chunking.chunk_overlap,
  );
  const [embedding, setEmbedding] = useFormState("documents.embedding", BUILT_IN_EMBEDDING);
  const [report, setReport] = useState<IngestReport | null>(null);
  const ingest = useIngest((collection, report, isHere) => {
    setReport(report);
    setDraft((sent) =>
      report.refused.length === 0
        ? { ...EMPTY_DRAFT, kind: sent.kind }
        : { ...sent, files: leftOf(sent.files, report) },
    );
    // Without any added document there may be no collection to open.
    if (report.refused.length > 0 && report.documents === 0) return;
    showDone(t("Collection {name} is ready", { name: collection }), summaryOf(report));
    const listed = [report.refused, report.scanned, report.warnings].some((each) => each.length > 0);
    if (isHere) onAdded?.(collection, !listed && !report.remark);
  });
  const names = collections.map((collection) => collection.name);
  const name = typed ?? suggestedName(draft, names);
  // A collection is cut one way for good: adding to it takes over how.
  const bound = collections.find((collection) => collection.name === name)?.chunking;
  const problem = ingest.problem;
  const source = sourceOf(draft);
  const limit = useUploadLimit();
  const isTooLarge = draft.kind === "files" && sizeOf(draft.files) > limit;
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
            label={t("Collection name")}
            description={t(
              "A new name creates a collection. An existing name adds documents to that collection.",
            )}
            {...bindText(name, setTyped)}
            error={problem?.fields.name}
          />
        )}
        {!bound && (
          <>
            <NumberInput
              label={t("Passage size")}
              description={t("Maximum number of characters (chunk_size).")}
              value={size}
              onChange={setSize}
              error={problem?.fields.chunk_size ?? problem?.fields["chunking.chunk_size"]}
            />
            <NumberInput
              label={t("Overlap")}
              description={t("Characters shared by neighbouring passages (chunk_overlap).")}
              value={overlap}
              onChange={setOverlap}
              error={overlapProblem(problem)}
            />
            <EmbeddingSelect
              description={t("The embedding model can be changed later on the page of the collection.")}
              value={embedding}
              onChange={setEmbedding}
              error={problem?.fields.embedding}
            />
          </>
        )}
      </SimpleGrid>
      {bound && (
        <Quiet>
          {t(
            "Split like the rest of this collection: at most {size, number} {unit}, overlap {overlap, number}.",
            { size: bound.chunk_size, overlap: bound.chunk_overlap, unit: UNITS[bound.unit] },
          )}
        </Quiet>
      )}
      {isTooLarge && (
        <Note tone="warn" role="alert">
          {tooLarge(draft.files, limit)}
        </Note>
      )}
      <ProblemNotice error={problem} title={t("Nothing was imported")} />
      {report && <Outcome report={report} />}
      <SendButton
        missing={source === null ? LACKING[draft.kind] : name === "" ? t("Name the collection.") : null}
        disabled={isTooLarge}
        loading={ingest.busy}
        onClick={start}
      >
        {t("Import documents")}
      </SendButton>
    </Stack>
  );
}

/** A refused chunking as a whole is one of its overlap: it must be below the size. */
function overlapProblem(problem: Problem | null): string | undefined {
  const { chunk_overlap, chunking, "chunking.chunk_overlap": nested } = problem?.fields ?? {};
  return chunk_overlap ?? nested ?? chunking;
}

/** What was refused, and what is not in the passages. */
function Outcome({ report }: { report: IngestReport }) {
  return (
    <>
      {report.refused.length > 0 && <Refused report={report} />}
      {report.scanned.length > 0 && <Scanned documents={report.scanned} />}
      {report.warnings.length > 0 && (
        <Note tone="warn" title={t("Parts that were not imported")} role="alert">
          <Sentences texts={report.warnings} />
        </Note>
      )}
      {report.remark && (
        <Note tone="warn" role="alert">
          {report.remark}
        </Note>
      )}
    </>
  );
}

function Refused({ report }: { report: IngestReport }) {
  const errors = report.refused.map(({ problem }) => ({ message: problem }));
  const text =
    report.documents > 0 ? t("All other documents were imported.") : t("Some documents were not imported");
  return (
    <ProblemNotice
      error={new Problem(422, t("Some documents were not imported"), text, errors)}
      title={t("Some documents were not imported")}
    />
  );
}

function Scanned({ documents }: { documents: IngestReport["scanned"] }) {
  return (
    <Note tone="warn" title={t("Pages without text")} role="alert">
      <p>
        {t(
          "Pages without text are probably scanned, and no passage contains them. Run text recognition (OCR) on the documents and import the results into a new collection.",
        )}
      </p>
      <List size="sm">
        {documents.map(({ name, pages }) => (
          <List.Item key={name}>
            {t("{name}: {pages, plural, one {# page} other {# pages}} without text", { name, pages })}
          </List.Item>
        ))}
      </List>
    </Note>
  );
}

function summaryOf({ passages, documents }: IngestReport): string {
  return passages > 0
    ? t(
        "Added {passages, plural, one {# passage} other {# passages}} from {documents, plural, one {# document} other {# documents}}.",
        { passages, documents },
      )
    : t("The collection already contains these documents. Nothing was added.");
}

/** The next step after documents, until there are questions: have a model draft some, or add your own. */
export function QuestionsNext({ collection }: { collection: string }) {
  const datasets = useQuery(datasetQueries.list());
  if (datasets.data?.items.length !== 0) return null;
  return (
    <Note title={t("Next: questions")} role="status">
      <p>{t("A sweep needs questions. A model can draft them from these documents, or you add your own.")}</p>
      <Group gap="sm">
        <ButtonLink to="/drafts" search={{ collection }} size="xs" td="none">
          {t("Draft questions")}
        </ButtonLink>
        <ButtonLink to="/datasets" size="xs" variant="default" td="none">
          {t("Add questions")}
        </ButtonLink>
      </Group>
    </Note>
  );
}
