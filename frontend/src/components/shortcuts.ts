import { useHotkeys, useLocalStorage } from "@mantine/hooks";
import { t } from "@/words";

type Hotkeys = Parameters<typeof useHotkeys>[0];

/** Keys that work on their own, with what they do. */
export const SHORTCUTS = [
  ["← k", t("Previous question")],
  ["→ j", t("Next question")],
  ["u", t("Back to the list of questions")],
  ["?", t("Show the keyboard shortcuts")],
  ["Ctrl+K", t("Go to a page by its name")],
] as const;

/** Whether single keys do something; kept in this browser. */
export function useShortcutsOn() {
  return useLocalStorage({ key: "passer.shortcuts", defaultValue: true, getInitialValueInEffect: false });
}

/** Shortcuts of one key, unless they are switched off; never while something is typed. */
export function useShortcuts(keys: Hotkeys): void {
  const [isOn] = useShortcutsOn();
  useHotkeys(isOn ? keys : []);
}
