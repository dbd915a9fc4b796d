import { Button, type ButtonProps, Group } from "@mantine/core";
import { type MouseEventHandler, useId } from "react";
import { Quiet } from "./Quiet";

interface Props extends ButtonProps {
  /** What the form lacks, as a sentence that says what to do. The button is disabled until it is null. */
  missing: string | null;
  type?: "submit" | "button";
  onClick?: MouseEventHandler;
}

/** The button that sends a form, and beside it why it cannot be sent yet. */
export function SendButton({ missing, disabled = false, ...button }: Props) {
  const id = useId();
  return (
    <Group>
      <Button
        {...button}
        disabled={disabled || missing !== null}
        aria-describedby={missing === null ? undefined : id}
      />
      {missing !== null && (
        <Quiet>
          <span id={id}>{missing}</span>
        </Quiet>
      )}
    </Group>
  );
}
