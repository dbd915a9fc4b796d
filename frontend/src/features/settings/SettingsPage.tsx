import { Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { AnchorLink } from "@/components/links";
import { PageHead } from "@/components/PageHead";
import { Panel } from "@/components/Panel";
import { WalletPanel } from "@/wallet/WalletPanel";
import { words } from "@/words";
import { Models } from "./Models";
import { PartsPanel } from "./PartsPanel";

const label = words.settings;

export function SettingsPage(): ReactNode {
  return (
    <>
      <PageHead title={label.title} lead={label.lead} />
      <Stack gap="lg">
        <PartsPanel />
        <Models />
        <WalletPanel />
        <Panel title={label.metrics}>
          <Text>
            {label.metricsText}{" "}
            <AnchorLink to="/metrics" underline="always">
              {label.metricsLink}
            </AnchorLink>
          </Text>
        </Panel>
      </Stack>
    </>
  );
}
