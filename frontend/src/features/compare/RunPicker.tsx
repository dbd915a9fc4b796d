import { Select } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { runQueries } from "@/api/runs";
import { t } from "@/words";
import type { Chosen } from "./useChosen";

const TYPED_MS = 200;
const SHOWN = 20;

/** Finds a run by its name or its sweep's, and adds it. */
export function RunPicker({ chosen }: { chosen: Chosen }) {
  const [typed, setTyped] = useState("");
  const [find] = useDebouncedValue(typed, TYPED_MS);
  const query = useQuery(runQueries.search({ find, limit: SHOWN }));
  const data = (query.data?.items ?? [])
    .filter(({ run }) => !chosen.runs.includes(run.id))
    .map(({ run, sweep_name }) => ({
      value: run.id,
      label: `${run.name}, ${run.config.model.name} (${sweep_name})`,
    }));
  return (
    <Select
      w="min(100%, 28rem)"
      label={t("Add a run")}
      description={t("Type part of the name of the run or its sweep.")}
      searchable
      data={data}
      value={null}
      searchValue={typed}
      onSearchChange={setTyped}
      // What was found is already narrowed by the server.
      filter={({ options }) => options}
      nothingFoundMessage={t("No runs match.")}
      onChange={(id) => {
        if (id) chosen.add(id);
        setTyped("");
      }}
    />
  );
}
