import { SegmentedControl } from "@mantine/core";
import { choose, LANGUAGES, type Language, language, words } from "@/words";

const CHOICES = Object.entries(LANGUAGES).map(([value, label]) => ({ value, label }));

export function LanguageChoice() {
  return (
    <SegmentedControl
      size="xs"
      fullWidth
      aria-label={words.shell.language}
      value={language}
      onChange={(next) => choose(next as Language)}
      data={CHOICES}
    />
  );
}
