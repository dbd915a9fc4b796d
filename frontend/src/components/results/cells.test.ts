import { expect, test } from "vitest";
import { words } from "@/words";
import { textOf } from "./cells";

test.each([
  [0.0123, "p_holm", ".012"],
  [0.0123, "p", ".012"],
  [4.536, "improvement_pct", "+4.54\u202f%"],
  [0.55, "threshold", "0.55"],
  [16236, "n", "16\u202f236"],
  [0.54321, "mean_cps", "0.5432"],
  [0, "gain", "0.0000"],
  ["ns", "stars", "ns"],
  [null, "p", null],
])("%j under %s reads %s", (value, column, text) => {
  expect(textOf(value, column)).toBe(text);
});

test("a column's name is read without its underscores", () => {
  expect(words.told.column("gain_ci_low")).toBe("gain ci low");
  expect(words.told.column("prompt_eval_s_median")).toBe("prompt eval (s), median");
  expect(words.told.column("tokens_per_s_q1")).toBe("tokens/s, q1");
});
