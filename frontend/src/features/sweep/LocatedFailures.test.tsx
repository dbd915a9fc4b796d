import { screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { renderPart, stubServer } from "@/test-page";
import { LocatedFailures } from "./LocatedFailures";

afterEach(() => vi.unstubAllGlobals());

const run = (name: string, counts: object) => ({
  run_id: name,
  name,
  n: 30,
  counts,
  decisions: null,
  needed: null,
});

test("without any gold passage the part says what is missing, in place of a table of unknowns", async () => {
  stubServer(() => ({ runs: [run("Top-k 5", { gold_unknown: 30 })], low: { line: "A score is low." } }));
  await renderPart(<LocatedFailures id="s" />);
  expect(await screen.findByText(/^The questions have no gold passages/)).toBeInTheDocument();
  expect(screen.queryByRole("table")).toBeNull();
});

test("one question whose gold passage is known is enough for the table", async () => {
  stubServer(() => ({
    runs: [run("Top-k 5", { gold_unknown: 29, fine: 1 })],
    low: { line: "A score is low." },
  }));
  await renderPart(<LocatedFailures id="s" />);
  expect(await screen.findByText("A score is low.")).toBeInTheDocument();
});
