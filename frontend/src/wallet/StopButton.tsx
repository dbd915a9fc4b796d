import { Button } from "@mantine/core";
import { t } from "@/words";
import type { Signing } from "./use-signing";

/** Ends signing after the transaction that is under way; nothing where none follows it. */
export function StopButton({ signing }: { signing: Signing }) {
  const { phase, isStopping, stop } = signing;
  const follow = phase !== null && "later" in phase && phase.kind !== "review" && phase.later > 0;
  if (!follow) return null;
  return (
    <Button variant="default" size="xs" onClick={stop} disabled={isStopping}>
      {isStopping ? t("Stopping after this transaction.") : t("Stop after this transaction")}
    </Button>
  );
}
