import type { ReactNode } from "react";
import classes from "./More.module.css";

interface Props {
  title: ReactNode;
  isOpen?: boolean;
  children: ReactNode;
}

/** What few readers need, folded away. */
export function More({ title, isOpen = false, children }: Props) {
  return (
    <details className={classes.more} open={isOpen}>
      <summary>{title}</summary>
      {children}
    </details>
  );
}
