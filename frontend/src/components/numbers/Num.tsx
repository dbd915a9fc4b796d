import { VisuallyHidden } from "@mantine/core";
import { Hint } from "@/components/Hint";
import { t } from "@/words";
import { reasonOf } from "@/words/reasons";
import { NONE } from "./format";
import classes from "./Num.module.css";

interface Props {
  value: number | null | undefined;
  /** Why there is none; a key of the closed list, or a sentence. */
  reason?: string | null | undefined;
  format: (value: number) => string;
}

/** A number, or a dash with its reason on hover and in the accessible name. */
export function Num({ value, reason, format }: Props) {
  if (value !== null && value !== undefined) return <span className={classes.number}>{format(value)}</span>;
  const sentence = reasonOf(reason);
  return (
    <Hint className={classes.none} text={sentence}>
      <span aria-hidden="true">{NONE}</span>
      <VisuallyHidden>{t("no value: {reason}", { reason: sentence })}</VisuallyHidden>
    </Hint>
  );
}
