import { VisuallyHidden } from "@mantine/core";
import { words } from "@/words";
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
  const sentence = words.numbers.reason(reason);
  return (
    <span className={classes.none} title={sentence}>
      <span aria-hidden="true">{NONE}</span>
      <VisuallyHidden>{words.numbers.none(sentence)}</VisuallyHidden>
    </span>
  );
}
