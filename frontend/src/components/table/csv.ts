import { Problem } from "@/api/problem";
import { showDone, showProblem } from "@/components/notices";
import { t } from "@/words";
import { type Column, headingOf, type Value } from "./columns";

/** A cell as CSV wants it; a text that a spreadsheet would run as a formula is kept a text. */
function csvCell(text: string): string {
  // Only a whole number may begin with "-": "-2+3" is a formula.
  const isFormula = /^[=+@\t\r]/.test(text) || (text.startsWith("-") && Number.isNaN(Number(text)));
  const safe = isFormula ? `'${text}` : text;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Lines of texts as CSV (RFC 4180). */
export function csvOf(lines: readonly (readonly string[])[]): string {
  return lines.map((line) => line.map(csvCell).join(",")).join("\r\n");
}

/** Rows as CSV: values, nothing rounded, without buttons. */
export function csvOfRows<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string {
  const held = columns.filter(({ isAct }) => !isAct);
  return csvOfValues(
    held,
    held.map(({ value }) => rows.map(value)),
  );
}

/** Copy rows to the clipboard as CSV, and show a notice; missing values are fetched. */
export async function copyRows<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): Promise<void> {
  const held = columns.filter(({ isAct }) => !isAct);
  try {
    const values = await Promise.all(held.map(({ value, copied }) => copied?.(rows) ?? rows.map(value)));
    await navigator.clipboard.writeText(csvOfValues(held, values));
    showDone(
      t("Copied"),
      t("{rows, plural, one {# row} other {# rows}} copied to the clipboard.", { rows: rows.length }),
    );
  } catch (error) {
    if (error instanceof Problem) showProblem(error);
    else showDone(t("The browser blocked access to the clipboard."));
  }
}

function csvOfValues<Row>(columns: readonly Column<Row>[], values: (readonly Value[])[]): string {
  const [first = []] = values;
  return csvOf([
    columns.map(headingOf),
    ...first.map((_, place) => values.map((column) => String(column[place] ?? ""))),
  ]);
}
