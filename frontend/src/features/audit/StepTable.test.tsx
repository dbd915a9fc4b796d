import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { renderPart } from "@/test-page";
import type { Step, StudyResult, Verification } from "@/verify";
import { Result } from "./Result";

const step = (name: Step["name"], outcome: Step["outcome"], why: Step["why"] = null): Step =>
  ({
    name,
    outcome,
    why,
    facts: [],
    more: 0,
    member: null,
    number: null,
    question: null,
    field: null,
  }) as unknown as Step;

const found = (...steps: Step[]) =>
  ({ verdict: "verified", questions: 3, run_id: null, steps }) as unknown as Verification;

test("that a ledger is local is said once, for all checks that need a blockchain", async () => {
  const steps = [
    step("entry", "pass"),
    step("transaction_id", "not_checked", "in_a_local_ledger"),
    step("action", "not_checked", "no_transaction"),
    step("signer", "not_checked", "in_a_local_ledger"),
    step("block", "not_checked", "in_a_local_ledger"),
  ];
  await renderPart(<Result name="study.zip" found={found(...steps)} />);
  const row = screen.getByText(/recorded in a local ledger/).closest("tr") as HTMLElement;
  for (const title of [/match the transaction bytes/, /signed by its creator/, /match the block headers/])
    expect(within(row).getByText(title)).toBeVisible();
  expect(screen.getAllByRole("row")).toHaveLength(4);
  // A node knows nothing of a local ledger, so that no command for it is offered.
  expect(screen.queryByText(/--chain NODE/)).not.toBeInTheDocument();
});

test("checks that passed, or were left out for other reasons, have rows of their own", async () => {
  const steps = [
    step("root", "pass"),
    step("means", "pass"),
    step("signer", "not_checked", "no_chain_asked"),
    step("stamps", "not_checked", "no_stamp"),
  ];
  await renderPart(<Result name="run.zip" found={found(...steps)} />);
  expect(screen.getAllByRole("row")).toHaveLength(5);
  expect(screen.getByText(/--chain NODE/)).toBeVisible();
});

const result: StudyResult = {
  conclusions: [
    {
      model: "small",
      kind: "better",
      recommended: "Similarity ≥ 0.50",
      gain: 0.0612,
      low: 0.041,
      high: 0.0813,
      setting: '{"k":3,"mode":"normal"}',
      line: "",
    },
    {
      model: "large",
      kind: "no_verdict",
      recommended: null,
      gain: null,
      low: null,
      high: null,
      setting: null,
      line: "",
    },
  ],
  unchecked_judge: null,
  planned_at: "2026-01-02T03:04:05Z",
  finished_at: "2026-01-03T03:04:05Z",
  dataset: "farm",
  questions: 60,
  configurations: 8,
  settings: [{ name: "Verified by the ministry", model: "small", setting: '{"k":3,"mode":"normal"}' }],
  primary: "CPS",
  margin: 0.02,
  alpha: 0.05,
};
const studyOf = (of: StudyResult | null) =>
  ({
    ...found(step("zip", of ? "pass" : "fail", of ? null : "zip_checksum")),
    verdict: of ? "verified" : "not verified",
    study: { digest: "d", of: "sweep", sweep_id: "s", title: "T", runs: 8, in_table: 8, result: of },
  }) as unknown as Verification;

test("a verified study shows what it concludes, by what design and when", async () => {
  await renderPart(<Result name="study.zip" found={studyOf(result)} />);
  const verdict = screen.getByText(
    /Recommended: Similarity ≥ 0\.50, which is better than the baseline\. Gain \+6\.12 points/,
  );
  expect(verdict).toHaveTextContent(/^small: Recommended/);
  expect(verdict).toHaveTextContent("Retrieval of its runs: Top-k, k = 3.");
  // The publisher chooses the name, so the retrieval setting of its runs is shown with it.
  expect(screen.getByText("Verified by the ministry").parentElement).toHaveTextContent(
    "small: Verified by the ministry. Retrieval of its runs: Top-k, k = 3.",
  );
  expect(screen.getByText(/The results allow no verdict\.$/)).toHaveTextContent(/^large: /);
  expect(screen.getByText(/^8 configurations, 60 questions; primary metric CPS/)).toBeVisible();
  expect(screen.getByText("farm")).toBeVisible();
  expect(screen.getByText("Planned, as the publisher states")).toBeVisible();
  expect(screen.getByText("2026-01-02 03:04:05 UTC")).toBeVisible();
});

test("what the maker of a study calls a time or a model does not pass for another fact", async () => {
  const [first, ...others] = result.conclusions;
  const conclusions = [
    { ...(first as (typeof result.conclusions)[number]), model: "\u202esmall" },
    ...others,
  ];
  await renderPart(<Result name="study.zip" found={studyOf({ ...result, conclusions, planned_at: null })} />);
  expect(screen.getByText("not readable")).toBeVisible();
  // Isolated: a mark that turns the direction of its text around ends with the name.
  expect(screen.getByText("\u202esmall").tagName).toBe("BDI");
});

test("a study that is not verified shows no verdict", async () => {
  await renderPart(<Result name="study.zip" found={studyOf(null)} />);
  expect(screen.queryByText("Verdict")).not.toBeInTheDocument();
});

test("an auditor sees first what failed, and what to do then", async () => {
  const steps = [
    step("zip", "pass"),
    step("counts", "not_checked", "no_transaction"),
    step("scores", "fail"),
  ];
  await renderPart(
    <Result name="run.zip" found={{ ...found(...steps), verdict: "not verified" } as Verification} />,
  );
  expect(screen.getByRole("alert")).toHaveTextContent("Ask its publisher for the original file");
  const [, first] = screen.getAllByRole("row");
  expect(first).toHaveTextContent("scores.csv matches the question records");
});

test("of a bundle that is not verified nothing else is to be checked", async () => {
  const failed = { ...found(step("zip", "fail", "zip_members")), verdict: "not verified" } as Verification;
  await renderPart(<Result name="run.zip" found={failed} />);
  expect(screen.getByText(/packed the members again, this changes no result/)).toBeVisible();
  expect(screen.queryByText(/--chain NODE|--rescore/)).not.toBeInTheDocument();
});
