import type { Numbers, Wording } from "../sentences";

/** What the server says in its own English: sentences, and what tables, columns and cells are called. */
export const told = {
  /** A sentence in the reader's language; null where it is known in English only. */
  sentence: (text: string, _wording: Wording | undefined, _numbers: Numbers): string | null => text,
  /** A table by its name. */
  table: (_name: string, title: string): string => title,
  /** A column by its name. */
  column: (column: string): string =>
    column
      .replace(/_per_s_(median|q1|q3)$/, "/s, $1")
      .replace(/_s_(median|q1|q3)$/, " (s), $1")
      .replaceAll("_", " "),
  /** A word in a cell; names stay as they are. */
  cell: (_column: string, text: string): string => text,
};
