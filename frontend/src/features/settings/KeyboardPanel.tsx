import { Checkbox } from "@mantine/core";
import { bindTick } from "@/components/fields";
import { Panel } from "@/components/Panel";
import { ShortcutList } from "@/components/ShortcutList";
import { useShortcutsOn } from "@/components/shortcuts";
import { t } from "@/words";

/** Shortcuts of one key: whether they work, and which there are. */
export function KeyboardPanel() {
  const [isOn, setOn] = useShortcutsOn();
  return (
    <Panel title={t("Keyboard")}>
      <Checkbox
        label={t("Use single-key shortcuts")}
        description={t("Turn them off if you use speech input or often press keys by accident.")}
        {...bindTick(isOn, setOn)}
      />
      <ShortcutList />
    </Panel>
  );
}
