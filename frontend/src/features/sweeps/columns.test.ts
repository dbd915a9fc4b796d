import { expect, test, vi } from "vitest";
import { client } from "@/api/client";
import { createCache } from "@/api/queries";
import type { ModelSummary, SweepDetail } from "@/api/types";
import { copyRows } from "@/components/table/csv";
import { conclusionsOf } from "./Conclusion";
import { columnsOf } from "./columns";

interface Asked {
  params: { path: { sweep_id: string } };
}

const sweep = (id: string, state: string) =>
  ({
    id,
    name: `Sweep ${id}`,
    state,
    questions: 20,
    created_at: "2026-01-01T00:00:00Z",
    annotation: { tags: ["thesis"] },
    runs: [{ config: { model: { name: "mistral" } }, counts: { scored: 20, failed: 0 } }],
    sweep: { config: { collection: "farm", dataset: "asked" }, axes: {} },
  }) as unknown as SweepDetail;

const model = (name: string, kind: string, recommended: string | null) => ({
  model: name,
  verdict: { kind, recommended, missing: [] },
  judge: null,
  metric: "CPS",
  best: "Top-k 5",
  means: [0.5, 0.625, null],
});

test("a copy has verdicts and CPS, also of sweeps whose rows were never in view", async () => {
  const answers: Record<string, object> = {
    one: { models: [model("mistral", "better", "Similarity ≥ 0.50")] },
    four: { models: [], is_computing: true },
    five: { models: [model("mistral", "no_verdict", null)] },
    two: { models: [model("a", "cannot_tell", null), model("b", "keep_baseline", null)] },
  };
  const asked = vi.spyOn(client, "GET").mockImplementation((async (_: string, init: Asked) => ({
    data: answers[init.params.path.sweep_id],
    response: new Response(),
  })) as never);
  let copied = "";
  vi.stubGlobal("navigator", {
    ...navigator,
    clipboard: {
      writeText: async (text: string) => {
        copied = text;
      },
    },
  });
  const columns = columnsOf(createCache(() => {}));
  const wanted = columns.filter(({ id }) => ["name", "verdict", "cps"].includes(id));
  const states = { one: "finished", two: "finished", three: "running", four: "finished", five: "cancelled" };
  const rows = Object.entries(states).map(([id, state]) => sweep(id, state));
  await copyRows(wanted, rows);
  expect(copied.split("\r\n")).toEqual([
    "Name,Verdict,CPS",
    "Sweep one,Similarity ≥ 0.50 (Better than the baseline),0.5; 0.625; ",
    "Sweep two,Cannot tell (a: best CPS: Top-k 5); Keep the baseline (b: best CPS: Top-k 5),0.5; 0.625; ; 0.5; 0.625; ",
    "Sweep three,,",
    "Sweep four,Computing…,Computing…",
    "Sweep five,No verdict yet,0.5; 0.625; ",
  ]);
  // A running sweep has no verdict to ask for, and each other is asked once.
  expect(asked).toHaveBeenCalledTimes(4);
  // What the screen shows filled is filled in the copy.
  await copyRows(
    columns.filter(({ id }) => id !== "duration"),
    rows.slice(0, 1),
  );
  expect(copied.split("\r\n")[1]?.split(",")).not.toContain("");
});

test("where a judge decides, the list names it and how far it was checked, and the best by its metric", () => {
  const judged = (kind: string, heading: string, recommended: string | null) => ({
    ...model("mistral", kind, recommended),
    judge: heading,
    metric: "Answer correctness",
  });
  const found = conclusionsOf([
    judged("better", "Better, says judge m (unchecked)", "Top-k 10"),
  ] as unknown as ModelSummary[]);
  expect(found).toEqual([{ heading: "Top-k 10", about: "Better, says judge m (unchecked)" }]);
  const kept = judged("keep_baseline", "Keep the baseline, says judge m (unchecked)", null);
  expect(conclusionsOf([kept] as unknown as ModelSummary[])[0]?.about).toBe(
    "Keep the baseline, says judge m (unchecked): best Answer correctness: Top-k 5",
  );
});
