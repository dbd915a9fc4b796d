import { expect, test } from "vitest";
import type { NamedTable } from "@/api/types";
import { textOf } from "./cells";

type Shown = NamedTable["columns"][number];

const shown = (kind: Shown["kind"], words = {}): Shown => ({ heading: "", kind, words });

test.each([
  [0.0123, "p", ".012"],
  [4.536, "gain", "+4.54"],
  [4.536, "percent", "4.54"],
  [0.0123, "points", "+1.23"],
  [0.0123, "size", "1.23"],
  [-0.001, "points", "−0.10"],
  [0.55, "threshold", "0.55"],
  [16236, "count", "16\u202f236"],
  [0.54321, "four", "0.5432"],
  [0.54321, "three", "0.543"],
  [0, "points", "0.00"],
  [null, "p", null],
] as const)("%j as %s reads %s", (value, kind, text) => {
  expect(textOf(value, "any", shown(kind))).toBe(text);
});

test("a word is said as the server says it, and a name stays", () => {
  const words = shown("four", { small: "малък" });
  expect(textOf("small", "effect", words)).toBe("малък");
  expect(textOf("mistral", "effect", words)).toBe("mistral");
  expect(textOf("ns", "stars", shown("four"))).toBe("ns");
});

test("what is measured of a figure has its unit", () => {
  expect(textOf(2.5, "median_here", shown("four"), "generation_s")).toBe("2.5 s");
  expect(textOf("generation_s", "figure", shown("four"), "generation_s")).toBe("Answer");
});
