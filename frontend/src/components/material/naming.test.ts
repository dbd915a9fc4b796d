import { expect, test } from "vitest";
import { EMPTY_DRAFT } from "./DocumentSource";
import { suggestedName } from "./naming";

const named = (...names: string[]) => ({ ...EMPTY_DRAFT, files: names.map((name) => new File(["x"], name)) });

test("a collection is named after its one document, and no other has the name", () => {
  expect(suggestedName(EMPTY_DRAFT, [])).toBe("");
  expect(suggestedName(named("Soil & Water.v2.pdf"), [])).toBe("soil-water-v2");
  expect(suggestedName(named("soil.md"), ["soil", "soil-2"])).toBe("soil-3");
  expect(suggestedName(named("soil.md", "bees.md"), [])).toBe("documents");
  expect(suggestedName(named("Пчели.md"), ["documents"])).toBe("documents-2");
});

test("a pasted text and an address give their own names", () => {
  expect(suggestedName({ ...EMPTY_DRAFT, kind: "text", title: "My notes" }, [])).toBe("my-notes");
  expect(suggestedName({ ...EMPTY_DRAFT, kind: "text" }, [])).toBe("");
  expect(suggestedName({ ...EMPTY_DRAFT, kind: "address", url: "https://www.example.org/a/b" }, [])).toBe(
    "example-org-a-b",
  );
});
