import { api } from "./client";
import { IN_PLACE, LIVE } from "./freshness";

/** The secret of a rater's link comes after the #, which browsers send to no server, so that no log holds it. */
const HEADER = { "X-Rating-Link": globalThis.location?.hash.slice(1) || "-" };
const PAIR = "/api/v1/rating-sheet/pairs/{pair_id}";

export const sheetQueries = {
  /** The pairs of the rater whose link this page was opened with. */
  sheet: () => api.queryOptions("get", "/api/v1/rating-sheet", { params: { header: HEADER } }, LIVE),
  /** Two answers to one question. */
  pair: (pair_id: string) =>
    api.queryOptions("get", PAIR, { params: { path: { pair_id }, header: HEADER } }, LIVE),
};

/** Reserve the next pair of the rater, so that two raters do not get the same one at once. */
export const useReservePair = () => api.useMutation("post", "/api/v1/rating-sheet/next", IN_PLACE);

/** What it is sent with. */
export const next = (after: string | null) => ({ params: { header: HEADER }, body: { after } });

/** Save a choice; the caller shows refusals beside the buttons. */
export const useChoice = () => api.useMutation("post", PAIR, IN_PLACE);

/** What a choice is sent with. */
export const choiceOf = (pair_id: string) => ({ path: { pair_id }, header: HEADER });
