import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { renderPart } from "@/test-page";
import { Answers } from "./Answers";

const ASKED = { text: "Who was first?", reference: "Ada Lovelace" };
const SAID = { text: "Lovelace was.", raw: "Lovelace was." };

test("each of several right answers is shown with the metrics whose values it gave", async () => {
  const question = { ...ASKED, other_references: ["Lovelace", "Countess Lovelace"] };
  const best_references = { METEOR: 1, BLEU: 0, "F1 Score": 1 };
  await renderPart(<Answers detail={{ question, best_references, answer: SAID, reason: null }} />);
  expect(screen.getByText("All 3 right answers")).toBeInTheDocument();
  const shown = screen.getAllByRole("listitem").map(({ textContent }) => textContent);
  expect(shown).toEqual([
    "Ada LovelaceBest value: BLEU",
    "LovelaceBest value: METEOR, F1 Score",
    "Countess Lovelace",
  ]);
});

test("a question with one right answer has no list of them", async () => {
  await renderPart(<Answers detail={{ question: ASKED, answer: SAID, reason: null }} />);
  expect(screen.queryByRole("listitem")).not.toBeInTheDocument();
});
