import { expect, test } from "vitest";
import { partsOf, supportOf } from "./support";

const NEAR = {
  id: "near",
  text: "Copper may be used. Operators apply at most 28 kilograms of copper over seven years. Nothing else counts.",
};
const FAR = { id: "far", text: "Animals graze on pasture.\nClover binds nitrogen from the air." };

/** What is marked in each passage. */
function marked(answer: string) {
  const texts = new Map([NEAR, FAR].map(({ id, text }) => [id, text]));
  return Object.fromEntries(
    [...supportOf(answer, [NEAR, FAR])].map(([id, ranges]) => [
      id,
      ranges.map(([start, end]) => texts.get(id)?.slice(start, end)),
    ]),
  );
}

test("each sentence of an answer is supported by the sentence that holds most of its words", () => {
  expect(
    marked("At most 28 kilograms of copper over seven years are allowed. Clover binds nitrogen."),
  ).toEqual({
    near: ["Operators apply at most 28 kilograms of copper over seven years."],
    far: ["Clover binds nitrogen from the air."],
  });
});

test("sentences and words of other scripts are found", () => {
  const found = (answer: string, text: string) =>
    [...supportOf(answer, [{ id: "p", text }]).values()].flat().map(([start, end]) => text.slice(start, end));
  expect(found("水稻在八月开花。", "玉米五月播种。水稻八月开花。麦子很好。")).toEqual(["水稻八月开花。"]);
  expect(found("ข้าวออกดอกในเดือนสิงหาคม", "ดินดี\nข้าวออกดอกเดือนสิงหาคม")).toEqual(["ข้าวออกดอกเดือนสิงหาคม"]);
  expect(
    found("किसान गोबर खाद डालते हैं।", "मिट्टी जीवित है। किसान खेत में गोबर की खाद डालते हैं। पानी चाहिए।"),
  ).toEqual(["किसान खेत में गोबर की खाद डालते हैं।"]);
});

test("half of the longer words are needed, and at least two", () => {
  expect(marked("Copper.")).toEqual({});
  expect(marked("Copper kills fungi that attack vines every spring.")).toEqual({});
});

test("the nearest passage is marked where two hold the same", () => {
  const twin = { id: "twin", text: FAR.text };
  expect([...supportOf("Clover binds nitrogen.", [FAR, twin]).keys()]).toEqual(["far"]);
});

test("a text is cut at the ranges and stays whole", () => {
  const parts = partsOf("one two three", [
    [4, 7],
    [0, 3],
  ]);
  expect(parts.map(({ text, isIn }) => [text, isIn])).toEqual([
    ["one", true],
    [" ", false],
    ["two", true],
    [" three", false],
  ]);
});
