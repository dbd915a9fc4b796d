import { Stack, Text } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { api } from "@/api/client";
import { Problem } from "@/api/problem";
import type { CollectionDetail } from "@/api/types";
import { Facts } from "@/components/Facts";
import { AnchorLink, ButtonLink } from "@/components/links";
import { AddDocuments } from "@/components/material/AddDocuments";
import { DeleteMaterial } from "@/components/material/DeleteMaterial";
import { formatCount } from "@/components/numbers/format";
import { PageHead } from "@/components/PageHead";
import { Panel } from "@/components/Panel";
import { ProblemNotice } from "@/components/ProblemNotice";
import { Waiting } from "@/components/Waiting";
import { words } from "@/words";
import { DocumentTable } from "./DocumentTable";
import { Search } from "./Search";

const route = getRouteApi("/collections/$name");
const label = words.collections;

/** One collection: searched, extended, deleted. */
export function CollectionPage(): ReactNode {
  const { name } = route.useParams();
  const query = api.useQuery("get", "/api/v1/collections");
  const found = query.data?.items.find(({ collection }) => collection.name === name);
  const trail = (
    <AnchorLink to="/collections" size="sm">
      {label.all}
    </AnchorLink>
  );
  if (query.isPending) return <Waiting height={240} />;
  if (query.isError) return <ProblemNotice error={query.error} onRetry={() => query.refetch()} />;
  if (!found) {
    return (
      <>
        <PageHead title={name} trail={trail} />
        <ProblemNotice error={new Problem(404, label.missingTitle, label.missing(name))} />
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
              {label.use}
            </ButtonLink>
            <DeleteMaterial
              kind="collections"
              name={name}
              text={label.deleteText(formatCount(found.documents.length), formatCount(found.passages))}
            />
          </>
        }
      />
      <Stack gap="lg">
        <Bound detail={found} />
        <Search collection={name} />
        <DocumentTable documents={found.documents} />
        <Panel title={label.add}>
          <AddDocuments key={name} collections={[found.collection]} into={name} fixed />
        </Panel>
      </Stack>
    </>
  );
}

/** What the collection holds, and what it is bound to. */
function Bound({ detail: { collection, documents, passages } }: { detail: CollectionDetail }) {
  const { chunking, embedding } = collection;
  const unit = words.materials.units[chunking.unit];
  return (
    <Stack gap="xs">
      <Facts
        facts={[
          [label.documents, formatCount(documents.length)],
          [label.passages, formatCount(passages)],
          [label.size, label.chunk(formatCount(chunking.chunk_size), unit)],
          [label.overlap, label.chunk(formatCount(chunking.chunk_overlap), unit)],
          [
            label.embedding,
            <span key="model" title={embedding.digest}>
              {embedding.name}, {label.dimension(formatCount(embedding.dimension))}
            </span>,
          ],
        ]}
      />
      <Text size="sm" c="var(--quiet)">
        {label.bound}
      </Text>
    </Stack>
  );
}
