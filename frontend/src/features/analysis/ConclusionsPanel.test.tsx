import { screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { renderPart, stubServer } from "@/test-page";
import { ConclusionsPanel } from "./ConclusionsPanel";

afterEach(() => vi.unstubAllGlobals());

test("a reason that names a column is one sentence in one paragraph", async () => {
  const reason = "a.xlsx has no column `Bert-Score.f1`, which the panel needs.";
  stubServer(() => ({ models: [], conclusions: [], figures: [], direction: null, reason }));
  await renderPart(<ConclusionsPanel id="i" />);
  const column = await screen.findByText("Bert-Score.f1");
  expect(column.closest("p")).toHaveTextContent("a.xlsx has no column Bert-Score.f1, which the panel needs.");
});
