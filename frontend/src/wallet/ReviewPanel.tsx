import { Stack, Text, Title } from "@mantine/core";
import { useId } from "react";
import { Digest } from "@/components/Digest";
import { Facts } from "@/components/Facts";
import { Moment } from "@/components/Moment";
import { formatCount } from "@/components/numbers/format";
import { words } from "@/words";
import type { Review } from "./review";
import classes from "./wallet.module.css";

const label = words.wallet;

/** What is about to be signed, in words. */
export function ReviewPanel({ review, later }: { review: Review; later: number }) {
  const id = useId();
  return (
    <Stack gap="xs" component="section" aria-labelledby={id}>
      <Title order={3} id={id}>
        {label.review}
      </Title>
      <Facts
        facts={[
          [label.account, `${review.account}@${review.permission}`],
          [label.rows, formatCount(review.rows)],
          [label.contract, review.contract],
          [label.chain, <Digest key="chain" value={review.chainId} />],
          [label.expires, <Moment key="expires" at={review.expires} />],
          [label.transaction, <Digest key="id" value={review.id} />],
        ]}
      />
      <ul className={classes.runs}>
        {review.runs.map(({ run, rows }) => (
          <li key={run} className={classes.break}>
            {label.reviewRun(run, formatCount(rows))}
          </li>
        ))}
      </ul>
      {later > 0 && <Text size="sm">{label.later(formatCount(later))}</Text>}
    </Stack>
  );
}
