import { expect, test, vi } from "vitest";
import {
  formatAbout,
  formatBytes,
  formatCount,
  formatDifference,
  formatDuration,
  formatList,
  formatP,
  formatPercent,
  formatPlain,
  formatRate,
  formatScore,
  formatShare,
} from "./format";

test.each([
  [0.5454, "0.5454"],
  [0.12345, "0.1235"],
  [-0.25, "−0.2500"],
  [-0.00001, "0.0000"],
  [12.5, "12.5000"],
])("a score of %d is written %s", (value, text) => {
  expect(formatScore(value)).toBe(text);
});

test.each([
  [0.0123, "+0.0123"],
  [-0.0123, "−0.0123"],
  [0, "0.0000"],
  [0.00001, "0.0000"],
])("a difference of %d is written %s", (value, text) => {
  expect(formatDifference(value)).toBe(text);
});

test.each([
  [4.536, "+4.54\u202f%"],
  [-2, "−2.00\u202f%"],
  [0.001, "0.00\u202f%"],
])("%d per cent is written %s", (value, text) => {
  expect(formatPercent(value)).toBe(text);
});

test("a share has no sign", () => {
  expect(formatShare(0.9333)).toBe("93.3\u202f%");
  expect(formatShare(1)).toBe("100.0\u202f%");
});

test.each([
  [0.012, ".012"],
  [0.0009999, "< .001"],
  [0.001, ".001"],
  [0.5, ".500"],
  [0.9996, "1.000"],
  [1, "1.000"],
  [0, "< .001"],
])("p = %d is written %s", (value, text) => {
  expect(formatP(value)).toBe(text);
});

test.each([
  [999, "999"],
  [18744, "18\u202f744"],
  [1234567, "1\u202f234\u202f567"],
  [-1000, "−1\u202f000"],
])("a count of %d is written %s", (value, text) => {
  expect(formatCount(value)).toBe(text);
});

test.each([
  [0, "0 µs"],
  [0.00035, "350 µs"],
  [0.0042, "4.2 ms"],
  [0.35, "350 ms"],
  [0.9996, "1.0 s"],
  [3.14, "3.1 s"],
  [42.4, "42 s"],
  [60, "1 min 0 s"],
  [3599.6, "1 h 0 min"],
  [7384, "2 h 3 min"],
  [90_000, "1 d 1 h"],
])("%d seconds are written %s", (value, text) => {
  expect(formatDuration(value)).toBe(text);
});

test.each([
  [0.2, "< 1 s"],
  [7.2, "8 s"],
  [89, "1 min"],
  [1320, "22 min"],
  [4000, "1 h 7 min"],
])("about %d seconds are written %s", (value, text) => {
  expect(formatAbout(value)).toBe(text);
});

test("a rate has three significant digits, and none after a hundred", () => {
  expect(formatRate(1.2345)).toBe("1.23/s");
  expect(formatRate(412.3)).toBe("412/s");
});

test.each([
  [0, "0 B"],
  [999, "999 B"],
  [1500, "1.5 kB"],
  [4_109_865_159, "4.1 GB"],
  [274_302_450, "274 MB"],
  [999_600_000, "1.0 GB"],
])("%d bytes are written %s", (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text);
});

/** The formats as a reader of Bulgarian sees them. */
async function inBulgarian() {
  vi.resetModules();
  localStorage.setItem("passer.language", "bg");
  const bulgarian = await import("./format");
  localStorage.clear();
  return bulgarian;
}

test("units of time are those of the reader's language", async () => {
  const bulgarian = await inBulgarian();
  expect([0.000_35, 0.35, 3.14, 75, 7384, 90_000].map(bulgarian.formatDuration)).toEqual([
    "350 мкс",
    "350 мс",
    "3,1 сек",
    "1 мин 15 сек",
    "2 ч 3 мин",
    "1 дн. 1 ч",
  ]);
  expect(bulgarian.formatAbout(0.2)).toBe("< 1 сек");
  expect(bulgarian.formatRate(1.2345)).toBe("1,23/сек");
});

test("Bulgarian numbers have a decimal comma, and a p value its zero", async () => {
  const bulgarian = await inBulgarian();
  expect(bulgarian.formatScore(-0.25)).toBe("−0,2500");
  expect(bulgarian.formatDifference(0.0123)).toBe("+0,0123");
  expect(bulgarian.formatPercent(4.536)).toBe("+4,54\u202f%");
  expect(bulgarian.formatShare(0.9333)).toBe("93,3\u202f%");
  expect(bulgarian.formatLevel(0.025)).toBe("97,5\u202f%");
  expect(bulgarian.formatBytes(1500)).toBe("1,5 kB");
  expect(bulgarian.formatCount(18744)).toBe("18\u202f744");
  expect(bulgarian.formatPlain(0.30000000000000004)).toBe("0,3");
  expect(bulgarian.formatList(["0,50", "0,55"])).toBe("0,50; 0,55");
  expect([0.0123, 0.0009, 1].map(bulgarian.formatP)).toEqual(["0,012", "< 0,001", "1,000"]);
});

test("a number without a fixed number of decimals shows none of the noise of its binary form", () => {
  expect([0.1 + 0.2, 20, -2, 0.012345].map((value) => formatPlain(value))).toEqual([
    "0.3",
    "20",
    "−2",
    "0.0123",
  ]);
  expect(formatList(["0.50", "0.55"])).toBe("0.50, 0.55");
});
