import { api, at } from "./client";
import {
  CALM_MS,
  changing,
  changingInPlace,
  FIXED,
  KEPT,
  keepSame,
  LIVE,
  POLL_MS,
  type QueryOf,
} from "./freshness";
import type { AddRequest, ArenaRequest, ListedTournament, RuleRequest, Sending } from "./types";

/** Whether the judge of a tournament, or of a configuration added to it, is at work or waits for its turn. */
export function isPlaying({ job, added = [] }: Pick<ListedTournament, "job" | "added">): boolean {
  return [job, ...added].some((each) => each?.state === "queued" || each?.state === "running");
}

const of = (tournament_id: string) => at({ tournament_id });

export const arenaQueries = {
  /** All tournaments, or those of a sweep, the newest first. */
  list: (sweep?: string) =>
    api.queryOptions(
      "get",
      "/api/v1/tournaments",
      { params: { query: sweep ? { sweep } : {} } },
      { ...LIVE, refetchInterval: ({ state }) => (state.data?.items.some(isPlaying) ? POLL_MS : CALM_MS) },
    ),
  detail: (id: string) =>
    api.queryOptions("get", "/api/v1/tournaments/{tournament_id}", of(id), {
      ...LIVE,
      refetchInterval: ({ state }) => (state.data && isPlaying(state.data) ? POLL_MS : false),
    }),
  /** Ratings and figures of the games that count, as far as they are played. */
  ratings: (id: string, moves: boolean, query: QueryOf<"/api/v1/tournaments/{tournament_id}/ratings">) =>
    api.queryOptions("get", "/api/v1/tournaments/{tournament_id}/ratings", at({ tournament_id: id }, query), {
      ...LIVE,
      placeholderData: keepSame({ tournament_id: id }),
      refetchInterval: moves ? POLL_MS : false,
    }),
  /** How far another tournament of the same systems agrees. */
  comparison: (id: string, query: QueryOf<"/api/v1/tournaments/{tournament_id}/comparison">) =>
    api.queryOptions(
      "get",
      "/api/v1/tournaments/{tournament_id}/comparison",
      at({ tournament_id: id }, query),
      LIVE,
    ),
  /** The games of one system against another. */
  games: (id: string, system: string, opponent: string) =>
    api.queryOptions(
      "get",
      "/api/v1/tournaments/{tournament_id}/games",
      at({ tournament_id: id }, { system, opponent }),
      LIVE,
    ),
  /** One game with its texts and the judge's replies. */
  game: (id: string, game: { question: string; a: string; b: string }) =>
    api.queryOptions(
      "get",
      "/api/v1/tournaments/{tournament_id}/game",
      at({ tournament_id: id }, game),
      FIXED,
    ),
  /** The tournaments of people whose games were drawn from this one. */
  people: (id: string) => api.queryOptions("get", "/api/v1/tournaments/{tournament_id}/people", of(id), LIVE),
  /** Raters of a tournament of people, their agreement, and that of the judge with them. */
  raters: (id: string) => api.queryOptions("get", "/api/v1/tournaments/{tournament_id}/raters", of(id), LIVE),
  /** The number of games and requests and the cost, before the start. */
  plan: (body: Sending<ArenaRequest>) =>
    api.queryOptions("post", "/api/v1/tournaments/plan", { body: body as ArenaRequest }, KEPT),
  /** What a stored score would decide. */
  planByScore: (body: RuleRequest) =>
    api.queryOptions("post", "/api/v1/tournaments/by-rule/plan", { body }, KEPT),
  /** The most games and requests of a configuration that would be added. */
  planOfAdding: (id: string, body: AddRequest) =>
    api.queryOptions("post", "/api/v1/tournaments/{tournament_id}/systems/plan", { ...of(id), body }, KEPT),
};

/** Start a tournament; the caller shows refusals beside the form. */
export const useStartTournament = () =>
  api.useMutation("post", "/api/v1/tournaments", changingInPlace("tournaments"));

/** Decide the games of runs by a stored score; the caller shows refusals beside the form. */
export const useStartByScore = () =>
  api.useMutation("post", "/api/v1/tournaments/by-rule", changingInPlace("tournaments"));

/** Add a configuration to a tournament; the caller shows refusals beside the form. */
export const useAddSystem = () =>
  api.useMutation("post", "/api/v1/tournaments/{tournament_id}/systems", changingInPlace("tournaments"));

/** Import a table of games; the caller shows refusals beside the form. */
export const useImportGames = () =>
  api.useMutation("post", "/api/v1/tournaments/import", changingInPlace("tournaments"));

/** Draw games for people; the caller shows the links, which are returned once, and refusals. */
export const useStartPeople = () =>
  api.useMutation("post", "/api/v1/tournaments/{tournament_id}/people", changingInPlace("tournaments"));

/** Draw games of runs for people; the caller shows the links, which are returned once, and refusals. */
export const useStartPeopleOfRuns = () =>
  api.useMutation("post", "/api/v1/tournaments/people", changingInPlace("tournaments"));

/** Make a link for a rater, in place of an earlier one; the caller shows it, and refusals. */
export const useRatingLink = () =>
  api.useMutation("post", "/api/v1/tournaments/{tournament_id}/raters", changingInPlace("tournaments"));

/** Make the link of a rater open nothing. */
export const useRevokeLink = () =>
  api.useMutation("delete", "/api/v1/tournaments/{tournament_id}/raters/{rater}", changing("tournaments"));
