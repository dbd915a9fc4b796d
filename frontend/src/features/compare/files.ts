import { inProject } from "@/api/project";
import type { RunComparison } from "@/api/types";

type Query = Record<string, string>;

/** Address of a file about the runs compared. */
export function fileOf({ runs, baseline }: RunComparison, path: string, query: Query): string {
  const search = new URLSearchParams(runs.map(({ id }) => ["run", id]));
  for (const [name, value] of Object.entries({ baseline, ...query })) search.append(name, value);
  return inProject(`/api/v1/comparisons/${path}?${search}`);
}
