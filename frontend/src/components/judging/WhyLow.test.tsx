import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { renderPart, stubServer } from "@/test-page";
import { WhyLow } from "./WhyLow";

afterEach(() => vi.unstubAllGlobals());

const some = { incomplete: { n: 3, share: 0.75 } };

const run = (run_id: string, crossed: object) => ({
  run_id,
  name: `Run ${run_id}`,
  n: 4,
  counts: some,
  unjudged: {},
  by_group: {},
  quarters: [{ low: 0.25, high: 0.5, n: 4, counts: some }],
  crossed,
});

/** Show the reasons of two configurations; of one alone where it is named. */
async function show(only?: string) {
  const runs = [run("a", { low: { incomplete: 3 } }), run("b", { cut: { incomplete: 2 } })];
  stubServer(() => ({ assessment: "x", judge: "mistral", below: 1, warnings: [], runs }));
  await renderPart(<WhyLow id="x" {...(only ? { run: only } : {})} />);
}

/** The table of stages without its two lines of headings, cell by cell. */
async function stages() {
  const table = await screen.findByRole("table", { name: "Reasons by stage" });
  return within(table)
    .getAllByRole("row")
    .slice(2)
    .map((row) => row.textContent);
}

test("quarters of correctness, and stages by code against reasons, are those of the chosen configuration", async () => {
  await show();
  const quarters = await screen.findByRole("table", { name: "Reasons by Answer correctness" });
  expect(quarters).toHaveTextContent("0.25 to below 0.50, 4 questions");
  expect(quarters).toHaveTextContent(/3 \(75\.0\s%\)/);
  expect(await stages()).toEqual(["Low score3"]);
  await userEvent.selectOptions(screen.getByLabelText("Configuration of the quarters and stages"), "Run b");
  expect(await stages()).toEqual(["Gold passage retrieved but not kept2"]);
});

test("the page of a run has its own and no choice", async () => {
  await show("b");
  expect(await stages()).toEqual(["Gold passage retrieved but not kept2"]);
  expect(screen.queryByLabelText("Configuration of the quarters and stages")).toBeNull();
});
