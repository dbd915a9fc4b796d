import { Button, Group } from "@mantine/core";
import { t } from "@/words";
import { hasReason, toggledReason } from "./reasons";

const REASONS = [
  t("Contradicts the reference"),
  t("Leaves something out"),
  t("Adds what the passages do not contain"),
  t("Does not answer the question"),
  t("Unclear or badly written"),
];

/** Frequent reasons of a rating; they are stored at the beginning of its note. */
export function Reasons({ note, onChange }: { note: string; onChange: (note: string) => void }) {
  return (
    <Group gap={6} role="group" aria-label={t("Reasons")}>
      {REASONS.map((reason) => (
        <Button
          key={reason}
          size="compact-xs"
          variant={hasReason(note, reason) ? "filled" : "default"}
          aria-pressed={hasReason(note, reason)}
          onClick={() => onChange(toggledReason(note, reason))}
        >
          {reason}
        </Button>
      ))}
    </Group>
  );
}
