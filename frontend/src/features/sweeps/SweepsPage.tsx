import { Group, Stack, Text } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { lazy, type ReactNode, Suspense, useMemo } from "react";
import { optional } from "@/api/chunks";
import { type SweepFilter, sweepQueries } from "@/api/sweeps";
import type { SweepDetail } from "@/api/types";
import { ButtonLink, SmallLink } from "@/components/links";
import { PageHead } from "@/components/PageHead";
import { QueryState } from "@/components/QueryState";
import { DataTable } from "@/components/table";
import { useSelection } from "@/components/table/useRows";
import { t } from "@/words";
import { columnsOf } from "./columns";

const route = getRouteApi("/");

// Only a new installation shows it, so it is no part of the first load.
const NoSweeps = lazy(optional(() => import("./NoSweeps")));

export function SweepsPage(): ReactNode {
  const { after, tag, archived } = route.useSearch();
  const sweeps = useQuery(sweepQueries.page({ after, tag, archived }));
  const items = sweeps.data?.items;
  const isFiltered = tag !== undefined || archived !== undefined;
  return (
    <>
      <PageHead
        title={t("Sweeps")}
        lead={t("A sweep runs one dataset with several configurations and shows which performs best.")}
        actions={
          items && (
            <>
              <ArchiveLink tag={tag} archived={archived} />
              {items.length > 0 && <ButtonLink to="/new">{t("New sweep")}</ButtonLink>}
            </>
          )
        }
      />
      <QueryState query={sweeps} height={160} />
      {tag !== undefined && <TagFilter tag={tag} archived={archived} />}
      {items?.length === 0 && !sweeps.isError && (isFiltered ? <None /> : <Empty />)}
      {items && items.length > 0 && (
        <Stack gap="sm">
          <SweepTable items={items} />
          {sweeps.data?.next && (
            <Group justify="center">
              <ButtonLink
                to="/"
                search={{ after: sweeps.data.next, tag, archived }}
                variant="default"
                size="xs"
              >
                {t("Show older sweeps")}
              </ButtonLink>
            </Group>
          )}
        </Stack>
      )}
    </>
  );
}

function TagFilter({ tag, archived }: { tag: string } & Pick<SweepFilter, "archived">) {
  return (
    <Group gap="sm" mb="sm">
      <Text size="sm">{t("Tag: {tag}", { tag })}</Text>
      <SmallLink to="/" search={{ archived }}>
        {t("Show all tags")}
      </SmallLink>
    </Group>
  );
}

function ArchiveLink({ tag, archived }: Pick<SweepFilter, "tag" | "archived">) {
  return (
    <SmallLink to="/" search={archived ? { tag } : { tag, archived: "yes" }} mx="xs">
      {archived ? t("Show current sweeps") : t("Show archived sweeps")}
    </SmallLink>
  );
}

function None() {
  return <Text c="var(--quiet)">{t("No sweeps match these filters.")}</Text>;
}

/** Nothing yet: what to do next. */
function Empty() {
  return (
    <Suspense>
      <NoSweeps />
    </Suspense>
  );
}

// Nothing is ticked at first, so the buttons are no part of the first load.
const TickedActs = lazy(
  optional(() => import("./TickedActs").then(({ TickedActs }) => ({ default: TickedActs }))),
);

/** All sweeps, newest first; a row opens its sweep, and what is ticked is steered together. */
function SweepTable({ items }: { items: SweepDetail[] }) {
  const selection = useSelection();
  const cache = useQueryClient();
  const columns = useMemo(() => columnsOf(cache), [cache]);
  return (
    <DataTable
      name="sweeps"
      at=""
      label={t("Sweeps")}
      columns={columns}
      rows={items}
      keyOf={({ id }) => id}
      nameOf={({ name }) => name}
      open={({ id }) => ({ to: "/sweeps/$id", params: { id } })}
      selection={selection}
      acts={
        <Suspense fallback={null}>
          <TickedActs selection={selection} items={items} />
        </Suspense>
      }
    />
  );
}
