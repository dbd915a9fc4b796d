import { expect, test } from "vitest";
import { choicesOf } from "./choices";

test("an id stands only where a name is not enough", () => {
  const items = [
    { id: "a1", name: "Farm" },
    { id: "b2", name: "Forest" },
    { id: "c3", name: "Farm" },
  ];
  expect(choicesOf(items)).toEqual([
    { value: "a1", label: "Farm (a1)" },
    { value: "b2", label: "Forest" },
    { value: "c3", label: "Farm (c3)" },
  ]);
});
