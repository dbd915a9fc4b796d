import { expect, test } from "vitest";
import { leftOf, progressOf, type QueuePlace } from "./queue";

const place = (is_rated: boolean, availability: QueuePlace["availability"]): QueuePlace => ({
  id: "a",
  is_rated,
  availability,
});
// Rated; skipped; open with another rater; rated by enough others; rated by enough, also by this rater; not seen yet.
const PLACES = [
  place(true, "free"),
  place(false, "free"),
  place(false, "reserved"),
  place(false, "complete"),
  place(true, "complete"),
  place(false, "free"),
];

test("what others have rated often enough is nobody's work, and what another has open is not skipped", () => {
  expect(progressOf(PLACES, 5)).toEqual({ total: 5, rated: 2, skipped: 1 });
  expect(progressOf(PLACES, PLACES.length)).toEqual({ total: 5, rated: 2, skipped: 2 });
});

test("at the end of the list, open answers are counted apart from answers reserved for other raters", () => {
  expect(leftOf(PLACES)).toEqual({ free: 2, reserved: 1 });
  expect(leftOf([place(true, "free"), place(false, "complete")])).toEqual({ free: 0, reserved: 0 });
});
