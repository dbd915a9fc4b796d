import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { renderPart } from "@/test-page";
import type { Step, Verification } from "@/verify";
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
