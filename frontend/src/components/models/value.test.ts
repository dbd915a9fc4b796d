import { expect, test } from "vitest";
import { modelOf, modelValue } from "./value";

test("a model is its provider and its tag, which may hold slashes itself", () => {
  expect(modelOf("ollama/hf.co/org/model:7b")).toEqual({ provider: "ollama", name: "hf.co/org/model:7b" });
});

test("a model of a connected server is named with the connection, as on the command line", () => {
  expect(modelOf("openai@lab/org/llama")).toEqual({
    provider: "openai",
    connection: "lab",
    name: "org/llama",
  });
  expect(modelValue({ provider: "openai", connection: "lab", name: "org/llama" })).toBe(
    "openai@lab/org/llama",
  );
});

test("an address of its own, from an experiment file, comes back", () => {
  const model = { provider: "openai", name: "m", base_url: "http://h:1/v1" } as const;
  expect(modelOf(modelValue(model))).toEqual(model);
});
