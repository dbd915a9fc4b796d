import clsx from "clsx";
import { Sheet } from "@/components/Sheet";
import type { Step } from "@/verify";
import { words } from "@/words";
import classes from "./StepTable.module.css";
import { placesOf, reasonOf } from "./sentences";

const label = words.audit;
/** An outcome has a word, a mark and a colour, so that it never hangs on the colour alone. */
const MARKS = { pass: "✓", fail: "✗", not_checked: "○" } as const;

/** All steps of a verification, in order. */
export function StepTable({ steps }: { steps: Step[] }) {
  return (
    <Sheet label={label.steps}>
      <thead>
        <tr>
          <th scope="col">{label.outcome}</th>
          <th scope="col">{label.step}</th>
        </tr>
      </thead>
      <tbody>
        {steps.map((step) => (
          <Row key={step.name} step={step} />
        ))}
      </tbody>
    </Sheet>
  );
}

function Row({ step }: { step: Step }) {
  const places = placesOf(step);
  const reason = reasonOf(step);
  return (
    <tr>
      <td>
        <span className={clsx(classes.outcome, classes[step.outcome])}>
          <span aria-hidden="true">{MARKS[step.outcome]}</span>
          {label.outcomes[step.outcome]}
        </span>
      </td>
      <th scope="row">
        {label.titles[step.name]}
        {reason !== "" && <p className={classes.reason}>{reason}</p>}
        {places.length > 0 && (
          <ul className={classes.places} aria-label={label.place}>
            {places.map((place) => (
              <li key={place}>{place}</li>
            ))}
          </ul>
        )}
      </th>
    </tr>
  );
}
