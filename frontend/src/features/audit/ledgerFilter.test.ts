import { expect, test } from "vitest";
import { filterOf, NO_FILTER, queryOf } from "./LedgerRowsPanel";

test("what is no filter is left out", () => {
  expect(filterOf({})).toEqual(NO_FILTER);
  expect(filterOf({ account: " ", of: "", since: "yesterday", until: "2026-13-40" })).toEqual(NO_FILTER);
  expect(filterOf({ account: " alice ", of: "abc-000", since: "2026-11-21", until: undefined })).toEqual({
    ...NO_FILTER,
    account: "alice",
    of: "abc-000",
    since: "2026-11-21",
  });
});

test("days begin at the reader's midnight, and the last one is whole", () => {
  const { since, until, account, run } = queryOf({ ...NO_FILTER, since: "2026-12-31", until: "2026-12-31" });
  expect(new Date(since ?? "")).toEqual(new Date(2026, 11, 31));
  expect(new Date(until ?? "")).toEqual(new Date(2027, 0, 1));
  expect([account, run]).toEqual([null, null]);
});
