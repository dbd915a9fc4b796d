import { expect, test } from "vitest";
import { sparkline } from "./Conclusion";

test.each([
  // From the bottom at the left to the top at the right, two pixels from the edge.
  [[0.1, 0.3], "M2.0,20.0L98.0,2.0"],
  [[0.1, 0.2, 0.3], "M2.0,20.0L50.0,11.0L98.0,2.0"],
  // A missing value leaves a gap in the steps, not a zero.
  [[0.1, null, 0.3], "M2.0,20.0L98.0,2.0"],
  [[0.5, 0.5], "M2.0,11.0L98.0,11.0"],
  [[0.5, null], ""],
  [[], ""],
])("%o is drawn as %s", (values, path) => {
  expect(sparkline(values, 100, 22)).toBe(path);
});
