import { SegmentedControl } from "@mantine/core";
import { choose, LANGUAGES, type Language, language, t } from "@/words";

const CHOICES = Object.entries(LANGUAGES).map(([value, label]) => ({ value, label }));

export function LanguageChoice() {
  return (
    <SegmentedControl
      size="xs"
      fullWidth
      aria-label={t("Language")}
      value={language}
      onChange={async (next) => {
        // What is chosen and typed comes again with the page.
        await (await import("./useFormState")).keepForms();
        choose(next as Language);
      }}
      data={CHOICES}
    />
  );
}
