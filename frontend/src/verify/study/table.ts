/** table.csv of a study: every cell from the records and the verdict. */
import { type Bytes, decoded } from "../bytes";
import { canonical } from "../canonical";
import { type Manifest, COLUMNS as METRICS } from "../forms";
import { csvQuoted } from "../members";
import type { Violation } from "../steps";
import type { VerdictDocument } from "../verdict-form";
import { isClose } from "./close";
import type { StudyDocument } from "./form";
import { configOf, type RunFacts } from "./runs";

type Format = StudyDocument["format"];

const NAMES = ["configuration", "model"];
/** Columns of version 3: how the runs retrieve, as their manifests state it. */
const SETTINGS = ["retriever", "retrieval"];
const OWN = [
  ..."runs,questions,scored,failed,passages,with_passages".split(","),
  ..."value,cv,t_cps,gain,low,high,p,outcome,cost".split(","),
];
const ON_GRID = new Set(["low", "high", "p"]);
const NUMBER = /^-?[0-9]+(\.[0-9]+)?(e[+-]?[0-9]+)?$/;
const GRID_TOLERANCE = 1e-8;
/** Weights of stability and of the penalty in T-CPS. */
const STABILITY = 0.1;
const PENALTY = 0.05;

type Cell = string | number | null;

function columnsOf(format: Format): string[] {
  return [...NAMES, ...(format === "passer-study-3" ? SETTINGS : []), ...OWN, ...METRICS];
}

/** The cells of a CSV (RFC 4180, quoted only where needed) with the header of a study's table; null for another. */
export function readTable(content: Bytes, format: Format): string[][] | null {
  const columns = columnsOf(format);
  const text = decoded(content);
  const rows = text === null ? null : parsed(text);
  const isWhole = rows?.every((row) => row.length === columns.length) && written(rows) === text;
  return rows && isWhole && columns.every((name, place) => rows[0]?.[place] === name) ? rows : null;
}

function written(rows: readonly string[][]): string {
  return rows.map((row) => `${row.map(csvQuoted).join(",")}\r\n`).join("");
}

function parsed(text: string): string[][] | null {
  const rows: string[][] = [];
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/y;
  let row: string[] = [];
  while (cell.lastIndex < text.length) {
    const found = cell.exec(text);
    if (!found) return null;
    row.push(found[1]?.replaceAll('""', '"') ?? found[2] ?? "");
    if (found[3] === ",") {
      if (cell.lastIndex === text.length) row.push("");
      else continue;
    }
    rows.push(row);
    row = [];
  }
  return rows;
}

/** The first cell that does not follow; `cells` have the header as their first row. */
export function otherCell(
  cells: string[][],
  document: VerdictDocument,
  runs: RunFacts[],
  format: Format,
): Violation | null {
  const { configurations } = document;
  const columns = columnsOf(format);
  if (cells.length - 1 !== configurations.length) {
    return {
      why: "other_rows",
      facts: [String(cells.length - 1), String(configurations.length)],
      field: "rows",
    };
  }
  for (const place of configurations.keys()) {
    const follows = rowOf(document, place, runs, format);
    const at = columns.findIndex(
      (name, column) => !isCell(name, cells[place + 1]?.[column] ?? "", follows[column]),
    );
    if (at >= 0) {
      const [row, column] = [String(place + 2), columns[at] ?? ""];
      return { why: "other_cell", facts: [row, column], field: `row ${row}, ${column}` };
    }
  }
  return null;
}

function isCell(name: string, cell: string, value: Cell | undefined): boolean {
  if (typeof value !== "number") {
    const text = value ?? "";
    return cell === (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text);
  }
  return NUMBER.test(cell) && isClose(Number(cell), value, ON_GRID.has(name) ? GRID_TOLERANCE : undefined);
}

function rowOf(document: VerdictDocument, place: number, all: RunFacts[], format: Format): Cell[] {
  const { configurations, gains, rule } = document;
  const here = configurations[place] as (typeof configurations)[number];
  const base = here.baseline === null ? here : configurations[here.baseline];
  const ids = new Set(here.runs.map(({ id }) => id));
  const runs = all.filter(({ run }) => ids.has(run.id));
  const items = runs.flatMap((facts) => facts.items);
  const spread = spreadOf(
    here.values.flatMap((value, question) =>
      value !== null && (base?.values[question] ?? null) !== null
        ? [{ value, weight: document.weights?.[question] ?? 1 }]
        : [],
    ),
  );
  const cv = rule.primary === "CPS" ? spread.cv : null;
  const gain = gains.find(({ configuration }) => configuration === place);
  const count = (state: string) => items.filter((item) => item.state === state).length;
  const kept = items.flatMap(({ passages }) => passages ?? []);
  const isKnown = kept.length === items.length;
  return [
    here.name,
    here.model,
    ...(format === "passer-study-3" ? settingsOf(configOf(here, all)) : []),
    runs.length,
    items.length,
    count("scored"),
    count("failed"),
    isKnown && kept.length > 0 ? sumOf(kept) / kept.length : null,
    isKnown ? kept.filter((passages) => passages > 0).length : null,
    spread.mean,
    cv,
    spread.mean === null || cv === null ? null : spread.mean * (1 + STABILITY * (1 - cv)) - PENALTY * cv * cv,
    ...(gain
      ? [gain.gain, gain.low, gain.high, gain.p, outcomeOf(document, gain, here.model, format)]
      : [null, null, null, null, null]),
    here.cost,
    ...METRICS.map((metric) => {
      const known = items.flatMap(({ scores }) => scores?.[metric] ?? []);
      return known.length > 0 ? sumOf(known) / known.length : null;
    }),
  ];
}

/** An absent retriever is the dense one. */
function settingsOf(config: Manifest["config"] | undefined): Cell[] {
  const { retriever, retrieval = null } = config ?? {};
  return [retriever === undefined ? null : canonical(retriever), config ? canonical(retrieval) : null];
}

/** Since version 2 nothing is decided where there is no verdict; before, the cell was what the interval would say. */
function outcomeOf(
  { conclusions }: VerdictDocument,
  { outcome }: VerdictDocument["gains"][number],
  model: string,
  format: Format,
): string {
  const isOpen = conclusions.some((each) => each.model === model && each.kind === "no_verdict");
  return format === "passer-study-1" || !isOpen || outcome === "identical" ? outcome : "undecided";
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

/** Weighted mean, and standard deviation over it; null with fewer than two values or a mean of 0 or less. */
function spreadOf(values: { value: number; weight: number }[]): { mean: number | null; cv: number | null } {
  if (values.length === 0) return { mean: null, cv: null };
  const total = sumOf(values.map(({ weight }) => weight));
  const mean = sumOf(values.map(({ value, weight }) => value * weight)) / total;
  if (values.length < 2 || mean <= 0) return { mean, cv: null };
  // With equal weights the divisor is n - 1.
  const divisor = total - sumOf(values.map(({ weight }) => weight ** 2)) / total;
  const squares = sumOf(values.map(({ value, weight }) => weight * (value - mean) ** 2));
  return { mean, cv: Math.sqrt(squares / divisor) / mean };
}
