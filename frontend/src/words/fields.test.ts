import { expect, test } from "vitest";
import { nameOfField } from "./fields";

const names = { model: "the model", model_digest: "the weights", retrieval: "retrieval", seed: "the seed" };

test.each([
  ["model.name", "the model"],
  ["conditions.model_digest", "the weights"],
  ["retrieval.k", "retrieval"],
  ["options.seed", "the seed"],
  ["scored_by.encoder_digest", "encoder digest"],
])("%s is %s", (path, name) => {
  expect(nameOfField(path, names)).toBe(name);
});
