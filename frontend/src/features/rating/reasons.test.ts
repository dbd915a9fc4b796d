import { expect, test } from "vitest";
import { hasReason, toggledReason } from "./reasons";

test("a reason is added to a note and taken out again; what was written stays", () => {
  const noted = toggledReason("see § 3; and § 4", "Leaves something out");
  expect(noted).toBe("Leaves something out; see § 3; and § 4");
  expect(hasReason(noted, "Leaves something out")).toBe(true);
  expect(toggledReason(noted, "Leaves something out")).toBe("see § 3; and § 4");
  expect(toggledReason("", "Unclear")).toBe("Unclear");
});
