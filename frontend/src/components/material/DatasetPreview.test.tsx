import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import type { DatasetPreview as Preview } from "@/api/types";
import { renderPart } from "@/test-page";
import { remapped } from "./ColumnTable";
import { DatasetPreview } from "./DatasetPreview";

const PREVIEW = {
  counts: { rows: 2, questions: 2, with_gold: 0, problems: 0 },
  mapping: {
    columns: { question: "Frage", reference: "ground_truth" },
    ignored: ["remarks", "id2"],
    notes: [],
  },
  columns: ["Frage", "ground_truth", "remarks", "id2", "note"],
  meanings: ["id", "question", "reference"],
  problems: [],
  questions: [{ id: "q1", text: "How far do bees fly?", reference: "Three kilometres." }],
} as unknown as Preview;

test("each column of the file says what it is taken as, and one that is ignored says so", async () => {
  await renderPart(<DatasetPreview preview={PREVIEW} onMap={() => {}} />);
  const shown = ["Frage", "ground_truth", "remarks", "id2", "note"].map(
    (column) =>
      (screen.getByRole("combobox", { name: `${column} is imported as` }) as HTMLSelectElement)
        .selectedOptions[0]?.text,
  );
  expect(shown).toEqual(["question", "reference", "Not imported", "Not imported", "Choose"]);
});

test("the first questions are shown with their reference answers", async () => {
  await renderPart(<DatasetPreview preview={PREVIEW} onMap={() => {}} />);
  expect(screen.getByRole("row", { name: "How far do bees fly? Three kilometres." })).toBeVisible();
});

test("a column that loses its meaning to another is not imported, and one gets it back", () => {
  const before = {
    columns: { question: "Frage", reference: "ground_truth" },
    ignored: ["answer"],
    notes: [],
  };
  const after = remapped(before, "answer", "reference");
  expect(after).toEqual({ columns: { question: "Frage", reference: "answer" }, ignored: ["ground_truth"] });
  expect(remapped(after, "answer", "")).toEqual({
    columns: { question: "Frage" },
    ignored: ["ground_truth", "answer"],
  });
});
