import clsx from "clsx";
import type { ReactNode } from "react";
import classes from "./Note.module.css";

interface Props {
  /** `warn` where a reader should think twice, `bad` where something failed. */
  tone?: "plain" | "warn" | "bad";
  title?: string | undefined;
  /** `alert` speaks up as soon as it appears, `status` when there is time. */
  role?: "note" | "alert" | "status";
  /** The server was not reached: not shown together with the notice of a lost connection. */
  isOffline?: boolean;
  children?: ReactNode;
}

/** Something to know, set apart from the text around it. */
export function Note({ tone = "plain", title, role = "note", isOffline, children }: Props) {
  return (
    <div role={role} data-offline={isOffline || undefined} className={clsx(classes.note, classes[tone])}>
      {title && <p className={classes.title}>{title}</p>}
      {children}
    </div>
  );
}
