import { Select } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "@/api/client";
import { words } from "@/words";
import type { Chosen } from "./useChosen";

const label = words.compare;
const TYPED_MS = 200;
const SHOWN = 20;

/** Finds a run by its name or its sweep's, and adds it. */
export function RunPicker({ chosen }: { chosen: Chosen }) {
  const [typed, setTyped] = useState("");
  const [find] = useDebouncedValue(typed, TYPED_MS);
  const query = api.useQuery(
    "get",
    "/api/v1/runs",
    { params: { query: { find, limit: SHOWN } } },
    { placeholderData: keepPreviousData },
  );
  const data = (query.data?.items ?? [])
    .filter(({ run }) => !chosen.runs.includes(run.id))
    .map(({ run, sweep_name }) => ({
      value: run.id,
      label: `${run.name}, ${run.config.model.name} (${sweep_name})`,
    }));
  return (
    <Select
      w="min(100%, 28rem)"
      label={label.add}
      description={label.addHint}
      searchable
      data={data}
      value={null}
      searchValue={typed}
      onSearchChange={setTyped}
      // What was found is already narrowed by the server.
      filter={({ options }) => options}
      nothingFoundMessage={label.none}
      onChange={(id) => {
        if (id) chosen.add(id);
        setTyped("");
      }}
    />
  );
}
