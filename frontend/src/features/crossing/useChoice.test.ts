import { expect, test } from "vitest";
import { namedModels } from "./useChoice";
import type { Study } from "./useStudies";

const study = (id: string, kind: Study["kind"], ...models: string[]): Study => ({
  id,
  name: id,
  kind,
  models,
});

test("models of imports may be called alike; those of sweeps have their names", () => {
  const studies = [
    study("sheets-a", "import", "mistral", "orca"),
    study("sheets-b", "import", "mistral-7b", "orca"),
    study("sheets-c", "import", "llama"),
    study("s", "sweep", "mistral"),
  ];
  expect(namedModels(studies, "sheets-a", "sheets-b")).toEqual(["mistral", "orca", "mistral-7b"]);
  expect(namedModels(studies, "sheets-a", undefined)).toEqual(["mistral", "orca"]);
  expect(namedModels(studies, "s", undefined)).toEqual([]);
});
