import { MantineProvider } from "@mantine/core";
import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import type { RetrievalReport } from "@/api/types";
import { figureColumns } from "./figureColumns";

test("a retriever whose reranker made the grades is marked", () => {
  const ranking = (label: string, is_by_grader: boolean) => ({
    label,
    is_by_grader,
    figures: [],
    questions: [],
  });
  const report = {
    rankings: [ranking("Dense", false), ranking("Reranked", true)],
  } as unknown as RetrievalReport;
  const [column] = figureColumns(report, "5");
  const notes = report.rankings.map((row) => column?.note?.(row));
  render(<p>{notes[1]}</p>, { wrapper: MantineProvider });
  expect(notes[0]).toBe(false);
  expect(screen.getByText("conflict")).toHaveAttribute(
    "title",
    expect.stringContaining("favours this retriever"),
  );
});
