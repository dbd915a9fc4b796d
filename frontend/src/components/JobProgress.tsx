import { Progress, Stack } from "@mantine/core";
import { Quiet } from "@/components/Quiet";
import { formatCount } from "./numbers/format";
import { Said } from "./Said";

interface Props {
  label: string;
  /** What the server says of it, in its own words. */
  message?: string | null | undefined;
  /** Left out while the server has not said it. */
  done?: number;
  total?: number;
}

/** How far a job is, with its counts; a job that cannot say how much there is moves without an end. */
export function JobProgress({ label, message, done = 0, total = 0 }: Props) {
  return (
    <Stack gap={4}>
      <Quiet>
        {message ? <Said text={message} /> : label}
        {total > 0 && ` (${formatCount(done)}/${formatCount(total)})`}
      </Quiet>
      <Progress value={total > 0 ? (100 * done) / total : 100} animated={total === 0} aria-label={label} />
    </Stack>
  );
}
