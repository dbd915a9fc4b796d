import { Button, Stack, Text } from "@mantine/core";
import { useState } from "react";
import type { Prompt } from "@/api/types";
import { Panel } from "@/components/Panel";
import { words } from "@/words";
import classes from "./evaluation.module.css";

const label = words.evaluation;

/** The whole prompt, as it was sent; folded, for it is long. */
export function PromptPanel({ prompt }: { prompt: Prompt | null }) {
  const [isOpen, setOpen] = useState(false);
  if (!prompt) {
    return (
      <Panel title={label.prompt}>
        <Text c="var(--quiet)">{label.promptNone}</Text>
      </Panel>
    );
  }
  return (
    <Panel
      title={label.prompt}
      beside={
        <Button variant="subtle" size="compact-sm" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? label.promptHide : label.promptShow}
        </Button>
      }
    >
      <Text size="sm" c="var(--quiet)">
        {label.promptTemplate(prompt.template, prompt.template_digest.slice(0, 12))}
      </Text>
      {isOpen &&
        prompt.messages.map((message) => (
          <Stack key={message.role + message.content} gap={2}>
            <h3 className={classes.label}>{label.roles[message.role]}</h3>
            <pre className={classes.message}>{message.content}</pre>
          </Stack>
        ))}
    </Panel>
  );
}
