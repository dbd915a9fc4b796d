import { expect, test } from "vitest";
import { keysOf } from "./keys";
import { DAY } from "./look";
import { plotOf } from "./plot";
import { describe } from "./rows";
import { aFigure, aRow } from "./sample";
import { pictureOf, wrapped } from "./save";

const drawn = (changes: Parameters<typeof aFigure>[0] = {}) =>
  plotOf(aFigure(changes), { width: 600, look: DAY });
const marks = (svg: Element, name: string) =>
  svg.querySelector(`[aria-label="${name}"]`)?.children.length ?? 0;

test("lines: one for each series, a band, a dot for each value, a level for each baseline, stars for significance", () => {
  const svg = drawn();
  expect(marks(svg, "line")).toBe(2);
  expect(marks(svg, "dot")).toBe(4);
  expect(marks(svg, "area")).toBe(1);
  expect(marks(svg, "rule")).toBe(1);
  expect(svg.querySelector('[aria-label="text"]')?.textContent).toBe("**");
});

test("bars: one for each value, coloured by significance", () => {
  const bars = [
    aRow({ x: 0.1, y: 2, mark: "*", low: 1, high: 3 }),
    aRow({ x: 0.2, y: -2, mark: "**" }),
    aRow({ x: 0.3, y: 1, mark: "ns" }),
  ];
  const svg = drawn({ kind: "bar", series: [{ name: "a", rows: bars, baseline: null, is_filled: false }] });
  const fills = [...(svg.querySelector('[aria-label="bar"]')?.children ?? [])].map((bar) =>
    bar.getAttribute("fill"),
  );
  expect(fills).toEqual([DAY.gain, DAY.loss, DAY.none]);
});

test("labels beneath bars: all of them where there is room, else some of the values, and names turned", () => {
  const labels = (names: readonly (number | string)[], width: number) => {
    const series = [
      { name: "a", rows: names.map((x) => aRow({ x, y: 1 })), baseline: null, is_filled: false },
    ];
    const svg = plotOf(aFigure({ kind: "bar", series }), { width, look: DAY });
    return [...(svg.querySelector('[aria-label^="x-axis tick label"]')?.children ?? [])].map((label) => [
      label.textContent,
      label.getAttribute("transform")?.includes("rotate") ?? false,
    ]);
  };
  const values = [0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7];
  const shown = (width: number) => labels(values, width).map(([text]) => text);
  expect(shown(600)).toEqual(values.map((value) => value.toFixed(2)));
  // 9 labels of 4 letters need 252 px; beside the axis there are 218.
  expect(shown(294)).toEqual(["0.3", "0.4", "0.5", "0.6", "0.7"]);
  expect(labels(["Top-k 20", "Similarity ≥ 0.30"], 200)).toEqual([
    ["Top-k 20", true],
    ["Similarity ≥ 0.30", true],
  ]);
});

test("long names of bars have their room below, and those of several drawings lines beside them", () => {
  const long = "mistral:latest, Similarity ≥ 0.40";
  const longest = `${long}, a sweep of another year`;
  const named = (name: string, x: string) => ({
    name,
    rows: [aRow({ x, y: 1 }), aRow({ x: "b", y: 1 })],
    baseline: null,
    is_filled: false,
  });
  const shown = (svg: Element, axis: string) =>
    [...(svg.querySelector(`[aria-label^="${axis}-axis tick label"]`)?.children ?? [])].map(
      (label) =>
        [...label.querySelectorAll("tspan")].map(({ textContent }) => textContent).join("|") ||
        label.textContent,
    );
  const below = (x: string) =>
    plotOf(aFigure({ kind: "bar", series: [named("a", x)] }), { width: 300, look: DAY });
  const height = (svg: Element) => Number(svg.getAttribute("height"));
  expect(shown(below(long), "x")[0]).toBe(long);
  // 33 letters of 7 px, turned by 60°, are 200 px high; 19 letters fit into the usual 134.
  expect(height(below(long)) - height(below("a name of 19 letter"))).toBeCloseTo(82, 0);
  expect(shown(below(longest), "x")[0]).toMatch(/^mistral:latest, Similarity ≥ 0.*…$/);
  const beside = plotOf(aFigure({ kind: "bar", series: [named(long, "a"), named("c", "a")] }), {
    width: 330,
    look: DAY,
  });
  expect(shown(beside, "fy")[0]).toMatch(/^mistral:latest,\|Similarity ≥/);
});

test("points: one for each value, and the diagonal where it belongs to the figure", () => {
  const rows = [aRow({ x: 0.1, y: 0.2 }), aRow({ x: 0.3, y: 0.35 })];
  const series = [{ name: "a", rows, baseline: null, is_filled: false }];
  expect(marks(drawn({ kind: "scatter", has_diagonal: true, series }), "line")).toBe(1);
  const bare = drawn({ kind: "scatter", series });
  expect(marks(bare, "line")).toBe(0);
  expect(marks(bare, "dot")).toBe(2);
});

test("cells: one for each pair, with its value, or a dash where there is none", () => {
  const rows = [aRow({ x: "A", y: "A", value: 1 }), aRow({ x: "B", y: "A", value: null })];
  const svg = drawn({
    kind: "heatmap",
    is_diverging: true,
    series: [{ name: "a", rows, baseline: null, is_filled: false }],
  });
  expect(marks(svg, "cell")).toBe(2);
  const texts = [...(svg.querySelector('[aria-label="text"]')?.children ?? [])].map(
    (text) => text.textContent,
  );
  expect(texts).toEqual(["1.00", "–"]);
});

test("a figure of nothing is drawn without a mark, not refused", () => {
  for (const kind of ["line", "bar", "scatter"] as const) {
    const svg = drawn({
      kind,
      series: [{ name: "a", rows: [aRow({ x: 1, y: null })], baseline: null, is_filled: false }],
    });
    expect(marks(svg, "dot")).toBe(0);
  }
});

test("a saved picture holds title, legend, drawing and notes", async () => {
  const picture = await pictureOf(aFigure(), 800);
  const text = picture.textContent ?? "";
  for (const part of ["CPS by threshold", "orca, 2", "Relative to all runs."]) expect(text).toContain(part);
  expect(picture.querySelector("svg")).not.toBeNull();
});

test("notes are put into lines", () => {
  expect(wrapped("one two three four", 9)).toEqual(["one two", "three", "four"]);
});

test("cost and quality: intervals, a shaded band, and a staircase of what no cheaper configuration reaches", () => {
  const rows = [
    aRow({ x: 10, y: 0.5, low: 0.45, high: 0.55, label: "cheap" }),
    aRow({ x: 20, y: 0.4, low: 0.35, high: 0.45, label: "dominated" }),
    aRow({ x: 100, y: 0.6, label: "best" }),
  ];
  const svg = drawn({
    kind: "scatter",
    has_frontier: true,
    band: [0.58, 0.6],
    x: { label: "Tokens", unit: "", scale: "log", domain: null, names: [] },
    series: [
      { name: "tied", rows: rows.slice(2), baseline: null, is_filled: true },
      { name: "other", rows: rows.slice(0, 2), baseline: null, is_filled: false },
    ],
  });
  expect(marks(svg, "rule")).toBe(2);
  expect(marks(svg, "rect")).toBe(1);
  // Only those that no cheaper one reaches have their names written.
  expect([...svg.querySelectorAll('[aria-label="text"] text')].map((name) => name.textContent)).toEqual([
    "cheap",
    "best",
  ]);
  // A staircase over two configurations: from the cheap one across, then up to the best.
  const stairs = svg.querySelector('[aria-label="line"] path')?.getAttribute("d") ?? "";
  expect(stairs.match(/[ML]/g)).toHaveLength(3);
  // All are outlined, and those that cannot be told from the best are filled.
  const dots = [...svg.querySelectorAll('[aria-label="dot"]')].map((group) => group.children.length);
  expect(dots).toEqual([3, 1]);
});

test("the area of a mark is the number of questions that it stands for", () => {
  const rows = [aRow({ x: 0, y: 1, n: 1 }), aRow({ x: 1, y: 0, n: 4 })];
  const series = [{ name: "a", rows, baseline: null, is_filled: false }];
  const radii = (svg: ReturnType<typeof drawn>) =>
    [...svg.querySelectorAll('[aria-label="dot"] path')]
      .map((dot) => Math.max(...(dot.getAttribute("d")?.match(/[\d.]+/g) ?? []).map(Number)))
      .sort((a, b) => a - b);
  const [one, four] = radii(drawn({ kind: "scatter", is_sized: true, series }));
  expect((four ?? 0) / (one ?? 0)).toBeCloseTo(2);
  const [first, second] = radii(drawn({ kind: "scatter", series }));
  expect(first).toBe(second);
  // 400 answers in one place do not cover the drawing: a radius of 26 at most, and a twentieth of it for one answer.
  const many = [
    {
      name: "a",
      rows: [aRow({ x: 0, y: 1, n: 1 }), aRow({ x: 1, y: 0, n: 400 })],
      baseline: null,
      is_filled: false,
    },
  ];
  expect(radii(drawn({ kind: "scatter", is_sized: true, series: many }))).toEqual([1.3, 26]);
});

test("a level in a figure of points is a line across it", () => {
  const series = [{ name: "a", rows: [aRow({ x: 0, y: 1 })], baseline: null, is_filled: false }];
  const bare = marks(drawn({ kind: "scatter", series }), "rule");
  expect(marks(drawn({ kind: "scatter", horizontals: [0.4], series }), "rule")).toBe(bare + 1);
});

test("what is singled out has an outline, a name in bold, and a line of the legend", () => {
  const highlights = ["Recommended", "Cheapest"];
  const figure = aFigure({
    kind: "scatter",
    has_frontier: true,
    band: [0.58, 0.6],
    band_name: "As good",
    highlights,
    series: [
      {
        name: "tied",
        rows: [
          aRow({ x: 100, y: 0.6, label: "best", highlights: ["Recommended"] }),
          // Below the staircase: without its highlight it would have no name.
          aRow({ x: 50, y: 0.4, label: "both", highlights }),
          aRow({ x: 20, y: 0.5, label: "cheap" }),
          aRow({ x: 90, y: 0.45, label: "other" }),
        ],
        baseline: null,
        is_filled: true,
      },
    ],
  });
  const svg = plotOf(figure, { width: 600, look: DAY });
  const outlines = [...svg.querySelectorAll('[aria-label="dot"]')].slice(2);
  expect(outlines.map(({ children }) => children.length)).toEqual([2, 1]);
  const names = (weight: string) =>
    [...svg.querySelectorAll(`[aria-label="text"][font-weight="${weight}"] text`)].map(
      ({ textContent }) => textContent,
    );
  expect(names("400")).toEqual(["cheap"]);
  expect(names("700").sort()).toEqual(["best", "both"]);
  expect(keysOf(figure, DAY).map(({ name, isOutline = false }) => [name, isOutline])).toEqual([
    ["tied", false],
    ["Recommended", true],
    ["Cheapest", true],
    ["As good", false],
  ]);
  expect(describe(figure)).toContain("best: Recommended. both: Recommended, Cheapest.");
});

test("ranked: the largest first, intervals where they are known, those tied with the best filled", () => {
  const svg = drawn({
    kind: "ranked",
    verticals: [-2],
    series: [
      { name: "tied", rows: [aRow({ x: "small", y: 1, low: -1, high: 3 })], baseline: null, is_filled: true },
      {
        name: "other",
        rows: [aRow({ x: "large", y: 2, low: 1, high: 3 }), aRow({ x: "none", y: 0 })],
        baseline: null,
        is_filled: false,
      },
    ],
  });
  const names = [...(svg.querySelector('[aria-label="y-axis tick label"]')?.children ?? [])];
  expect(names.map(({ textContent }) => textContent)).toEqual(["large", "small", "none"]);
  // Zero, the margin, and two intervals.
  expect([...svg.querySelectorAll('[aria-label="rule"]')].map(({ children }) => children.length)).toEqual([
    1, 1, 2,
  ]);
  expect([...svg.querySelectorAll('[aria-label="dot"]')].map(({ children }) => children.length)).toEqual([
    3, 1,
  ]);
});

test("a histogram has steps and its thresholds as vertical lines, and no dots", () => {
  const rows = [aRow({ x: 0.1, y: 0 }), aRow({ x: 0.12, y: 60 }), aRow({ x: 0.14, y: 40 })];
  const svg = drawn({
    is_stepped: true,
    verticals: [0.11, 0.13],
    series: [{ name: "gold", rows, baseline: null, is_filled: false }],
  });
  expect(marks(svg, "dot")).toBe(0);
  expect(marks(svg, "area")).toBe(1);
  expect(marks(svg, "rule")).toBe(2);
  // The axis has round values of its own, not the middles of the bins.
  const ticks = [...(svg.querySelector('[aria-label="x-axis tick label"]')?.children ?? [])];
  expect(ticks.map(({ textContent }) => textContent)).not.toEqual(["0.1", "0.12", "0.14"]);
});

test("names along an axis stand in its order, turned where they have no room, and lines follow them", () => {
  const dates = ["2026-01-01 08:00", "2026-01-02 08:00", "2026-01-03 08:00"];
  const [first, second, third] = dates.map((x, place) => aRow({ x, y: place }));
  const svg = plotOf(
    aFigure({
      x: { label: "Created", unit: "", scale: "category", domain: null, names: dates },
      // The second date comes last among the rows.
      series: [
        { name: "a", rows: [first, third].flatMap((row) => row ?? []), baseline: null, is_filled: false },
        { name: "b", rows: [second].flatMap((row) => row ?? []), baseline: null, is_filled: false },
      ],
    }),
    { width: 300, look: DAY },
  );
  const labels = [...(svg.querySelector('[aria-label^="x-axis tick label"]')?.children ?? [])];
  expect(labels.map((label) => label.textContent)).toEqual(dates);
  expect(labels.every((label) => label.getAttribute("transform")?.includes("rotate"))).toBe(true);
});
