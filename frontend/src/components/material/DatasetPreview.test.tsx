import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import type { DatasetPreview as Preview } from "@/api/types";
import { renderPart } from "@/test-page";
import { DatasetPreview } from "./DatasetPreview";

const PREVIEW = {
  counts: { rows: 2, questions: 2, with_gold: 0, problems: 0 },
  mapping: {
    columns: { question: "Frage", reference: "ground_truth" },
    ignored: ["remarks", "id2"],
    notes: [],
  },
  problems: [],
  questions: [{ id: "q1", text: "How far do bees fly?", reference: "Three kilometres." }],
} as unknown as Preview;

test("each column of the file says what it is taken as, and one that is ignored says so", async () => {
  await renderPart(<DatasetPreview preview={PREVIEW} />);
  const rows = screen.getByRole("table", { name: "Columns" });
  const lines = [...rows.querySelectorAll("tbody tr")].map((row) =>
    [...row.children].map(({ textContent }) => textContent),
  );
  expect(lines).toEqual([
    ["Frage", "question"],
    ["ground_truth", "reference"],
    ["remarks", "Not imported"],
    ["id2", "Not imported"],
  ]);
});

test("the first questions are shown with their reference answers", async () => {
  await renderPart(<DatasetPreview preview={PREVIEW} />);
  expect(screen.getByRole("row", { name: "How far do bees fly? Three kilometres." })).toBeVisible();
});
