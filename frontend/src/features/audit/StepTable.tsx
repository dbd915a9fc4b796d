import clsx from "clsx";
import { ServerText } from "@/components/ServerText";
import { type Column, DataTable, plainColumn, textColumn } from "@/components/table";
import type { Step } from "@/verify";
import { t } from "@/words";
import classes from "./StepTable.module.css";
import { placesOf, reasonOf } from "./sentences";
import { TITLES } from "./titles";

const OUTCOMES = { pass: t("passed"), fail: t("failed", {}, "check"), not_checked: t("not checked") };
/** An outcome has a word, a mark and a colour, so that it never hangs on the colour alone. */
const MARKS = { pass: "✓", fail: "✗", not_checked: "○" } as const;

/** Steps with one reason why they were not checked, or one step. */
type Row = readonly [Step, ...Step[]];

const COLUMNS: Column<Row>[] = [
  textColumn("step", t("Check"), (steps) => steps.map(({ name }) => TITLES[name]).join("\n"), {
    cell: (steps) => steps.map(({ name }) => <div key={name}>{TITLES[name]}</div>),
    note: ([step]) => <Found step={step} />,
  }),
  plainColumn("outcome", t("Result"), ([{ outcome }]) => OUTCOMES[outcome], {
    cell: ([{ outcome }]) => (
      <span className={clsx(classes.outcome, classes[outcome])}>
        <span aria-hidden="true">{MARKS[outcome]}</span>
        {OUTCOMES[outcome]}
      </span>
    ),
  }),
];

/** Failed steps, then the others, in order; those that were not checked for one reason together: it is then given once. */
export function alike(steps: readonly Step[]): Row[] {
  const groups = new Map<string | Step, Row>();
  const failedFirst = steps.toSorted((a, b) => Number(b.outcome === "fail") - Number(a.outcome === "fail"));
  for (const step of failedFirst) {
    const key = step.outcome === "not_checked" ? reasonOf(step) : step;
    const group = groups.get(key);
    groups.set(key, group ? [...group, step] : [step]);
  }
  return [...groups.values()];
}

/** All steps of a verification. */
export function StepTable({ steps }: { steps: Step[] }) {
  return (
    <DataTable
      name="audit-steps"
      label={t("Checks")}
      columns={COLUMNS}
      rows={alike(steps)}
      keyOf={([{ name }]) => name}
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
          <ServerText text={reason} />
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
