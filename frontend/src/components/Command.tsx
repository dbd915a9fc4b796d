import { Button, CopyButton, Group } from "@mantine/core";
import { t } from "@/words";
import classes from "./Command.module.css";

/** A command to type into a terminal or a link to send, with a button that copies it. */
export function Command({ text }: { text: string }) {
  return (
    <Group gap="xs">
      <code className={classes.command}>{text}</code>
      <CopyButton value={text}>
        {({ copied, copy }) => (
          <Button variant="default" size="compact-xs" onClick={copy} aria-label={t("Copy {text}", { text })}>
            <span aria-live="polite">{copied ? t("Copied") : t("Copy")}</span>
          </Button>
        )}
      </CopyButton>
    </Group>
  );
}
