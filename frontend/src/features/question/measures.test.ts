import { expect, test } from "vitest";
import type { AnswerAcross, QuestionAcross } from "@/api/types";
import { judgedLines, measuresOf } from "./measures";

const UNIT = { low: 0, high: 1 } as unknown as Parameters<typeof measuresOf>[1];

function across(...items: object[]): QuestionAcross {
  const means = { kept: 9.31, score: 0.478, prompt_tokens: 1480.4, generation_s: null, judged: [] };
  return { metric: "CPS", means, withheld: null, items } as unknown as QuestionAcross;
}

function item(cell: object, more: object = {}): AnswerAcross {
  return { cell, column: { mean: 0.51 }, prompt_tokens: null, generation_s: null, ...more } as AnswerAcross;
}

test("a column has the mean of the sweep in its heading, and is left out where no configuration has a value", () => {
  const base = item({ kept: 20, score: 0.5448, gain: null });
  const other = item({ kept: 3, score: 0.25, gain: -0.2948 }, { prompt_tokens: 980 });
  const columns = measuresOf(across(base, other), UNIT);
  expect(columns.map(({ label, mean }) => [label, mean])).toEqual([
    ["Passages", "9.3"],
    ["CPS", "0.48"],
    ["Gain in points", null],
    ["Tokens", "1\u202f480"],
  ]);
  expect(columns.map(({ value }) => value(other))).toEqual(["3", "0.25", "−29.48", "980"]);
  expect(columns.map(({ value }) => value(base))).toEqual(["20", "0.54", null, null]);
  expect(columns[1]?.note?.(base)).toBe("mean 0.51");
});

test("a gain in another metric than CPS has the unit of the metric, as in the verdict", () => {
  const columns = measuresOf(
    { ...across(item({ kept: 3, score: 0.25, gain: -0.2948 })), metric: "METEOR" },
    UNIT,
  );
  expect(columns[2]?.label).toBe("Gain");
  expect(columns[2]?.value(item({ kept: 3, score: 0.25, gain: -0.2948 }))).toBe("−0.2948");
});

test("a failed question has no score and no mean beside it", () => {
  const failed = item({ kept: 2, score: null, gain: null });
  const columns = measuresOf(across(failed, item({ kept: 2, score: 0.4, gain: null })), UNIT);
  expect(columns[1]?.value(failed)).toBeNull();
  expect(columns[1]?.note?.(failed)).toBeNull();
});

test("each judge has one line: its values, then once why it has none", () => {
  const judged = [
    { judge: "mistral", rated: 20, column: "Answer correctness", value: 0.571, reason: null },
    { judge: "mistral", rated: 1, column: "Faithfulness", value: null, reason: "judge_failed" },
    { judge: "mistral", rated: 1, column: "Not contradicted", value: null, reason: "judge_failed" },
    { judge: "mistral", rated: 0, column: "Answerability", value: 1, reason: null },
    { judge: "llama", rated: 0, column: "Faithfulness", value: 1, reason: null },
  ];
  expect(judgedLines(judged)).toEqual([
    "mistral: Answer correctness 0.57 · The judge gave no reply.",
    "mistral (uncalibrated): Answerability 1.00",
    "llama (uncalibrated): Faithfulness 1.00",
  ]);
  expect(
    judgedLines([{ judge: "mistral", rated: 1, column: "Faithfulness", value: null, reason: null }]),
  ).toEqual([]);
});
