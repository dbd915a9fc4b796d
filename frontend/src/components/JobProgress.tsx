import { Progress, Stack, Text } from "@mantine/core";
import { formatCount } from "./numbers/format";

interface Props {
  label: string;
  done: number;
  total: number;
}

/** How far a job is, with its counts; a job that cannot say how much there is moves without an end. */
export function JobProgress({ label, done, total }: Props) {
  return (
    <Stack gap={4}>
      <Text size="sm" c="var(--quiet)">
        {total > 0 ? `${label} (${formatCount(done)}/${formatCount(total)})` : label}
      </Text>
      <Progress value={total > 0 ? (100 * done) / total : 100} animated={total === 0} aria-label={label} />
    </Stack>
  );
}
