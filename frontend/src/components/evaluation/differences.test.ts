import { expect, test } from "vitest";
import { differences, type Piece } from "./differences";

/** One side with what stands on it alone in brackets. */
function bracketed(pieces: Piece[] = []): string {
  return pieces.map(({ text, isShared }) => (isShared ? text : `[${text}]`)).join("");
}

test.each([
  ["Three years.", "three years", "Three years.", "three years"],
  [
    "Land needs two years.",
    "The land needs at least three years.",
    "Land needs [two] years.",
    "[The] land needs [at least three] years.",
  ],
  ["a b c", "c b a", "[a b] c", "c [b a]"],
  ["", "Nothing is said.", "", "[Nothing is said]."],
  ["At 2.5 per cent", "At 2,5 per cent", "At [2.5] per cent", "At [2,5] per cent"],
  ["Две години.", "две", "Две [години].", "две"],
])("%j beside %j", (reference, answer, left, right) => {
  const found = differences(reference, answer);
  expect([bracketed(found?.reference), bracketed(found?.answer)]).toEqual([left, right]);
});

test("nothing of a text is lost", () => {
  const reference = "  One, two;\nthree (four)!  ";
  const answer = "two — four: five\n";
  const found = differences(reference, answer);
  expect(found?.reference.map(({ text }) => text).join("")).toBe(reference);
  expect(found?.answer.map(({ text }) => text).join("")).toBe(answer);
  expect([found?.shared, found?.words]).toEqual([2, 4]);
});

test("texts that would take too long are not compared", () => {
  const long = "word ".repeat(3000);
  expect(differences(long, long)).toBeNull();
});
