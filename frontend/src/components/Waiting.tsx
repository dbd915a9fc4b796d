import { Skeleton } from "@mantine/core";
import { t } from "@/words";

/** The place of what is being looked up, in about its size. */
export function Waiting({ height }: { height: number }) {
  return (
    <div role="status" aria-label={t("Loading")}>
      <Skeleton height={height} />
    </div>
  );
}
