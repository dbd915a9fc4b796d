import { Anchor, Button, CopyButton, Group, Modal, Stack, Text } from "@mantine/core";
import { type ReactNode, useEffect, useState } from "react";
import { t } from "@/words";
import { clock } from "./clock";
import type { Prompt, PromptPart } from "./prompts";
import { Qr } from "./Qr";

const TICK_MS = 1000;

interface Props {
  prompt: Prompt | null;
  onCancel: () => void;
  children?: ReactNode;
}

/** The window in which the wallet asks for something, with what the page adds to it; closing it cancels. */
export function WalletPrompt({ prompt, onCancel, children }: Props) {
  return (
    <Modal
      opened={prompt !== null}
      onClose={onCancel}
      title={prompt?.title}
      closeButtonProps={{ "aria-label": t("Cancel", {}, "dialog") }}
    >
      {prompt && (
        <Stack>
          <Text>{prompt.body}</Text>
          {prompt.parts.map((part) => (
            <Part key={part.kind} part={part} />
          ))}
          <Group gap="xs" justify="flex-end">
            {children}
            <Button variant="default" size="xs" onClick={onCancel}>
              {t("Cancel", {}, "dialog")}
            </Button>
          </Group>
        </Stack>
      )}
    </Modal>
  );
}

function Part({ part }: { part: PromptPart }) {
  if (part.kind === "qr") return <Request text={part.text} />;
  if (part.kind === "countdown") return <Countdown label={part.label} end={part.end} />;
  if (part.kind === "button") {
    return (
      <Button variant="default" onClick={part.onClick}>
        {part.label}
      </Button>
    );
  }
  return (
    <Button component="a" href={part.href}>
      {part.label}
    </Button>
  );
}

function Request({ text }: { text: string }) {
  return (
    <Stack gap="xs" align="center">
      <Qr text={text} />
      <CopyButton value={text}>
        {({ copied, copy }) => (
          <Anchor component="button" type="button" size="sm" onClick={copy} underline="always">
            <span aria-live="polite">{copied ? t("Copied") : t("Copy request")}</span>
          </Anchor>
        )}
      </CopyButton>
    </Stack>
  );
}

function Countdown({ label: text, end }: { label: string; end: string }) {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return (
    <Text c="var(--quiet)" role="timer">
      {text}: {clock(Date.parse(end) - now)}
    </Text>
  );
}
