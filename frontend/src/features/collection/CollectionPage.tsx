import { Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { collectionQueries } from "@/api/materials";
import { Problem } from "@/api/problem";
import type { CollectionDetail } from "@/api/types";
import { Facts } from "@/components/Facts";
import { ButtonLink, SmallLink } from "@/components/links";
import { AddDocuments, QuestionsNext } from "@/components/material/AddDocuments";
import { DeleteMaterial } from "@/components/material/DeleteMaterial";
import { formatCount } from "@/components/numbers/format";
import { PageHead } from "@/components/PageHead";
import { Panel } from "@/components/Panel";
import { ProblemNotice } from "@/components/ProblemNotice";
import { Quiet } from "@/components/Quiet";
import { RunningJobs } from "@/components/RunningJobs";
import { Waiting } from "@/components/Waiting";
import { t } from "@/words";
import { UNITS } from "@/words/units";
import { DocumentTable } from "./DocumentTable";
import { Reindex } from "./Reindex";
import { Search } from "./Search";

const route = getRouteApi("/collections/$name");

/** One collection: searched, extended, deleted. */
export function CollectionPage(): ReactNode {
  const { name } = route.useParams();
  const query = useQuery(collectionQueries.list());
  const found = query.data?.items.find(({ collection }) => collection.name === name);
  const trail = <SmallLink to="/collections">{t("Collections")}</SmallLink>;
  if (query.isPending) return <Waiting height={240} />;
  if (query.isError) {
    return (
      <>
        <PageHead title={name} trail={trail} />
        <ProblemNotice error={query.error} onRetry={() => query.refetch()} />
      </>
    );
  }
  if (!found) {
    return (
      <>
        <PageHead title={name} trail={trail} />
        <ProblemNotice
          error={
            new Problem(
              404,
              t("Collection not found"),
              t("There is no collection {name}. It may have been deleted.", { name }),
            )
          }
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
            <ButtonLink to="/drafts" search={{ collection: name }} variant="default">
              {t("Draft questions")}
            </ButtonLink>
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
        <QuestionsNext collection={name} />
        <Bound detail={found} />
        <Search collection={name} />
        <DocumentTable documents={found.documents} />
        <Panel title={t("New documents")}>
          <AddDocuments key={name} collections={[found.collection]} into={name} fixed />
        </Panel>
        <Reindex key={`${name} ${found.collection.embedding.name}`} collection={found.collection} />
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
