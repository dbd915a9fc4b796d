import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import type { RunComparison } from "@/api/types";
import { renderPart, stubServer } from "@/test-page";
import { ComparePage } from "./ComparePage";
import { MetricsPanel } from "./MetricsPanel";
import { OriginsPanel } from "./OriginsPanel";
import { RunsPanel } from "./RunsPanel";
import { useChosen } from "./useChosen";

const run = (id: string) => ({
  id,
  name: `Run ${id}`,
  counts: { scored: 3, questions: 4 },
  config: { model: { name: "mistral" }, dataset: "farm", profile: "standard" },
});

function Runs() {
  return <RunsPanel chosen={useChosen()} comparison={undefined} />;
}

async function showRuns(address: string) {
  stubServer(({ path }) => (/\/runs\/\w+$/.test(path) ? run(path.slice(-1)) : { items: [] }));
  const { router } = await renderPart(<Runs />, address);
  await screen.findAllByText("Run a");
  return () => router.state.location.search;
}

test("removing the baseline takes it out of the address, so that the server chooses another", async () => {
  const search = await showRuns("/compare?runs=a~b~c&baseline=b");
  expect(screen.getByRole("button", { name: "Use Run b as baseline" })).toHaveAttribute(
    "aria-pressed",
    "true",
  );
  await userEvent.click(screen.getByRole("button", { name: "Remove Run b" }));
  expect(search()).toMatchObject({ runs: "a~c" });
  expect(search()).not.toHaveProperty("baseline");
});

test("runs with the same name have the distinct names of the tables below", async () => {
  stubServer(({ path }) => run(path.slice(-1)));
  const runs = ["a", "b"].map((id) => ({ ...run(id), name: `Top-k 10, Sweep ${id}` }));
  const Named = () => (
    <RunsPanel
      chosen={useChosen()}
      comparison={{ runs, sweep_names: ["Sweep a", "Sweep b"], baseline: "a" } as unknown as RunComparison}
    />
  );
  await renderPart(<Named />, "/compare?runs=a~b");
  expect(screen.getByRole("button", { name: "Use Top-k 10, Sweep b as baseline" })).toBeVisible();
});

test("removing another run keeps the baseline", async () => {
  const search = await showRuns("/compare?runs=a~b~c&baseline=b");
  await userEvent.click(screen.getByRole("button", { name: "Remove Run c" }));
  expect(search()).toMatchObject({ runs: "a~b", baseline: "b" });
});

test("another run is made the baseline", async () => {
  const search = await showRuns("/compare?runs=a~b&baseline=b");
  await userEvent.click(screen.getByRole("button", { name: "Use Run a as baseline" }));
  expect(search()).toMatchObject({ runs: "a~b", baseline: "a" });
});

test("arrow keys move a run; the leftmost is the baseline", async () => {
  const search = await showRuns("/compare?runs=a~b~c&baseline=a");
  screen.getByRole("button", { name: "Use Run c as baseline" }).focus();
  await userEvent.keyboard("{ArrowLeft}");
  expect(search()).toMatchObject({ runs: "a~c~b", baseline: "a" });
  expect(screen.getByRole("button", { name: "Use Run c as baseline" })).toHaveFocus();
  await userEvent.keyboard("{ArrowLeft}");
  expect(search()).toMatchObject({ runs: "c~a~b", baseline: "c" });
});

test("only differences: columns of settings that all runs share are not shown", async () => {
  localStorage.setItem("passer.compare.differences", "true");
  await showRuns("/compare?runs=a~b");
  expect(screen.getAllByRole("columnheader").map((head) => head.textContent)).toEqual(["Run"]);
  await userEvent.click(screen.getByRole("switch", { name: "Differences only" }));
  expect(screen.getAllByRole("columnheader")).toHaveLength(5);
  localStorage.clear();
});

const COMPARISON = {
  runs: [run("a"), run("b")],
  sweep_names: ["One", "One"],
  baseline: "a",
  panel: "phase3",
  pool_rows: 8,
  metrics: [
    {
      metric: "CPS",
      family_size: 1,
      means: [
        { run_id: "a", mean: 0.5, n: 4, n_missing: 0 },
        { run_id: "b", mean: 0.52, n: 3, n_missing: 1 },
      ],
      differences: [
        {
          run_id: "b",
          difference: 0.02,
          ci: { low: 0.001, high: 0.039 },
          p: 0.021,
          stars: "*",
          cohens_d: 0.5,
          n_pairs: 3,
          n_improved: 2,
          n_worse: 0,
          reason: null,
        },
      ],
    },
  ],
} as unknown as RunComparison;

test("a difference has the adjusted p with its star", async () => {
  stubServer(() => ({ items: [] }));
  await renderPart(<MetricsPanel comparison={COMPARISON} />, "/compare");
  const row = screen.getByRole("row", { name: /CPS/ });
  expect(within(row).getByText(".021")).toBeVisible();
  expect(within(row).getByText(".021").closest("td")).toHaveTextContent(".021 *");
  // The unit of the sweep's page and of the verdict: 0.02 of CPS is 2 points.
  expect(within(row).getByText("+2.00").closest("td")).toHaveTextContent("+2.00points");
  expect(within(row).getByText("+0.10 to +3.90")).toBeVisible();
});

test("why nothing is marked as decided is the server's to say", async () => {
  stubServer(() => ({ items: [] }));
  const comparison = { ...COMPARISON, too_few: "Nothing is decided with 3." } as RunComparison;
  await renderPart(<MetricsPanel comparison={comparison} />, "/compare");
  expect(screen.getByText(/Nothing is decided with 3\.$/)).toBeVisible();
});

test("as bars: a bar for each run, and the questions that improved, worsened or stayed the same", async () => {
  stubServer(() => ({ items: [] }));
  await renderPart(<MetricsPanel comparison={COMPARISON} />, "/compare");
  await userEvent.click(screen.getByText("Bars"));
  const card = screen.getByRole("region", { name: "CPS" });
  expect(card).toHaveTextContent("2 improved, 0 worse, 1 the same");
  expect(card).toHaveTextContent("+2.00 points (+0.10 to +3.90)");
  localStorage.clear();
});

test("metrics without any difference are counted and not shown", async () => {
  stubServer(() => ({ items: [] }));
  const [cps] = COMPARISON.metrics;
  const same = cps && { ...cps, metric: "BLEU", differences: [{ ...cps.differences[0], n_improved: 0 }] };
  const comparison = { ...COMPARISON, metrics: [cps, same] } as RunComparison;
  await renderPart(<MetricsPanel comparison={comparison} isDiffOnly />, "/compare");
  expect(screen.getByText(/^1 metric has equal values in every question/)).toBeVisible();
  expect(screen.queryByText("BLEU")).not.toBeInTheDocument();
});

const ORIGINS = {
  metric: "F1 Score",
  judge: null,
  origins: ["people", "smol"],
  models: ["smol"],
  cells: [
    {
      origin: "people",
      model: "smol",
      n: 40,
      mean: 0.41,
      low: 0.38,
      high: 0.44,
      is_own: false,
      interaction: 0,
    },
    { origin: "smol", model: "smol", n: 20, mean: 0.52, low: 0.47, high: 0.57, is_own: true, interaction: 0 },
  ],
  effects: [
    {
      model: "smol",
      difference: 0.11,
      low: 0.05,
      high: 0.17,
      p: 0.001,
      p_adjusted: 0.001,
      method: "bootstrap",
    },
  ],
  missing: 0,
  notes: [],
};

test("who wrote the questions is compared with who answered, where a model wrote some", async () => {
  stubServer(({ path }) => (path.includes("/origins") ? ORIGINS : { items: [] }));
  await renderPart(<OriginsPanel runs={["a"]} />, "/compare?runs=a");
  const table = await screen.findByRole("table", { name: "Means by writer of the question and by model" });
  expect(within(table).getByRole("row", { name: /smol.*own questions.*0\.5200/ })).toBeVisible();
  expect(within(table).getByRole("row", { name: /People smol 40 0\.4100/ })).toBeVisible();
  expect(
    screen.getByRole("table", { name: "Own questions compared with those of others" }),
  ).toHaveTextContent("0.1100");
});

test("nothing is shown where people wrote all questions", async () => {
  const people = { ...ORIGINS, origins: ["people"], cells: ORIGINS.cells.slice(0, 1), effects: [] };
  const seen = stubServer(({ path }) => (path.includes("/origins") ? people : { items: [] }));
  await renderPart(<OriginsPanel runs={["a"]} />, "/compare?runs=a");
  await expect.poll(() => seen.some(({ path }) => path.includes("/origins"))).toBe(true);
  expect(screen.queryByText("Question writers and answers")).not.toBeInTheDocument();
});

test("a run that does not exist is said to be missing, and no other run is asked for", async () => {
  stubServer(({ path }) => (path.endsWith("/runs/absent") ? 404 : { items: [] }));
  await renderPart(<ComparePage />, "/compare?runs=absent");
  expect(await screen.findByText("Refused with 404.")).toBeVisible();
  expect(screen.queryByText("Add at least one more run.")).not.toBeInTheDocument();
});
