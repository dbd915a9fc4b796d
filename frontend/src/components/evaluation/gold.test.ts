import { expect, test } from "vitest";
import { holdsGold } from "./gold";

const quote = "Land must be managed organically for at least two years before sowing.";
const gold = [{ document: "conversion.md", quote }];

test.each([
  ["the whole quote", `First. ${quote} Then more.`],
  ["the quote over a line break", `First. ${quote.replace("organically for", "organically\n  for")}`],
  ["its beginning at the end of the passage", "First. Land must be managed organically for at least"],
  ["its end at the beginning of the passage", "at least two years before sowing. Then more."],
  ["a passage within the quote", "managed organically for at least two years"],
])("gold: %s", (_, text) => {
  expect(holdsGold({ document: "conversion.md", text }, gold)).toBe(true);
});

test("a quote without a document is gold in any of them", () => {
  expect(holdsGold({ document: "soil.md", text: quote }, [{ document: "", quote }])).toBe(true);
  expect(holdsGold({ document: "soil.md", text: "Sowing." }, [{ document: "", quote }])).toBe(false);
});

test("not gold: another document, another text, no gold at all", () => {
  expect(holdsGold({ document: "soil.md", text: quote }, gold)).toBe(false);
  expect(holdsGold({ document: "conversion.md", text: "Sowing. Land is flat." }, gold)).toBe(false);
  expect(holdsGold({ document: "conversion.md", text: quote }, [])).toBe(false);
});
