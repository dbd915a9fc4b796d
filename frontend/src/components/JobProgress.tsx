import { Progress, Stack } from "@mantine/core";
import { Quiet } from "@/components/Quiet";
import { formatCount } from "./numbers/format";
import { ServerText } from "./ServerText";

interface Props {
  label: string;
  /** The server's message about it. */
  message?: string | null | undefined;
  /** Left out until the server reports it. */
  done?: number;
  total?: number;
}

/** Progress of a job, with its counts; indeterminate if the total is unknown. */
export function JobProgress({ label, message, done = 0, total = 0 }: Props) {
  return (
    <Stack gap={4}>
      <Quiet>
        {message ? <ServerText text={message} /> : label}
        {total > 0 && ` (${formatCount(done)}/${formatCount(total)})`}
      </Quiet>
      <Progress value={total > 0 ? (100 * done) / total : 100} animated={total === 0} aria-label={label} />
    </Stack>
  );
}
