import { Button, CopyButton, Group } from "@mantine/core";
import { Fragment } from "react";
import { t } from "@/words";
import classes from "./Command.module.css";

/** In a narrow window a line ends after one of these rather than within a word. */
const AFTER = /(?<=[=/_.,:-])/;

/** A command to type into a terminal or a link to send, with a button that copies it. */
export function Command({ text }: { text: string }) {
  return (
    <Group gap="xs">
      <code className={classes.command}>
        {text.split(AFTER).map((part, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no other name
          <Fragment key={place}>
            {part}
            <wbr />
          </Fragment>
        ))}
      </code>
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
