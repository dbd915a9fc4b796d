import { screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { renderPart } from "@/test-page";
import { ScoreTable } from "./ScoreTable";

afterEach(() => vi.unstubAllGlobals());

const TOKENIZER = /Tokenizer unicode-1/;

test("a note that many metrics share is said once, with their names, and another stays at its metric", async () => {
  vi.stubGlobal("fetch", async () => new Response(JSON.stringify({ items: [] })));
  const rows = ["BLEU", "Rouge-1.r", "F1 Score"].map((metric) => ({ metric, value: 0.5, note: "unicode-1" }));
  await renderPart(
    <ScoreTable profile="standard" rows={[...rows, { metric: "METEOR", value: 0.1, note: "exact" }]} />,
  );
  expect(screen.getAllByText(TOKENIZER)).toHaveLength(1);
  expect(screen.getByText(TOKENIZER)).toHaveTextContent(/^BLEU, Rouge-1\.r, F1 Score: /);
  expect(screen.getByRole("row", { name: /METEOR/ })).toHaveTextContent("exact");
});

test("a note of one metric or two stays beside the value", async () => {
  vi.stubGlobal("fetch", async () => new Response(JSON.stringify({ items: [] })));
  const rows = ["BLEU", "F1 Score"].map((metric) => ({ metric, value: 0.5, note: "unicode-1" }));
  await renderPart(<ScoreTable profile="standard" rows={rows} />);
  expect(screen.getAllByRole("row", { name: TOKENIZER })).toHaveLength(2);
});
