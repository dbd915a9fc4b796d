import clsx from "clsx";
import type { ReactNode } from "react";
import classes from "./Sheet.module.css";

interface Props {
  /** Name of the table for those who do not see it. */
  label: string;
  children: ReactNode;
  /** Keep the first column in view; for wide tables. */
  pinned?: boolean;
  /** Scroll within the height of the window, under the header; for long tables. */
  bounded?: boolean;
}

/** A table of numbers: sticky header and first column, scrolled within itself, never the page. */
export function Sheet({ label, children, pinned = false, bounded = false }: Props) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <div className={clsx(classes.frame, bounded && classes.bounded)} tabIndex={0}>
      <table className={clsx(classes.sheet, pinned && classes.pinned)} aria-label={label}>
        {children}
      </table>
    </div>
  );
}

/** The heading of a column of numbers, with what they are. */
export function NumberHead({ name, title }: { name: string; title: string }) {
  return (
    <th scope="col" className={cell.number}>
      <abbr title={title}>{name}</abbr>
    </th>
  );
}

/** Classes of the cells. */
export const cell = { number: classes.numeric, text: classes.text, row: classes.row, start: classes.start };
