import { keepPreviousData, type QueryClient } from "@tanstack/react-query";
import type { PathsWithMethod } from "openapi-typescript-helpers";
import type { paths } from "./schema";

const SECOND = 1000;

type ReadPath = PathsWithMethod<paths, "get">;
export type QueryOf<Path extends ReadPath> = NonNullable<paths[Path]["get"]["parameters"]["query"]>;

/** State that changes by itself: sweeps under way, lists, connections. */
export const LIVE = { staleTime: 2 * SECOND };
/** The same for an answer that stays on screen while the next one is asked for. */
export const KEPT = { ...LIVE, placeholderData: keepPreviousData };
/** Results computed from stored answers; `STALE` says which changes outdate them sooner. */
export const DERIVED = { staleTime: 60 * SECOND };
/** Content that never changes under its address. */
export const FIXED = { staleTime: Number.POSITIVE_INFINITY };

/** How often to ask for something that is under way, and for something that another process may start. */
export const POLL_MS = 2 * SECOND;
export const CALM_MS = 10 * SECOND;

/** The paths whose cached replies a change makes stale. */
export const STALE = {
  "run moved": [
    "/api/v1/sweeps/{sweep_id}/analysis",
    "/api/v1/sweeps/{sweep_id}/figures",
    "/api/v1/sweeps/{sweep_id}/pairs",
    "/api/v1/sweeps/{sweep_id}/summary",
    "/api/v1/sweeps/{sweep_id}/tables",
    "/api/v1/sweeps/{sweep_id}/questions",
    "/api/v1/sweeps/{sweep_id}/questions/{number}",
    "/api/v1/sweeps/{sweep_id}/timings",
    "/api/v1/runs/composites/{sweep_id}",
    "/api/v1/runs/{run_id}/metrics",
    "/api/v1/runs/{run_id}/evaluations",
    "/api/v1/runs/{run_id}/evaluations/{number}",
    "/api/v1/runs/{run_id}/evaluations/{number}/grounding",
    "/api/v1/runs/{run_id}/evaluations/{number}/judged",
    "/api/v1/runs/{run_id}/evaluations/{number}/thumbs",
    "/api/v1/answers/{key}/thumbs",
    "/api/v1/runs/{run_id}/entries",
    "/api/v1/comparisons",
    "/api/v1/comparisons/figures",
    "/api/v1/comparisons/origins",
    "/api/v1/comparisons/questions",
    "/api/v1/comparisons/tables",
    "/api/v1/cross-domain",
    "/api/v1/cross-domain/figures",
    "/api/v1/cross-domain/tables",
    // Sheets may be analysed with the constants of a sweep.
    "/api/v1/imports/{import_id}/analysis",
    "/api/v1/imports/{import_id}/figures",
    "/api/v1/imports/{import_id}/tables",
  ],
  sweeps: [
    "/api/v1/sweeps",
    "/api/v1/sweeps/{sweep_id}",
    "/api/v1/runs",
    "/api/v1/runs/{run_id}",
    // Datasets count the sweeps that use them.
    "/api/v1/datasets/{name}/versions",
  ],
  collections: ["/api/v1/collections", "/api/v1/collections/{name}/passages"],
  datasets: ["/api/v1/datasets", "/api/v1/datasets/{name}", "/api/v1/datasets/{name}/versions"],
  imports: ["/api/v1/imports", "/api/v1/imports/{import_id}"],
  assessments: [
    "/api/v1/assessments",
    "/api/v1/assessments/{assessment_id}",
    "/api/v1/assessments/{assessment_id}/agreement",
    "/api/v1/assessments/{assessment_id}/runs/{run_id}",
    "/api/v1/assessments/{assessment_id}/tunings",
    "/api/v1/runs/{run_id}/evaluations/{number}/judged",
  ],
  drafts: ["/api/v1/drafts", "/api/v1/drafts/{drafting_id}"],
  labels: [
    "/api/v1/labels/draws",
    "/api/v1/assessments/{assessment_id}",
    "/api/v1/assessments/{assessment_id}/agreement",
    "/api/v1/sweeps/{sweep_id}/analysis",
  ],
  tournaments: [
    "/api/v1/tournaments",
    "/api/v1/tournaments/{tournament_id}",
    "/api/v1/tournaments/{tournament_id}/ratings",
    "/api/v1/tournaments/{tournament_id}/games",
    "/api/v1/tournaments/{tournament_id}/game",
    "/api/v1/tournaments/{tournament_id}/people",
    "/api/v1/tournaments/{tournament_id}/raters",
  ],
  thumbs: ["/api/v1/runs/{run_id}/evaluations/{number}/thumbs", "/api/v1/answers/{key}/thumbs"],
  rankings: ["/api/v1/rankings", "/api/v1/retrievals", "/api/v1/retrievals/question"],
  "passage ratings": ["/api/v1/rankings", "/api/v1/retrievals/ratings"],
  "term maps": ["/api/v1/term-maps", "/api/v1/term-maps/{name}"],
  models: ["/api/v1/models", "/api/v1/system"],
  accounts: [
    "/api/v1/users",
    "/api/v1/identities",
    "/api/v1/tokens",
    "/api/v1/session",
    "/api/v1/projects/{project}/members",
    "/api/v1/activity",
  ],
  jobs: ["/api/v1/jobs"],
  ledger: [
    "/api/v1/ledger/head",
    "/api/v1/ledger/wallet",
    "/api/v1/ledger/entries",
    "/api/v1/studies",
    "/api/v1/runs/{run_id}/entries",
  ],
  // A comparison is asked for by POST and stored like what is read.
} as const satisfies Record<
  string,
  readonly (ReadPath | "/api/v1/retrievals" | "/api/v1/retrievals/question")[]
>;

export type Change = keyof typeof STALE;

/** Options of a mutation: what it outdates. */
export const changing = (...changes: Change[]) => ({ meta: { changes } });
/** Of a mutation that outdates nothing and whose caller shows refusals in place. */
export const IN_PLACE = { meta: { shown: true } };
/** The same, of a mutation that outdates something. */
export const changingInPlace = (...changes: Change[]) => ({ meta: { shown: true, changes } });

/** Mark what a change outdates; what is on screen is fetched again, and the promise waits for it. */
export async function markStale(cache: QueryClient, changes: readonly Change[]): Promise<void> {
  const outdated = new Set<unknown>(changes.flatMap((change) => STALE[change]));
  await cache.invalidateQueries({ predicate: ({ queryKey: [, path] }) => outdated.has(path) });
}

/** Remove the replies about something that was deleted; lists are fetched again when they are next shown. */
export async function forget(cache: QueryClient, change: Change): Promise<void> {
  const outdated = new Set<unknown>(STALE[change]);
  cache.removeQueries({ type: "inactive", predicate: ({ queryKey: [, path] }) => outdated.has(path) });
  await markStale(cache, [change]);
}

/**
 * Keep the previous reply on screen while another one about the same subject is loaded, never one about another
 * subject; `subject` holds the parameters that name it.
 */
export function keepSame(subject: Record<string, string>) {
  return <Data>(previous: Data | undefined, query?: { queryKey: readonly unknown[] }): Data | undefined => {
    const init = query?.queryKey[2] as { params?: { path?: object; query?: object } } | undefined;
    const known: Record<string, unknown> = { ...init?.params?.path, ...init?.params?.query };
    const isSame = Object.entries(subject).every(([name, value]) => known[name] === value);
    return isSame ? previous : undefined;
  };
}
