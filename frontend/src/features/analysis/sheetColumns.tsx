import { Text } from "@mantine/core";
import type { SheetQuestion } from "@/api/types";
import { AnchorLink } from "@/components/links";
import { formatCount, formatScore } from "@/components/numbers/format";
import { Num } from "@/components/numbers/Num";
import { type Column, readSort, type Sort } from "@/components/table/columns";
import { words } from "@/words";

const label = words.analysis;

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
export interface RowSearch {
  sheet: string;
  sort?: string | undefined;
  find?: string | undefined;
  only?: (typeof FILTERS)[number] | undefined;
}

/** The same as the server takes it; what does not fit is left out. */
export function rowQuery({ sheet, sort, find, only }: RowSearch) {
  const read = readSort(sort);
  const order = read && (METRICS.find((name) => name === read.column) ?? "number");
  return {
    sheet,
    ...(read && order && (order !== "number" || read.column === "number")
      ? { order, is_descending: read.isDescending }
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

export function thresholdName(threshold: number | null | undefined): string {
  return threshold == null ? label.baseline : label.thresholdOf(String(Number(threshold.toFixed(4))));
}

/** The columns shown, with the one that rows are sorted by, so that an order is never without its numbers. */
export function withSorted<Row>(
  shown: readonly Column<Row>[],
  all: readonly Column<Row>[],
  sort: Sort | null,
): Column<Row>[] {
  const sorted = all.find(({ id }) => id === sort?.column);
  return sorted && !shown.includes(sorted) ? [...shown, sorted] : [...shown];
}

function Long({ text, none }: { text: string | null; none: string }) {
  if (!text) return <Num value={null} reason={none} format={String} />;
  return (
    <Text size="sm" lineClamp={2} title={text}>
      {text}
    </Text>
  );
}

function metric(name: (typeof METRICS)[number]): Column<SheetQuestion> {
  return {
    id: name,
    label: name,
    isNumber: true,
    isSorted: true,
    isExtra: !FIRST.has(name),
    cell: ({ scores }) => <Num value={scores[name]} reason={label.noNumber} format={formatScore} />,
    text: ({ scores }) => String(scores[name] ?? ""),
  };
}

/** What the list of a sheet's rows shows; a row keeps the list's order for the way from one to the next. */
export function columnsOf(id: string, search: RowSearch): Column<SheetQuestion>[] {
  return [
    {
      id: "question",
      label: label.question,
      isText: true,
      cell: ({ question, number }) => (
        <AnchorLink
          to="/analysis/imports/$id/questions/$number"
          params={{ id, number: String(number + 1) }}
          search={{ ...search }}
          size="sm"
        >
          {question}
        </AnchorLink>
      ),
      text: ({ question }) => question,
    },
    {
      id: "number",
      label: label.sheetRow,
      title: label.sheetRowTitle,
      isNumber: true,
      isSorted: true,
      cell: ({ row }) => formatCount(row),
      text: ({ row }) => String(row),
    },
    {
      id: "reference",
      label: label.reference,
      isText: true,
      isExtra: true,
      cell: ({ reference }) => <Long text={reference} none={label.noReference} />,
      text: ({ reference }) => reference ?? "",
    },
    {
      id: "answer",
      label: label.answer,
      isText: true,
      cell: ({ answer }) => <Long text={answer} none={label.noAnswer} />,
      text: ({ answer }) => answer ?? "",
    },
    {
      id: "repeats",
      label: label.repeats,
      title: label.repeatsTitle,
      isNumber: true,
      isExtra: true,
      cell: ({ repeats }) => formatCount(repeats),
      text: ({ repeats }) => String(repeats),
    },
    ...METRICS.map(metric),
  ];
}
