import { Fragment, type ReactNode } from "react";
import type { Conclusion, SweepAnalysis, SweepDetail } from "@/api/types";
import { AnchorLink } from "@/components/links";
import { Quiet } from "@/components/Quiet";
import { ServerText } from "@/components/ServerText";
import { t } from "@/words";
import classes from "./VerdictCard.module.css";

export type Line = Conclusion["would_change"][number];

/** The analysis with the tables behind a verdict: that of the sweep, or of the judge that decides. */
export interface Place {
  id: string;
  assessment?: string | undefined;
  primary?: string | undefined;
}

export function placeOf({ id }: SweepDetail, { rule }: SweepAnalysis): Place {
  const assessment = rule?.judged_by?.assessment;
  return assessment === undefined ? { id } : { id, assessment, primary: rule.primary };
}

export function Lines({ at, lines }: { at: Place; lines: readonly Line[] }) {
  if (lines.length === 0) return null;
  return (
    <ul className={classes.lines}>
      {lines.map((line) => (
        <li key={line.text}>
          <Sourced at={at} line={line} />
        </li>
      ))}
    </ul>
  );
}

const startsWithNumber = ({ parts }: Line) => parts?.[0]?.table != null;

/** Lines side by side, first those that begin with a number: it stands large above the rest. */
export function Facts({ at, lines }: { at: Place; lines: readonly Line[] }) {
  if (lines.length === 0) return null;
  const ordered = lines.toSorted((a, b) => Number(startsWithNumber(b)) - Number(startsWithNumber(a)));
  return (
    <ul className={classes.facts}>
      {ordered.map((line) => (
        <li key={line.text} data-number={startsWithNumber(line) || undefined}>
          <Sourced at={at} line={line} />
        </li>
      ))}
    </ul>
  );
}

/**
 * A sentence whose numbers lead to the tables in which they are computed. Where none of them stands in its text, the
 * whole sentence leads to the table of the first one, followed by a link to each other table.
 */
export function Sourced({ at, line: { text, numbers, parts } }: { at: Place; line: Line }) {
  if (parts?.length)
    return parts.map(({ text: piece, table }, place) => {
      const key = place;
      return table ? (
        <Computed key={key} at={at} table={table} className={classes.number}>
          {piece}
        </Computed>
      ) : (
        <ServerText key={key} text={piece} />
      );
    });
  const [first, ...others] = new Set(numbers.map(({ table }) => table));
  if (first === undefined) return <ServerText text={text} />;
  return (
    <>
      <Computed at={at} table={first}>
        <ServerText text={text} />
      </Computed>
      {others.map((table) => (
        <Fragment key={table}>
          {" "}
          <Computed at={at} table={table}>
            <Quiet span td="underline">
              {t("Other figures in this sentence")}
            </Quiet>
          </Computed>
        </Fragment>
      ))}
    </>
  );
}

interface ComputedProps {
  at: Place;
  table: string;
  className?: string | undefined;
  children: ReactNode;
}

/** A number or a sentence that leads to the table in which it is computed. */
export function Computed({ at, table, className = "", children }: ComputedProps) {
  const { id, ...judged } = at;
  return (
    <AnchorLink
      to="/analysis/sweeps/$id"
      params={{ id }}
      search={{ table, ...judged }}
      inherit
      className={`${classes.source} ${className}`}
      title={t("Show the table with this number")}
    >
      {children}
    </AnchorLink>
  );
}
