import { expect, test } from "vitest";
import { createCache } from "./queries";
import { runQueries } from "./runs";
import { sweepQueries } from "./sweeps";
import type { Run, RunState, SweepDetail } from "./types";

const run = (state: RunState, finished_at: string | null = null) =>
  ({ id: "s-0", sweep_id: "s", state, finished_at }) as Run;

function setUp() {
  const cache = createCache(() => {});
  const { queryKey } = sweepQueries.analysis("s");
  cache.setQueryData<unknown>(queryKey, {});
  return {
    isStale: () => cache.getQueryState(queryKey)?.isInvalidated,
    hearSweep: (...runs: Run[]) =>
      cache.setQueryData(sweepQueries.detail("s").queryKey, { runs } as unknown as SweepDetail),
    hearRun: (one: Run) => cache.setQueryData(runQueries.detail("s-0").queryKey, one),
    hearLists: (one: Run) => {
      cache.setQueryData(sweepQueries.all().queryKey, [{ runs: [one] }] as unknown as SweepDetail[]);
      cache.setQueryData(runQueries.search({}).queryKey, { items: [{ run: one }] } as never);
    },
  };
}

test("results stay fresh while no run moves", () => {
  const { isStale, hearSweep, hearRun, hearLists } = setUp();
  hearSweep(run("finished", "t1"));
  hearRun(run("finished", "t1"));
  hearLists(run("finished", "t1"));
  expect(isStale()).toBe(false);
});

test.each([
  ["it finished", run("running"), run("finished", "t1")],
  ["it was opened again", run("finished", "t1"), run("queued", "t1")],
  ["it finished again meanwhile", run("finished", "t1"), run("finished", "t2")],
])("results are stale when a sweep reports that %s", (_, before, after) => {
  const { isStale, hearSweep } = setUp();
  hearSweep(before);
  hearSweep(after);
  expect(isStale()).toBe(true);
});

test("a move that another page reports counts too", () => {
  const { isStale, hearSweep, hearRun } = setUp();
  hearSweep(run("running"));
  hearRun(run("finished", "t1"));
  expect(isStale()).toBe(true);
});
