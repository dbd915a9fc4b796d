import { Checkbox, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { bindTick } from "@/components/fields";
import { AnchorLink } from "@/components/links";
import { PageHead } from "@/components/PageHead";
import { Panel } from "@/components/Panel";
import { ShortcutList } from "@/components/ShortcutList";
import { useShortcutsOn } from "@/components/shortcuts";
import { WalletPanel } from "@/wallet/WalletPanel";
import { t } from "@/words";
import { Models } from "./Models";
import { PartsPanel } from "./PartsPanel";
import { ProjectSettings } from "./ProjectSettings";

export function SettingsPage(): ReactNode {
  return (
    <>
      <PageHead
        title={t("Settings")}
        lead={t("Components of this installation, and commands that add missing ones.")}
      />
      <Stack gap="lg">
        <PartsPanel />
        <Models />
        <ProjectSettings />
        <WalletPanel />
        <KeyboardPanel />
        <Panel title={t("Metrics")}>
          <Text>
            {t("What each metric measures, its formula and its source.")}{" "}
            <AnchorLink to="/definitions" underline="always">
              {t("Show metrics")}
            </AnchorLink>
          </Text>
        </Panel>
      </Stack>
    </>
  );
}

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
