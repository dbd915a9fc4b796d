import { expect, test } from "vitest";
import type { TimingReport } from "@/api/types";
import { formatOf, isFigure, isSameMachine, reportIn } from "./timings";

const report = (machine: object) =>
  ({
    sweep_id: "s",
    name: "This sweep",
    machine,
    configurations: [],
    questions: [],
  }) as unknown as TimingReport;
const MACHINE = {
  architecture: "x86_64",
  cpu_count: 8,
  memory_bytes: 1,
  processor: "Xeon",
  system: "Linux",
};

test("machines are the same where nothing that is known of them differs", () => {
  expect(isSameMachine(report(MACHINE), report({ ...MACHINE, core_count: 4 }))).toBe(true);
  expect(isSameMachine(report(MACHINE), report({ ...MACHINE, processor: "Epyc" }))).toBe(false);
});

test("a file holds a report, or it does not", () => {
  expect(reportIn(JSON.stringify(report(MACHINE)))).toMatchObject({ sweep_id: "s" });
  expect(reportIn("{}")).toBeNull();
  for (const change of [
    { questions: null },
    { questions: {} },
    { configurations: "all" },
    { machine: null },
    { sweep_id: 1 },
    { name: null },
  ]) {
    expect(reportIn(JSON.stringify({ ...report(MACHINE), ...change })), JSON.stringify(change)).toBeNull();
  }
  expect(reportIn("null")).toBeNull();
  expect(reportIn("no JSON")).toBeNull();
});

test("figures are written in their units", () => {
  expect(formatOf("tokens_per_s")(41.26)).toBe("41.3");
  expect(formatOf("answer_tokens")(1200)).toBe("1\u202f200");
  expect(isFigure("total_s")).toBe(true);
  expect(isFigure("load")).toBe(false);
});
