import clsx from "clsx";
import { Said } from "@/components/Said";
import { type Column, DataTable, plainColumn, textColumn } from "@/components/table";
import type { Step } from "@/verify";
import { t } from "@/words";
import classes from "./StepTable.module.css";
import { placesOf, reasonOf } from "./sentences";
import { TITLES } from "./titles";

const OUTCOMES = { pass: t("passed"), fail: t("failed", {}, "check"), not_checked: t("not checked") };
/** An outcome has a word, a mark and a colour, so that it never hangs on the colour alone. */
const MARKS = { pass: "✓", fail: "✗", not_checked: "○" } as const;

const COLUMNS: Column<Step>[] = [
  textColumn("step", t("Check"), ({ name }) => TITLES[name], { note: (step) => <Found step={step} /> }),
  plainColumn("outcome", t("Result"), ({ outcome }) => OUTCOMES[outcome], {
    cell: ({ outcome }) => (
      <span className={clsx(classes.outcome, classes[outcome])}>
        <span aria-hidden="true">{MARKS[outcome]}</span>
        {OUTCOMES[outcome]}
      </span>
    ),
  }),
];

/** All steps of a verification, in order. */
export function StepTable({ steps }: { steps: Step[] }) {
  return (
    <DataTable
      name="audit-steps"
      label={t("Checks")}
      columns={COLUMNS}
      rows={steps}
      keyOf={({ name }) => name}
      isShort
    />
  );
}

/** Why a step ended as it did, and where. */
function Found({ step }: { step: Step }) {
  const places = placesOf(step);
  const reason = reasonOf(step);
  return (
    <>
      {reason !== "" && (
        <p className={classes.reason}>
          <Said text={reason} />
        </p>
      )}
      {places.length > 0 && (
        <ul className={classes.places} aria-label={t("Location")}>
          {places.map((place) => (
            <li key={place}>{place}</li>
          ))}
        </ul>
      )}
    </>
  );
}
