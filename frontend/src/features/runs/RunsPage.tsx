import { Select, Stack } from "@mantine/core";
import { keepPreviousData } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { api } from "@/api/client";
import type { ListedRun } from "@/api/types";
import { EmptyState } from "@/components/EmptyState";
import { ButtonLink } from "@/components/links";
import { PageHead } from "@/components/PageHead";
import { ProblemNotice } from "@/components/ProblemNotice";
import { DataTable } from "@/components/table/DataTable";
import { useSelection } from "@/components/table/useSelection";
import { useTable } from "@/components/table/useTable";
import { Waiting } from "@/components/Waiting";
import { words } from "@/words";
import { Acts } from "./Acts";
import { COLUMNS, type Row } from "./columns";
import { useComposites } from "./useComposites";

const route = getRouteApi("/runs");
const label = words.runs;
const LIMIT = 50;
const POLL_MS = 2000;
const CALM_MS = 10_000;
const STATES = ["queued", "running", "paused", "finished", "cancelled", "failed"] as const;

const ORDERS = ["started", "name", "sweep", "state", "model", "policy", "dataset", "questions"] as const;

/** Runs of all sweeps, found, sorted and paged by the server. */
export function RunsPage(): ReactNode {
  const { state, model, dataset } = route.useSearch();
  const navigate = useNavigate({ from: "/runs" });
  const table = useTable<Row>("runs", COLUMNS);
  const selection = useSelection();
  const query = api.useQuery(
    "get",
    "/api/v1/runs",
    {
      params: {
        query: {
          find: table.find,
          order: ORDERS.find((order) => order === table.sort?.column) ?? "started",
          is_descending: table.sort?.isDescending ?? true,
          after: table.page * LIMIT,
          limit: LIMIT,
          ...(state ? { states: [state] } : {}),
          ...(model ? { models: [model] } : {}),
          ...(dataset ? { datasets: [dataset] } : {}),
        },
      },
    },
    {
      placeholderData: keepPreviousData,
      refetchInterval: ({ state: { data } }) => (data?.items.some(isLive) ? POLL_MS : CALM_MS),
    },
  );
  const composites = useComposites(query.data?.items ?? []);
  const isBare = !table.find && !state && !model && !dataset && table.page === 0;
  const narrow = (change: { [key in "state" | "model" | "dataset"]?: string | undefined }) =>
    navigate({
      search: (search) => ({ ...search, ...change, page: undefined }) as never,
      resetScroll: false,
    });
  return (
    <>
      <PageHead title={label.title} lead={label.lead} />
      {query.isPending && <Waiting height={320} />}
      {query.isError && <ProblemNotice error={query.error} onRetry={() => query.refetch()} />}
      {query.data?.total === 0 && isBare && (
        <EmptyState title={label.emptyTitle} text={label.empty}>
          <ButtonLink to="/new">{label.emptyAct}</ButtonLink>
        </EmptyState>
      )}
      {query.data && (query.data.total > 0 || !isBare) && (
        <Stack gap="sm">
          <DataTable
            label={label.title}
            columns={COLUMNS}
            rows={query.data.items.map((item) => ({ ...item, ...composites(item) }))}
            table={table}
            keyOf={({ run }) => run.id}
            nameOf={({ run, sweep_name }) => `${run.name}, ${sweep_name}`}
            onOpen={({ run }) => navigate({ to: "/runs/$id", params: { id: run.id } })}
            paged={{ total: query.data.total, limit: LIMIT }}
            selection={selection}
            acts={<Acts selection={selection} items={query.data.items} />}
            filters={
              <>
                <Filter
                  label={label.states}
                  value={state}
                  onChange={(value) => narrow({ state: value })}
                  data={STATES.map((value) => ({ value, label: words.shell.states[value] }))}
                />
                <Filter
                  label={label.models}
                  value={model}
                  onChange={(value) => narrow({ model: value })}
                  data={query.data.models}
                />
                <Filter
                  label={label.datasets}
                  value={dataset}
                  onChange={(value) => narrow({ dataset: value })}
                  data={query.data.datasets}
                />
              </>
            }
          />
        </Stack>
      )}
    </>
  );
}

function isLive({ run }: ListedRun): boolean {
  return run.state === "running" || run.state === "queued";
}

interface FilterProps {
  label: string;
  value: string | undefined;
  onChange: (value: string | undefined) => void;
  data: readonly (string | { value: string; label: string })[];
}

function Filter({ label: name, value, onChange, data }: FilterProps) {
  return (
    <Select
      size="xs"
      w={150}
      label={name}
      placeholder={label.any}
      clearable
      clearButtonProps={{ "aria-label": label.any }}
      data={[...data]}
      value={value ?? null}
      onChange={(chosen) => onChange(chosen ?? undefined)}
    />
  );
}
