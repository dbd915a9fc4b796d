import { expect, test } from "vitest";
import { nameOf, verdictOf } from "./ComparePage";

const factor = (name: string) => ({ factor: name, values: ["a", "b"] });

test("one factor is a controlled comparison, and says which", () => {
  expect(verdictOf([factor("retrieval")])).toEqual({
    isControlled: true,
    sentence: "Controlled: only retrieval differs.",
  });
});

test("several are confounded, and all are named", () => {
  const { isControlled, sentence } = verdictOf([factor("model"), factor("retrieval"), factor("seed")]);
  expect(isControlled).toBe(false);
  expect(sentence).toContain("the model, retrieval and the seed differ");
});

test("none is the same configuration again", () => {
  expect(verdictOf([])).toMatchObject({ isControlled: true });
  expect(verdictOf([]).sentence).toContain("No differences");
});

test("a factor that has no word of ours keeps its own name", () => {
  expect(nameOf("scored_by.encoder_digest")).toBe("encoder digest");
});
