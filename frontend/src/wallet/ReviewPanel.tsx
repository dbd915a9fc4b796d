import { Stack, Text, Title } from "@mantine/core";
import { useId } from "react";
import { Digest } from "@/components/Digest";
import { Facts } from "@/components/Facts";
import { Moment } from "@/components/Moment";
import { formatCount } from "@/components/numbers/format";
import { t } from "@/words";
import type { Review } from "./review";
import classes from "./wallet.module.css";

/** What is about to be signed, in words. */
export function ReviewPanel({ review, later }: { review: Review; later: number }) {
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
