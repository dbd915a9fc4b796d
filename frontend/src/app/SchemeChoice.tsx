import { SegmentedControl, useMantineColorScheme } from "@mantine/core";
import { t } from "@/words";

const NAMES = { auto: t("System", {}, "colours"), light: t("Light"), dark: t("Dark") };

const SCHEMES = ["auto", "light", "dark"] as const;

export function SchemeChoice() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <SegmentedControl
      size="xs"
      fullWidth
      aria-label={t("Colour scheme")}
      value={colorScheme}
      onChange={setColorScheme}
      data={SCHEMES.map((value) => ({ value, label: NAMES[value] }))}
    />
  );
}
