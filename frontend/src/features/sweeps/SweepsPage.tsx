import { Group, Stack } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { api } from "@/api/client";
import { EmptyState } from "@/components/EmptyState";
import { Examples } from "@/components/Examples";
import { ButtonLink } from "@/components/links";
import { PageHead } from "@/components/PageHead";
import { ProblemNotice } from "@/components/ProblemNotice";
import { Waiting } from "@/components/Waiting";
import { words } from "@/words";
import { SweepTable } from "./SweepTable";

const route = getRouteApi("/");
const POLL_MS = 2000;
// Another tab or the command line may start a sweep.
const CALM_MS = 10_000;
const LIMIT = 50;

export function SweepsPage(): ReactNode {
  const { after } = route.useSearch();
  const sweeps = api.useQuery(
    "get",
    "/api/v1/sweeps",
    { params: { query: { limit: LIMIT, ...(after ? { cursor: after } : {}) } } },
    {
      refetchInterval: ({ state }) =>
        state.data?.items.some((item) => item.state === "running" || item.state === "queued")
          ? POLL_MS
          : CALM_MS,
    },
  );
  const items = sweeps.data?.items;
  return (
    <>
      <PageHead
        title={words.sweeps.title}
        lead={words.sweeps.lead}
        actions={items && items.length > 0 ? <ButtonLink to="/new">{words.shell.newSweep}</ButtonLink> : null}
      />
      {sweeps.isPending && <Waiting height={160} />}
      {sweeps.isError && <ProblemNotice error={sweeps.error} onRetry={() => sweeps.refetch()} />}
      {items?.length === 0 && !sweeps.isError && <Empty />}
      {items && items.length > 0 && (
        <Stack gap="sm">
          <SweepTable items={items} />
          {sweeps.data?.next && (
            <Group justify="center">
              <ButtonLink to="/" search={{ after: sweeps.data.next }} variant="default" size="xs">
                {words.sweeps.older}
              </ButtonLink>
            </Group>
          )}
        </Stack>
      )}
    </>
  );
}

/** Nothing yet: what to do next. */
function Empty() {
  return (
    <EmptyState title={words.sweeps.emptyTitle} text={words.sweeps.empty}>
      <ButtonLink to="/new">{words.sweeps.emptyOwn}</ButtonLink>
      <Examples />
    </EmptyState>
  );
}
