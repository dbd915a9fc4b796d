import { Button, CopyButton, Group } from "@mantine/core";
import { Fragment } from "react";
import { t } from "@/words";
import classes from "./Command.module.css";

/** In a narrow window a line ends after one of these rather than within a word. */
const AFTER = /(?<=[=/_.,:-])/;

/**
 * A command to type into a terminal, a link to send or an access token, with a button that copies it. The button is
 * labelled by `name` where the text is secret or means nothing when it is read aloud.
 */
export function Command({ text, name = text }: { text: string; name?: string }) {
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
          <Button
            variant="default"
            size="compact-xs"
            onClick={copy}
            aria-label={t("Copy {text}", { text: name })}
          >
            <span aria-live="polite">{copied ? t("Copied") : t("Copy")}</span>
          </Button>
        )}
      </CopyButton>
    </Group>
  );
}
