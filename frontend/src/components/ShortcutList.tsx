import { Fragment } from "react";
import { type Column, DataTable, plainColumn, textColumn } from "@/components/table";
import { t } from "@/words";
import { SHORTCUTS } from "./shortcuts";

const COLUMNS: Column<(typeof SHORTCUTS)[number]>[] = [
  plainColumn("keys", t("Keys"), ([keys]) => keys, {
    sort: "none",
    cell: ([keys]) =>
      keys.split(" ").map((key, place) => (
        <Fragment key={key}>
          {place > 0 && ", "}
          <kbd>{key}</kbd>
        </Fragment>
      )),
  }),
  textColumn("effect", t("Action"), ([, effect]) => effect, { sort: "none" }),
];

/** The keys that work on their own. */
export function ShortcutList() {
  return (
    <DataTable
      name="shortcuts"
      label={t("Keyboard shortcuts")}
      columns={COLUMNS}
      rows={SHORTCUTS}
      keyOf={([keys]) => keys}
      isShort
      isLegend
    />
  );
}
