import type { ReactNode } from "react";
import classes from "./More.module.css";

interface Props {
  title: ReactNode;
  isOpen?: boolean;
  /** Called when the reader opens or closes it. */
  onToggle?: (isOpen: boolean) => void;
  children: ReactNode;
}

/** What few readers need, folded away. */
export function More({ title, isOpen = false, onToggle, children }: Props) {
  return (
    <details
      className={classes.more}
      open={isOpen}
      onToggle={({ currentTarget }) => onToggle?.(currentTarget.open)}
    >
      <summary>{title}</summary>
      {children}
    </details>
  );
}
