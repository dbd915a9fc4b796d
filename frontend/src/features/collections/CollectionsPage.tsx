import { Stack } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { api } from "@/api/client";
import { EmptyState } from "@/components/EmptyState";
import { Examples } from "@/components/Examples";
import { AddDocuments } from "@/components/material/AddDocuments";
import { PageHead } from "@/components/PageHead";
import { Panel } from "@/components/Panel";
import { ProblemNotice } from "@/components/ProblemNotice";
import { Waiting } from "@/components/Waiting";
import { words } from "@/words";
import { CollectionTable } from "./CollectionTable";

const label = words.collections;

export function CollectionsPage(): ReactNode {
  const query = api.useQuery("get", "/api/v1/collections");
  const navigate = useNavigate();
  const items = query.data?.items;
  const open = (name: string) => navigate({ to: "/collections/$name", params: { name } });
  return (
    <>
      <PageHead title={label.title} lead={label.lead} />
      <Stack gap="lg">
        {query.isPending && <Waiting height={160} />}
        {query.isError && <ProblemNotice error={query.error} onRetry={() => query.refetch()} />}
        {items?.length === 0 && (
          <EmptyState title={label.emptyTitle} text={label.empty}>
            <Examples onLoaded={open} />
          </EmptyState>
        )}
        {items && items.length > 0 && <CollectionTable items={items} />}
        {items && (
          <Panel title={label.add}>
            <AddDocuments
              collections={items.map(({ collection }) => collection)}
              into=""
              onAdded={(name) => open(name)}
            />
          </Panel>
        )}
      </Stack>
    </>
  );
}
