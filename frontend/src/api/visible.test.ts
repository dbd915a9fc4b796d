import { expect, test } from "vitest";
import { visible, visibleJson } from "./visible";

test("control characters and direction marks become signs", () => {
  expect(visible("\u001b[2J")).toBe("␛[2J");
  expect(visible("a\u202egpj.exe")).toBe("a[U+202E]gpj.exe");
  expect(visible("Почва\tи\nпчели 🐝")).toBe("Почва\tи\nпчели 🐝");
});

test("texts of an answer are shown so, escaped or not, and nothing else changes", () => {
  const sent = { text: "\u001b[31m \u202e", list: [1, null, true, "a\nb"], deep: { more: "\f" } };
  expect(JSON.parse(visibleJson(JSON.stringify(sent)))).toEqual({
    text: "␛[31m [U+202E]",
    list: [1, null, true, "a\nb"],
    deep: { more: "␌" },
  });
  const plain = JSON.stringify({ a: "b" });
  expect(visibleJson(plain)).toBe(plain);
});
