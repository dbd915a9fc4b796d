import { Stack, Text } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { api } from "@/api/client";
import { EmptyState } from "@/components/EmptyState";
import { Examples } from "@/components/Examples";
import { AddQuestions } from "@/components/material/AddQuestions";
import { PageHead } from "@/components/PageHead";
import { Panel } from "@/components/Panel";
import { ProblemNotice } from "@/components/ProblemNotice";
import { Waiting } from "@/components/Waiting";
import { words } from "@/words";
import { DatasetTable } from "./DatasetTable";

const label = words.datasets;

export function DatasetsPage(): ReactNode {
  const query = api.useQuery("get", "/api/v1/datasets");
  const navigate = useNavigate();
  const items = query.data?.items;
  const open = (name: string) => navigate({ to: "/datasets/$name", params: { name } });
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
        {items && items.length > 0 && <DatasetTable items={items} />}
        {items && (
          <Panel title={label.add}>
            {items.length > 0 && (
              <Text size="sm" c="var(--quiet)">
                {label.addVersion}
              </Text>
            )}
            <AddQuestions onAdded={(name) => open(name)} />
          </Panel>
        )}
      </Stack>
    </>
  );
}
