import { readFileSync } from "node:fs";
import { QueryClient } from "@tanstack/react-query";
import { expect, test } from "vitest";
import { forget, keepSame, markStale, STALE } from "./freshness";
import { runQueries } from "./runs";
import { sweepQueries } from "./sweeps";
import { systemQueries } from "./system";

const description = JSON.parse(readFileSync("openapi.json", "utf8")) as {
  paths: Record<string, { get?: { responses: Record<string, { content?: object }> } }>;
};

/** Paths that reply with JSON. */
const readable = Object.entries(description.paths)
  .filter(([, { get }]) => "application/json" in (get?.responses["200"]?.content ?? {}))
  .map(([path]) => path);

test("every result of runs that can be read is stale once a run has moved", () => {
  const results = readable.filter((path) =>
    /^\/api\/v1\/((sweeps|runs|imports)\/.+\/(analysis|figures|tables|timings|metrics|evaluations.*)|comparisons.*|cross-domain.*|runs\/composites.*)$/.test(
      path,
    ),
  );
  expect(results.length).toBeGreaterThan(10);
  expect(results.filter((path) => !STALE["run moved"].some((known) => known === path))).toEqual([]);
});

test("every path of the map is one that can be read", () => {
  // A comparison of retrievers changes nothing, but is asked for by POST, because what it compares fits no address.
  const known = [...readable, "/api/v1/retrievals", "/api/v1/retrievals/question"];
  expect(
    Object.values(STALE)
      .flat()
      .filter((path) => !known.includes(path)),
  ).toEqual([]);
});

function filled() {
  const cache = new QueryClient();
  const options = [sweepQueries.analysis("s"), runQueries.metrics("r"), systemQueries.prompts()];
  for (const { queryKey } of options) cache.setQueryData<unknown>(queryKey, {});
  const isStale = () => options.map(({ queryKey }) => cache.getQueryState(queryKey)?.isInvalidated);
  return { cache, isStale };
}

test("a change outdates what is computed from it, and nothing else", async () => {
  const { cache, isStale } = filled();
  await markStale(cache, ["run moved"]);
  expect(isStale()).toEqual([true, true, false]);
});

test("what was known of something deleted is removed", async () => {
  const { cache } = filled();
  cache.setQueryData(["get", "/api/v1/imports/{import_id}", {}], {});
  await forget(cache, "imports");
  expect(cache.getQueryData(["get", "/api/v1/imports/{import_id}", {}])).toBeUndefined();
  expect(cache.getQueryData(systemQueries.prompts().queryKey)).toEqual({});
});

test("the previous reply is kept for another decision about the same subject only", () => {
  const before = sweepQueries.analysis("a", { panel: "phase2" });
  const kept = keepSame({ sweep_id: "a" })("reply", before as { queryKey: readonly unknown[] });
  expect(kept).toBe("reply");
  expect(keepSame({ sweep_id: "b" })("reply", before as { queryKey: readonly unknown[] })).toBeUndefined();
  expect(keepSame({ sweep_id: "a" })(undefined, undefined)).toBeUndefined();
});
