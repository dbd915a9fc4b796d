import { Select, Stack } from "@mantine/core";
import { useQueries, useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { runQueries } from "@/api/runs";
import { sweepQueries } from "@/api/sweeps";
import type { ListedRun, RunComposite, SweepComposites } from "@/api/types";
import { EmptyState } from "@/components/EmptyState";
import { ButtonLink } from "@/components/links";
import { PageHead } from "@/components/PageHead";
import { QueryState } from "@/components/QueryState";
import { SteerButtons } from "@/components/steering/SteerButtons";
import { DataTable } from "@/components/table";
import { type Selection, useSelection } from "@/components/table/useRows";
import { useView } from "@/components/table/useView";
import { useAddress } from "@/components/useAddress";
import { t } from "@/words";
import { STATES as NAMES } from "@/words/states";
import { COLUMNS } from "./columns";

const route = getRouteApi("/runs");
const LIMIT = 50;
const STATES = ["queued", "running", "paused", "finished", "cancelled", "failed"] as const;

const ORDERS = ["started", "name", "sweep", "state", "model", "policy", "dataset", "questions"] as const;

/** Runs of all sweeps, found, sorted and paged by the server. */
export function RunsPage(): ReactNode {
  const { state, model, dataset } = route.useSearch();
  const address = useAddress();
  const view = useView("");
  const selection = useSelection();
  const query = useQuery(
    runQueries.page({
      find: view.find,
      order: ORDERS.find((order) => order === view.sort?.id) ?? "started",
      is_descending: view.sort?.desc ?? true,
      after: view.page * LIMIT,
      limit: LIMIT,
      ...(state ? { states: [state] } : {}),
      ...(model ? { models: [model] } : {}),
      ...(dataset ? { datasets: [dataset] } : {}),
    }),
  );
  const composites = useComposites(query.data?.items ?? []);
  const isBare = !view.find && !state && !model && !dataset && view.page === 0;
  const narrow: typeof address = (change) => address({ ...change, page: undefined }, false);
  return (
    <>
      <PageHead
        title={t("Runs")}
        lead={t("All configurations of all sweeps. Select two or more to compare them by question.")}
      />
      <QueryState query={query} height={320} />
      {query.data?.total === 0 && isBare && (
        <EmptyState title={t("No runs yet")} text={t("A sweep creates one run per configuration.")}>
          <ButtonLink to="/new">{t("Create sweep")}</ButtonLink>
        </EmptyState>
      )}
      {query.data && (query.data.total > 0 || !isBare) && (
        <Stack gap="sm">
          <DataTable
            name="runs"
            at=""
            label={t("Runs")}
            columns={COLUMNS}
            rows={query.data.items.map((item) => ({ ...item, ...composites(item) }))}
            keyOf={({ run }) => run.id}
            nameOf={({ run, sweep_name }) => `${run.name}, ${sweep_name}`}
            open={({ run }) => ({ to: "/runs/$id", params: { id: run.id } })}
            paged={{ total: query.data.total, limit: LIMIT }}
            selection={selection}
            acts={<Acts selection={selection} items={query.data.items} />}
            filters={
              <>
                <Filter
                  label={t("State")}
                  value={state}
                  onChange={(value) => narrow({ state: STATES.find((each) => each === value) })}
                  data={STATES.map((value) => ({ value, label: NAMES[value] }))}
                />
                <Filter
                  label={t("Model")}
                  value={model}
                  onChange={(value) => narrow({ model: value })}
                  data={query.data.models}
                />
                <Filter
                  label={t("Dataset")}
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
      placeholder={t("Any")}
      clearable
      clearButtonProps={{ "aria-label": t("Any") }}
      data={[...data]}
      value={value ?? null}
      onChange={(chosen) => onChange(chosen ?? undefined)}
    />
  );
}

interface ActsProps {
  selection: Selection;
  items: readonly ListedRun[];
}

/** What can be done to the runs that are ticked: compare them, or steer those that an act fits. */
function Acts({ selection, items }: ActsProps) {
  const ticked = items.filter(({ run }) => selection.has(run.id)).map(({ run }) => run);
  return (
    <>
      <ButtonLink
        to="/compare"
        search={{ runs: selection.keys.join("~") }}
        size="xs"
        disabled={selection.keys.length < 2}
      >
        {t("Compare", {}, "act")}
      </ButtonLink>
      <SteerButtons runs={ticked} />
    </>
  );
}

interface Found {
  composites: SweepComposites | undefined;
  composite: RunComposite | undefined;
}

/** CPS of the runs of a page, asked for sweep by sweep beside the list, so that it waits for none. */
function useComposites(items: readonly ListedRun[]): (item: ListedRun) => Found {
  const scored = items.filter(({ run }) => run.counts.scored > 0);
  const sweeps = [...new Set(scored.map(({ run }) => run.sweep_id))];
  const answers = useQueries({ queries: sweeps.map((id) => sweepQueries.composites(id)) });
  const bySweep = new Map(sweeps.map((id, place) => [id, answers[place]?.data]));
  return ({ run }) => {
    const composites = bySweep.get(run.sweep_id);
    return { composites, composite: composites?.items.find(({ run_id }) => run_id === run.id) };
  };
}
