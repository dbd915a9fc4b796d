import { nameOfField } from "../fields";
import type { Numbers, Wording } from "../sentences";
import { compare } from "./compare";

/** The fields in a sentence, which are written as the record names them, in a researcher's words. */
function withNames(text: string, fields: Wording["values"][string] | undefined): string {
  if (!Array.isArray(fields)) return text;
  const named = fields.map((field) => nameOfField(String(field), compare.factors));
  return text.replace(fields.join(", "), () => named.join(", "));
}

/** What the server says in its own English: sentences, and what tables, columns and cells are called. */
export const told = {
  /** A sentence in the reader's language; null where it is known in English only. */
  sentence: (text: string, wording: Wording | undefined, _numbers: Numbers): string | null =>
    wording?.code.startsWith("control.") ? withNames(text, wording.values.fields) : text,
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
