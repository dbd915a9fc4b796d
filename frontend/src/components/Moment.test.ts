import { expect, test } from "vitest";
import { formatAgo } from "./Moment";

const NOW = Date.parse("2026-03-10T12:00:00Z");

test.each([
  ["2026-03-10T11:59:40Z", "now"],
  // A clock that is a little ahead is no future.
  ["2026-03-10T12:00:05Z", "now"],
  ["2026-03-10T11:48:00Z", "12 min. ago"],
  ["2026-03-10T09:00:00Z", "3 hr. ago"],
  ["2026-03-09T12:00:00Z", "yesterday"],
  ["2026-02-24T11:00:00Z", "2 wk. ago"],
  ["2025-12-01T12:00:00Z", "3 mo. ago"],
])("%s is %s", (at, shown) => {
  expect(formatAgo(at, NOW)).toBe(shown);
});
