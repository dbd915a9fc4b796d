import { expect, test } from "vitest";
import { retrievalOf } from "./policy";

test.each([
  ['{"k":10,"mode":"normal"}', "Top-k, k = 10"],
  [
    '{"increment":2,"max_k":100,"min_similarity":0.4,"mode":"score"}',
    "Similarity ≥ 0.40, at most 100 passages",
  ],
  ['{"max_k":100,"min_similarity":0.4125,"mode":"score"}', "Similarity ≥ 0.4125, at most 100 passages"],
  // Rounded, it would read as another threshold than the runs have.
  ['{"max_k":100,"min_similarity":0.40001,"mode":"score"}', null],
  ['{"mode":"a mode of a later version"}', null],
])("a published setting is shown in words, or exactly as it is: %s", (written, words) => {
  expect(retrievalOf(written)).toBe(words ?? written);
});
