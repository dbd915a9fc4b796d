import { Button, Group, Progress, Stack, Text, Title } from "@mantine/core";
import { useId } from "react";
import { sentenceOf } from "@/api/problem";
import { Digest } from "@/components/Digest";
import { Facts } from "@/components/Facts";
import { Moment } from "@/components/Moment";
import { Note } from "@/components/Note";
import { formatCount } from "@/components/numbers/format";
import { ProblemNotice } from "@/components/ProblemNotice";
import { t } from "@/words";
import type { Review } from "./review";
import { StopButton } from "./StopButton";
import type { Phase } from "./signing";
import type { Signing } from "./use-signing";
import classes from "./wallet.module.css";

const SAID = {
  preparing: t("Preparing the transaction."),
  signing: t("Waiting for the wallet. It shows the same transaction."),
  sending: t("Checking the signature and sending the transaction."),
} as const;

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
          <Button onClick={() => answer(true)}>{t("Sign transaction")}</Button>
          <Button variant="default" onClick={() => answer(false)}>
            {t("Decline")}
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
  const text = t("{done, number} of {total, plural, one {# entry} other {# entries}} on the blockchain", {
    done,
    total,
  });
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
  if (phase.kind === "failed") return <ProblemNotice error={phase.error} title={t("Not signed")} />;
  if (phase.kind === "kept") {
    return (
      <Note tone="warn" title={t("Signed, sent later")} role="alert">
        {sentenceOf(phase.error)}
      </Note>
    );
  }
  if (phase.kind === "cancelled") {
    return (
      <Note tone="warn" title={t("Not signed")} role="alert">
        {t(
          "You declined this transaction. Nothing was sent, and its entries are still waiting. On the blockchain so far: {done}.",
          { done: count },
        )}
      </Note>
    );
  }
  if (phase.kind === "stopped") {
    return (
      <Note title={t("Stopped")} role="status">
        {t("On the blockchain: {done}. Waiting: {left, number}. Nothing is lost.", {
          done: count,
          left: total - done,
        })}
      </Note>
    );
  }
  return (
    <Note title={t("Signed")} role="status">
      {done === 1
        ? t("1 entry is on the blockchain. It counts as recorded when its block is irreversible.")
        : t(
            "{count} entries are on the blockchain. They count as recorded when their block is irreversible.",
            { count },
          )}
    </Note>
  );
}

/** What is about to be signed, in words. */
function ReviewPanel({ review, later }: { review: Review; later: number }) {
  const id = useId();
  return (
    <Stack gap="xs" component="section" aria-labelledby={id}>
      <Title order={3} id={id}>
        {t("Transaction to sign")}
      </Title>
      <Facts
        facts={[
          [t("Account"), `${review.account}@${review.permission}`],
          [t("Rows"), formatCount(review.rows)],
          [t("Contract"), review.contract],
          [t("Blockchain"), <Digest key="chain" value={review.chainId} />],
          [t("Valid until"), <Moment key="expires" at={review.expires} />],
          [t("Transaction"), <Digest key="id" value={review.id} />],
        ]}
      />
      <ul className={classes.runs}>
        {review.runs.map(({ run, rows }) => (
          <li key={run} className={classes.break}>
            {t("run {run}: {rows, plural, one {# row} other {# rows}}", { run, rows })}
          </li>
        ))}
      </ul>
      {later > 0 && (
        <Text size="sm">
          {t(
            "{count, plural, one {# more entry follows} other {# more entries follow}}, at most 50 at a time. The wallet asks for each transaction.",
            { count: later },
          )}
        </Text>
      )}
    </Stack>
  );
}
