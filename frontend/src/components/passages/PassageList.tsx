import type { ReactNode, Ref } from "react";
import classes from "./PassageItem.module.css";

/** Passages, nearest first. */
export function PassageList({ children, ref }: { children: ReactNode; ref?: Ref<HTMLOListElement> }) {
  return (
    <ol className={classes.list} ref={ref}>
      {children}
    </ol>
  );
}
