import { Button, Group, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { useJob } from "@/api/jobs";
import { collectionQueries, useReindex } from "@/api/materials";
import { Problem } from "@/api/problem";
import type { Collection, CollectionDetail } from "@/api/types";
import { Facts } from "@/components/Facts";
import { ForRole } from "@/components/ForRole";
import { JobProgress } from "@/components/JobProgress";
import { ButtonLink, SmallLink } from "@/components/links";
import { AddDocuments, QuestionsNext } from "@/components/material/AddDocuments";
import { DeleteMaterial } from "@/components/material/DeleteMaterial";
import { EmbeddingSelect } from "@/components/material/EmbeddingSelect";
import { showDone } from "@/components/notices";
import { formatCount } from "@/components/numbers/format";
import { PageHead } from "@/components/PageHead";
import { Panel } from "@/components/Panel";
import { ProblemNotice } from "@/components/ProblemNotice";
import { Quiet } from "@/components/Quiet";
import { RunningJobs } from "@/components/RunningJobs";
import { type Column, countColumn, DataTable, digestColumn, plainColumn } from "@/components/table";
import { Waiting } from "@/components/Waiting";
import { t } from "@/words";
import { UNITS } from "@/words/units";
import { Search } from "./Search";

const route = getRouteApi("/collections/$name");

/** One collection: searched, extended, deleted. */
export function CollectionPage(): ReactNode {
  const { name } = route.useParams();
  const query = useQuery(collectionQueries.list());
  const found = query.data?.items.find(({ collection }) => collection.name === name);
  const trail = <SmallLink to="/collections">{t("Collections")}</SmallLink>;
  if (query.isPending) return <Waiting height={240} />;
  if (!found) {
    const missing = new Problem(
      404,
      t("Collection not found"),
      t("There is no collection {name}. It may have been deleted.", { name }),
    );
    return (
      <>
        <PageHead title={name} trail={trail} />
        <ProblemNotice
          error={query.error ?? missing}
          {...(query.isError ? { onRetry: query.refetch } : {})}
        />
      </>
    );
  }
  return (
    <>
      <PageHead
        title={name}
        trail={trail}
        actions={
          <>
            <ButtonLink to="/new" search={{ collection: name }}>
              {t("Use in new sweep")}
            </ButtonLink>
            <ForRole>
              <ButtonLink to="/drafts" search={{ collection: name }} variant="default">
                {t("Draft questions")}
              </ButtonLink>
            </ForRole>
            <DeleteMaterial
              kind="collections"
              name={name}
              text={t(
                "Deletes {documents, plural, one {# document} other {# documents}} with {passages, plural, one {# passage} other {# passages}}. Finished sweeps keep the passages that they used.",
                { documents: found.documents.length, passages: found.passages },
              )}
            />
          </>
        }
      />
      <Stack gap="lg">
        <RunningJobs query={{ collection: name }} changes={["collections"]} />
        <ForRole>
          <QuestionsNext collection={name} />
        </ForRole>
        <Bound detail={found} />
        <Search collection={name} />
        <DocumentTable documents={found.documents} />
        <ForRole>
          <Panel title={t("New documents")}>
            <AddDocuments key={name} collections={[found.collection]} into={name} fixed />
          </Panel>
          <Reindex key={`${name} ${found.collection.embedding.name}`} collection={found.collection} />
        </ForRole>
      </Stack>
    </>
  );
}

/** What the collection holds, and what it is bound to. */
function Bound({ detail: { collection, documents, passages } }: { detail: CollectionDetail }) {
  const { chunking, embedding } = collection;
  const unit = UNITS[chunking.unit];
  return (
    <Stack gap="xs">
      <Facts
        facts={[
          [t("Documents"), formatCount(documents.length)],
          [t("Passages"), formatCount(passages)],
          [t("Passage size"), t("{size, number} {unit}", { size: chunking.chunk_size, unit })],
          [t("Overlap"), t("{size, number} {unit}", { size: chunking.chunk_overlap, unit })],
          [
            t("Embedding model"),
            <span key="model" title={embedding.digest}>
              {embedding.name},{" "}
              {t("{count, plural, one {# dimension} other {# dimensions}}", { count: embedding.dimension })}
            </span>,
          ],
        ]}
      />
      <Quiet>{t("Passage size and overlap cannot be changed after a collection is created.")}</Quiet>
    </Stack>
  );
}

type Document = CollectionDetail["documents"][number];

const COLUMNS: Column<Document>[] = [
  plainColumn("name", t("Document"), ({ name }) => name),
  countColumn("passages", t("Passages"), ({ passages }) => passages),
  countColumn("pages", t("Pages"), ({ pages }) => pages, { reason: t("This document type has no pages.") }),
  digestColumn("digest", t("Digest"), ({ digest }) => digest),
];

/** The documents of the collection. */
function DocumentTable({ documents }: { documents: CollectionDetail["documents"] }) {
  return (
    <Panel title={t("Documents")}>
      <DataTable
        name="documents"
        at=""
        label={t("Documents")}
        columns={COLUMNS}
        rows={documents}
        keyOf={({ digest, name }) => `${digest} ${name}`}
      />
    </Panel>
  );
}

/** Embed the passages of a collection again, by another model or a new version of its own. */
function Reindex({ collection: { name, embedding } }: { collection: Collection }) {
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
