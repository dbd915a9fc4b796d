import { SegmentedControl, useMantineColorScheme } from "@mantine/core";
import { words } from "@/words";

const SCHEMES = ["auto", "light", "dark"] as const;

export function SchemeChoice() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <SegmentedControl
      size="xs"
      fullWidth
      aria-label={words.shell.scheme}
      value={colorScheme}
      onChange={setColorScheme}
      data={SCHEMES.map((value) => ({ value, label: words.shell.schemes[value] }))}
    />
  );
}
