import type { ReactNode } from "react";
import classes from "./Facts.module.css";

export type Fact = [name: string, value: ReactNode];

/** A fact, or nothing where there is none. */
export type PossibleFact = Fact | false | "" | null | undefined;

/** A few facts about one thing: each a name and what it is; nothing without any. */
export function Facts({ facts }: { facts: readonly PossibleFact[] }) {
  const known = facts.filter((fact) => !!fact);
  if (known.length === 0) return null;
  return (
    <dl className={classes.facts}>
      {known.map(([name, value]) => (
        <div key={name}>
          <dt className={classes.name}>{name}</dt>
          <dd className={classes.value}>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
