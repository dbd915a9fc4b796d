import { Skeleton } from "@mantine/core";
import { words } from "@/words";

/** The place of what is being looked up, in about its size. */
export function Waiting({ height }: { height: number }) {
  return (
    <div role="status" aria-label={words.shell.loading}>
      <Skeleton height={height} />
    </div>
  );
}
