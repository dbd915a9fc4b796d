import { MultiSelect, Select } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { sweepQueries } from "@/api/sweeps";
import { t } from "@/words";

export interface Chosen {
  sweep: string | null;
  runs: string[];
}

/** The runs that a request names: those that are chosen, or all of the sweep; undefined while too few are. */
export function runsOf({ sweep, runs }: Chosen): string[] | undefined {
  if (!sweep || runs.length === 1) return undefined;
  return runs.length > 0 ? runs : [sweep];
}

/** Two fields: a sweep, and those of its configurations that play; none means all of them. */
export function Entrants({ sweep, runs, onChange }: Chosen & { onChange: (next: Chosen) => void }) {
  const known = useQuery(sweepQueries.all()).data ?? [];
  const configurations = known.find(({ id }) => id === sweep)?.runs ?? [];
  return (
    <>
      <Select
        label={t("Sweep")}
        data={known
          .filter((each) => each.runs.length > 1)
          .map(({ id, sweep: { name } }) => ({ value: id, label: name }))}
        value={sweep}
        onChange={(next) => onChange({ sweep: next, runs: [] })}
        searchable
      />
      <MultiSelect
        label={t("Configurations")}
        description={t("Empty means all of them.")}
        data={configurations.map(({ id, name }) => ({ value: id, label: name }))}
        value={runs}
        onChange={(next) => onChange({ sweep, runs: next })}
        error={runs.length === 1 && t("A tournament needs two configurations or more.")}
        searchable
      />
    </>
  );
}
