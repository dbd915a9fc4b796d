import { MultiSelect } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { sweepQueries } from "@/api/sweeps";
import { t } from "@/words";

export interface Chosen {
  sweeps: string[];
  runs: string[];
}

/** The runs that a request names: those that are chosen, or all of the sweeps; undefined while too few are. */
export function runsOf({ sweeps, runs }: Chosen): string[] | undefined {
  if (sweeps.length === 0 || runs.length === 1) return undefined;
  return runs.length > 0 ? runs : sweeps;
}

/** Two fields: sweeps, and those of their configurations that play; none means all of them. */
export function Entrants({ sweeps, runs, onChange }: Chosen & { onChange: (next: Chosen) => void }) {
  const known = useQuery(sweepQueries.all()).data ?? [];
  const chosen = known.filter(({ id }) => sweeps.includes(id));
  const ids = new Set(chosen.flatMap((each) => each.runs.map(({ id }) => id)));
  return (
    <>
      <MultiSelect
        label={t("Sweeps")}
        description={t("Several sweeps must ask the same questions.")}
        data={known.map(({ id, sweep: { name } }) => ({ value: id, label: name }))}
        value={sweeps}
        onChange={(next) =>
          onChange({ sweeps: next, runs: runs.filter((run) => next.some((id) => run.startsWith(`${id}-`))) })
        }
        searchable
      />
      <MultiSelect
        label={t("Configurations")}
        description={t("Empty means all configurations.")}
        data={chosen.map((each) => ({
          group: each.sweep.name,
          items: each.runs.map(({ id, name }) => ({ value: id, label: name })),
        }))}
        value={runs.filter((run) => ids.has(run))}
        onChange={(next) => onChange({ sweeps, runs: next })}
        error={runs.length === 1 && t("A tournament needs two configurations or more.")}
        searchable
      />
    </>
  );
}
