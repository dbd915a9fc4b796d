import { MantineProvider } from "@mantine/core";
import { fireEvent, render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import type { GroundedAnswer } from "@/api/types";
import { GroundedText } from "./GroundedText";

const ANSWER: GroundedAnswer = {
  columns: {},
  checked: {
    sentences: [
      {
        text: "Clover binds nitrogen.",
        cites: [1],
        share: 0.5,
        is_grounded: true,
        found: ["clover", "nitrogen"],
        places: { clover: [1, 3], nitrogen: [1] },
      },
      { text: "Bees dance.", cites: [], share: 0, is_grounded: false, found: [] },
      { text: "It is.", cites: [], share: null, is_grounded: false, found: [] },
    ],
    citations: [
      { number: 1, share: 0.5, problem: null, is_verified: true },
      { number: 2, share: 0.1, problem: null, is_verified: false },
      { number: 7, share: null, problem: "no_such_source", is_verified: false },
    ],
  },
};

test("a sentence says which of its keywords are in the passages", () => {
  render(<GroundedText answer={ANSWER} />, { wrapper: MantineProvider });
  expect(
    screen.getByTitle(/^50.0\s%? of its keywords are in the passages: clover \[1, 3\], nitrogen \[1\]$/),
  ).toHaveTextContent("Clover binds nitrogen.");
  expect(screen.getByTitle("The passages contain none of its keywords.")).toHaveTextContent("Bees dance.");
});

test("citations are verified, or say why not", () => {
  render(<GroundedText answer={ANSWER} />, { wrapper: MantineProvider });
  const lines = screen.getAllByRole("listitem").map((line) => line.textContent);
  expect(lines[0]).toMatch(/passage 1: .* in it, verified$/);
  expect(lines[1]).toMatch(/not verified$/);
  expect(lines[2]).toBe("[7] The prompt has no passage with this number.");
});

test("an abstention has no grounding", () => {
  const columns = { "Grounded share": { value: null, reason: "abstained" as const, note: "" } };
  render(<GroundedText answer={{ ...ANSWER, columns }} />, { wrapper: MantineProvider });
  expect(screen.getByText("The answer is an abstention.")).toBeInTheDocument();
});

test("a citation leads to its passage, and none to a passage that the prompt lacks", () => {
  render(
    <>
      <GroundedText answer={ANSWER} passages={2} />
      <p id="passage-2" tabIndex={-1}>
        Bees
      </p>
    </>,
    { wrapper: MantineProvider },
  );
  expect(screen.getAllByRole("link").map((link) => link.textContent)).toEqual([
    "[1]",
    "passage 1",
    "passage 2",
  ]);
  fireEvent.click(screen.getByRole("link", { name: "passage 2" }));
  expect(screen.getByText("Bees")).toHaveFocus();
});
