import { t } from "@/words";

/** Label of the button that imports the chosen files. */
export function importLabel(count: number): string {
  return count === 0
    ? t("Import files")
    : t("{count, plural, one {Import # file} other {Import # files}}", { count });
}
