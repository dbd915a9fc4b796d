import { Text } from "@mantine/core";
import type { SheetQuestion } from "@/api/types";
import { formatPlain } from "@/components/numbers/format";
import { Num } from "@/components/numbers/Num";
import { type Column, countColumn, scoreColumn, textColumn } from "@/components/table";
import { readSort } from "@/components/table/useView";
import { t } from "@/words";

export const PAGE = 50;
export const FILTERS = ["repeated", "incomplete"] as const;
/** In the order in which every table holds them. */
export const METRICS = [
  "METEOR",
  "BLEU",
  "Rouge-1.r",
  "Rouge-1.p",
  "Rouge-1.f",
  "Rouge-2.r",
  "Rouge-2.p",
  "Rouge-2.f",
  "Rouge-l.r",
  "Rouge-l.p",
  "Rouge-l.f",
  "Laplace Perplexity",
  "Lidstone Perplexity",
  "Cosine similarity",
  "Pearson correlation",
  "F1 Score",
  "Bert-Score.precision",
  "Bert-Score.recall",
  "Bert-Score.f1",
  "B-RT.coherence",
  "B-RT.consistency",
  "B-RT.fluency",
  "B-RT.relevance",
  "B-RT.average",
] as const;
/** Shown until others are chosen. */
const FIRST: ReadonlySet<string> = new Set(["METEOR", "F1 Score"]);

/** Which rows of a sheet, in which order, as the address has them. */
interface RowSearch {
  sheet: string;
  sort?: string | undefined;
  find?: string | undefined;
  only?: (typeof FILTERS)[number] | undefined;
}

/** The same as the server takes it; what does not fit is left out. */
export function rowQuery({ sheet, sort, find, only }: RowSearch) {
  const read = readSort(sort);
  const order = read && (METRICS.find((name) => name === read.id) ?? "number");
  return {
    sheet,
    ...(read && order && (order !== "number" || read.id === "number")
      ? { order, is_descending: read.desc }
      : {}),
    ...(find ? { find } : {}),
    ...(only ? { only } : {}),
  };
}

/** The list that a row was opened from, at the page that holds the row: `place` from 0, null where it is in none. */
export function listOf<Search extends { marks?: unknown; page?: number | undefined }>(
  { marks: _, page, ...list }: Search,
  place: number | null | undefined,
) {
  return { ...list, page: place == null ? page : Math.floor(place / PAGE) || undefined };
}

/** What a sheet's configuration is called: its strategy, its threshold, or the baseline. */
export function levelName({
  threshold,
  strategy,
}: {
  threshold: number | null;
  strategy?: string | null;
}): string {
  if (strategy != null) {
    return strategy;
  }
  return threshold == null ? t("baseline") : t("threshold {value}", { value: formatPlain(threshold) });
}

function long(id: string, heading: string, value: (row: SheetQuestion) => string | null, none: string) {
  return textColumn(id, heading, value, {
    cell: (row) =>
      value(row) ? (
        <Text size="sm" lineClamp={2} title={value(row) ?? ""}>
          {value(row)}
        </Text>
      ) : (
        <Num value={null} reason={none} format={String} />
      ),
  }) satisfies Column<SheetQuestion>;
}

/** What the list of a sheet's rows shows. */
export const COLUMNS: Column<SheetQuestion>[] = [
  textColumn("question", t("Question"), ({ question }) => question),
  countColumn("number", t("Row"), ({ row }) => row, {
    title: t("Row number in the spreadsheet; the header is row 1"),
    sort: "server",
  }),
  {
    ...long(
      "reference",
      t("Reference answer"),
      ({ reference }) => reference,
      t("The import has no reference dataset that contains this question."),
    ),
    isExtra: true,
  },
  long("answer", t("Answer"), ({ answer }) => answer, t("The sheet has no answer in this row.")),
  countColumn("repeats", t("Rows"), ({ repeats }) => repeats, {
    title: t("Number of rows with this question in the sheet"),
    isExtra: true,
  }),
  ...METRICS.map(
    (name): Column<SheetQuestion> =>
      scoreColumn(name, name, ({ scores }) => scores[name], {
        sort: "server",
        isExtra: !FIRST.has(name),
        reason: t("The cell in the sheet does not contain a number."),
      }),
  ),
];
