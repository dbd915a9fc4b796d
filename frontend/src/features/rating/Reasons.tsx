import { Button, Group } from "@mantine/core";
import { t } from "@/words";
import { noteOf, REASONS, toggledReason } from "./reasons";

/** Frequent reasons of a rating; their codes are stored at the beginning of its note. */
export function Reasons({ note, onChange }: { note: string; onChange: (note: string) => void }) {
  const { codes } = noteOf(note);
  return (
    <Group gap={6} role="group" aria-label={t("Reasons")}>
      {Object.entries(REASONS).map(([code, reason]) => (
        <Button
          key={code}
          size="compact-xs"
          variant={codes.includes(code) ? "filled" : "default"}
          aria-pressed={codes.includes(code)}
          onClick={() => onChange(toggledReason(note, code))}
        >
          {reason}
        </Button>
      ))}
    </Group>
  );
}
