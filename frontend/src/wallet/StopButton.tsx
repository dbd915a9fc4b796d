import { Button } from "@mantine/core";
import { words } from "@/words";
import type { Signing } from "./use-signing";

const label = words.wallet;

/** Ends signing after the transaction that is under way; nothing where none follows it. */
export function StopButton({ signing }: { signing: Signing }) {
  const { phase, isStopping, stop } = signing;
  const follow = phase !== null && "later" in phase && phase.kind !== "review" && phase.later > 0;
  if (!follow) return null;
  return (
    <Button variant="default" size="xs" onClick={stop} disabled={isStopping}>
      {isStopping ? label.stopping : label.stop}
    </Button>
  );
}
