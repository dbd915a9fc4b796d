import { api, at } from "./client";
import { FIXED } from "./freshness";
import type { PairChoice } from "./types";

export const pairQueries = {
  /** Pairs of answers that differ most in CPS, blind. */
  drawn: (sweep_id: string) =>
    api.queryOptions("get", "/api/v1/sweeps/{sweep_id}/answer-pairs", at({ sweep_id }), FIXED),
  /** How far a person's choices among these pairs agree with CPS. */
  agreement: (sweep_id: string, choices: PairChoice[]) =>
    api.queryOptions(
      "post",
      "/api/v1/sweeps/{sweep_id}/answer-pairs/choices",
      { ...at({ sweep_id }), body: { choices } },
      FIXED,
    ),
};
