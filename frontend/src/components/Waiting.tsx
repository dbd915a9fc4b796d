import { Skeleton } from "@mantine/core";
import { t } from "@/words";
import { usePrinting } from "./printing";
import { Quiet } from "./Quiet";

/** The place of what is being looked up, in about its size. */
export function Waiting({ height }: { height: number }) {
  // The browser does not wait: an empty place on paper would say that there is nothing.
  if (usePrinting()) return <Quiet>{t("Not loaded yet when this page was printed.")}</Quiet>;
  return (
    <div role="status" aria-label={t("Loading")}>
      <Skeleton height={height} />
    </div>
  );
}
