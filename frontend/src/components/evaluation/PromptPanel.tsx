import { Button, Stack, Text } from "@mantine/core";
import { useState } from "react";
import type { Prompt } from "@/api/types";
import { Caption } from "@/components/Caption";
import { Panel } from "@/components/Panel";
import { Quiet } from "@/components/Quiet";
import { t } from "@/words";
import classes from "./evaluation.module.css";

const ROLES = { system: t("System"), user: t("User"), assistant: t("Assistant") };

/** The whole prompt, as it was sent; folded, for it is long. */
export function PromptPanel({ prompt }: { prompt: Prompt | null }) {
  const [isOpen, setOpen] = useState(false);
  if (!prompt) {
    return (
      <Panel title={t("Prompt")}>
        <Text c="var(--quiet)">{t("No prompt was sent.")}</Text>
      </Panel>
    );
  }
  return (
    <Panel
      title={t("Prompt")}
      beside={
        <Button variant="subtle" size="compact-sm" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? t("Hide prompt") : t("Show prompt")}
        </Button>
      }
    >
      <Quiet>
        {t("Template {name} ({digest})", {
          name: prompt.template,
          digest: prompt.template_digest.slice(0, 12),
        })}
      </Quiet>
      {isOpen && <Messages messages={prompt.messages} />}
    </Panel>
  );
}

/** Messages of a prompt, each under the role that it was sent with. */
export function Messages({ messages }: Pick<Prompt, "messages">) {
  return messages.map(({ role, content }) => (
    <Verbatim key={role + content} label={ROLES[role]} text={content} />
  ));
}

/** A text as it was sent or received. */
export function Verbatim({ label, text }: { label: string; text: string }) {
  return (
    <Stack gap={2}>
      <Caption>{label}</Caption>
      <pre className={classes.message}>{text}</pre>
    </Stack>
  );
}
