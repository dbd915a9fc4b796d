import { expect, test } from "vitest";
import { decide, decided, decidedAddress } from "./decisions";

test("what is as usual leaves the address as it is", () => {
  expect(decided({ panel: undefined, scope: undefined })).toEqual({});
  expect(decidedAddress({}, "?")).toBe("");
});

test("what was decided stands in every address", () => {
  const decisions = { panel: "phase2", truncated: "exclude", constants: "a b" } as const;
  expect(decided(decisions)).toEqual(decisions);
  expect(decidedAddress(decisions, "&")).toBe("&panel=phase2&truncated=exclude&constants=a%20b");
});

test("numbers stand in the address by the server's names, zero included", () => {
  const decisions = { tcps_alpha: 0, right_from: 0.7, bands: "phase4" } as const;
  expect(decided(decisions)).toEqual(decisions);
  expect(decidedAddress(decisions, "?")).toBe("?tcps_alpha=0&right_from=0.7&bands=phase4");
});

test("pools of their own and constants for all exclude one another", () => {
  expect(decide({ constants: "sweep-1", missing: "drop" }, { scope: "run" })).toEqual({
    missing: "drop",
    scope: "run",
    constants: undefined,
  });
  expect(decide({ scope: "run" }, { constants: "sweep-1" })).toEqual({
    scope: undefined,
    constants: "sweep-1",
  });
  expect(decide({ scope: "model" }, { panel: "phase2" })).toEqual({ scope: "model", panel: "phase2" });
});
