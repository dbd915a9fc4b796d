import { Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { AnchorLink } from "@/components/links";
import { PageHead } from "@/components/PageHead";
import { Panel } from "@/components/Panel";
import { WalletPanel } from "@/wallet/WalletPanel";
import { t } from "@/words";
import { KeyboardPanel } from "./KeyboardPanel";
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
