import { Fragment } from "react";
import type { Column } from "@/components/table/columns";
import { DataTable } from "@/components/table/DataTable";
import { t } from "@/words";
import { SHORTCUTS } from "./shortcuts";

const COLUMNS: Column<(typeof SHORTCUTS)[number]>[] = [
  {
    id: "keys",
    label: t("Keys"),
    sort: "none",
    value: ([keys]) => keys,
    cell: ([keys]) =>
      keys.split(" ").map((key, place) => (
        <Fragment key={key}>
          {place > 0 && ", "}
          <kbd>{key}</kbd>
        </Fragment>
      )),
  },
  { id: "effect", label: t("Action"), kind: "text", sort: "none", value: ([, effect]) => effect },
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
