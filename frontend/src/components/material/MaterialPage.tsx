import { Stack } from "@mantine/core";
import type { ReactNode } from "react";
import type { JobsQuery } from "@/api/jobs";
import { EmptyState } from "@/components/EmptyState";
import { Examples } from "@/components/Examples";
import { ForRole } from "@/components/ForRole";
import { PageHead } from "@/components/PageHead";
import { Panel } from "@/components/Panel";
import { QueryState } from "@/components/QueryState";
import { RunningJobs } from "@/components/RunningJobs";

interface Props<Item> {
  words: { title: string; lead: string; emptyTitle: string; empty: string; add: string };
  query: {
    data: { items: Item[] } | undefined;
    isPending: boolean;
    isError: boolean;
    error: unknown;
    refetch: () => unknown;
  };
  onOpen: (name: string) => void;
  /** Which running work makes more of it. */
  jobs: JobsQuery;
  table: (items: Item[]) => ReactNode;
  /** How something is added. */
  add: (items: Item[]) => ReactNode;
}

/** All that there is of one kind of material, what to do while there is none, and the way to add to it. */
export function MaterialPage<Item>({ words, query, onOpen, jobs, table, add }: Props<Item>) {
  const items = query.data?.items;
  return (
    <>
      <PageHead title={words.title} lead={words.lead} />
      <Stack gap="lg">
        <QueryState query={query} height={160} />
        {items?.length === 0 && (
          <EmptyState title={words.emptyTitle} text={words.empty}>
            <Examples onLoaded={onOpen} />
          </EmptyState>
        )}
        <RunningJobs query={jobs} changes={["collections", "datasets"]} />
        {items && items.length > 0 && table(items)}
        {items && (
          <ForRole>
            <Panel title={words.add}>{add(items)}</Panel>
          </ForRole>
        )}
      </Stack>
    </>
  );
}
