import { Anchor, Button, CopyButton, Group, Modal, Stack, Text } from "@mantine/core";
import QRCode from "@wharfkit/web-renderer/src/lib/qrcode/QRCode";
import { type ReactNode, useEffect, useMemo, useState } from "react";
import { t } from "@/words";
import type { Prompt, PromptPart } from "./prompts";
import classes from "./wallet.module.css";

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

/** Lowest correction: a screen is clean, and the request is long. */
const CORRECTION = 1;
const SMALLEST_THAT_FITS = -1;
const MARGIN = 4;

/** One path over all dark squares, row by row. */
function drawn(text: string): { path: string; size: number } {
  const code = new QRCode(SMALLEST_THAT_FITS, CORRECTION);
  code.addData(text);
  code.make();
  const path = code.modules.flatMap((row, y) =>
    row.map((dark, x) => (dark ? `M${x + MARGIN} ${y + MARGIN}h1v1h-1z` : "")),
  );
  return { path: path.join(""), size: code.modules.length + 2 * MARGIN };
}

/** A code for a phone's camera: dark on light by day and by night. */
function Qr({ text }: { text: string }) {
  const { path, size } = useMemo(() => drawn(text), [text]);
  return (
    <svg
      className={classes.qr}
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={t("QR code for Anchor")}
    >
      <path d={path} />
    </svg>
  );
}

const SECOND = 1000;
const MINUTE = 60;

/** Minutes and seconds that are left, 9:05. */
export function clock(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / SECOND));
  return `${Math.floor(seconds / MINUTE)}:${String(seconds % MINUTE).padStart(2, "0")}`;
}
