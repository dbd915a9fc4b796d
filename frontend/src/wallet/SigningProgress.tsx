import { Button, Group, Progress, Stack, Text } from "@mantine/core";
import { sentenceOf } from "@/api/problem";
import { Note } from "@/components/Note";
import { formatCount } from "@/components/numbers/format";
import { ProblemNotice } from "@/components/ProblemNotice";
import { words } from "@/words";
import { ReviewPanel } from "./ReviewPanel";
import { StopButton } from "./StopButton";
import type { Phase } from "./signing";
import type { Signing } from "./use-signing";

const label = words.wallet;
const SAID = { preparing: label.preparing, signing: label.inWallet, sending: label.sending } as const;

/** Where signing stands: what is asked, how far it is, how it ended. */
export function SigningProgress({ signing }: { signing: Signing }) {
  const { phase, answer } = signing;
  if (!phase) return null;
  if (!signing.isBusy) return <Ended phase={phase} />;
  const { done, total } = phase.progress;
  return (
    <Stack gap="sm">
      {"review" in phase && <ReviewPanel review={phase.review} later={phase.later} />}
      {phase.kind === "review" ? (
        <Group gap="xs">
          <Button onClick={() => answer(true)}>{label.agree}</Button>
          <Button variant="default" onClick={() => answer(false)}>
            {label.decline}
          </Button>
        </Group>
      ) : (
        <Text role="status">{SAID[phase.kind as keyof typeof SAID]}</Text>
      )}
      {done > 0 && <Bar done={done} total={total} />}
      <Group gap="xs">
        <StopButton signing={signing} />
      </Group>
    </Stack>
  );
}

function Bar({ done, total }: { done: number; total: number }) {
  const text = label.progress(formatCount(done), formatCount(total));
  return (
    <Stack gap={4}>
      <Text size="sm">{text}</Text>
      <Progress value={(100 * done) / total} aria-label={text} />
    </Stack>
  );
}

function Ended({ phase }: { phase: Phase }) {
  const { done, total } = phase.progress;
  const count = formatCount(done);
  if (phase.kind === "failed") return <ProblemNotice error={phase.error} title={label.notSigned} />;
  if (phase.kind === "kept") {
    return (
      <Note tone="warn" title={label.kept} role="alert">
        {sentenceOf(phase.error)}
      </Note>
    );
  }
  if (phase.kind === "cancelled") {
    return (
      <Note tone="warn" title={label.cancelled} role="alert">
        {label.cancelledText(count)}
      </Note>
    );
  }
  if (phase.kind === "stopped") {
    return (
      <Note title={label.stopped} role="status">
        {label.stoppedText(count, formatCount(total - done))}
      </Note>
    );
  }
  return (
    <Note title={label.done} role="status">
      {done === 1 ? label.doneOne : label.doneText(count)}
    </Note>
  );
}
