import { Anchor, Popover, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { systemQueries } from "@/api/system";
import type { MetricInfo } from "@/api/types";
import { t } from "@/words";
import { Facts } from "./Facts";
import { AnchorLink } from "./links";
import { needsOf, rangeOf } from "./metricRange";
import { Waiting } from "./Waiting";

interface Props {
  name: string;
  profile: MetricInfo["profile"];
  /** Also say where lower is better. */
  higherIsBetter?: boolean | undefined;
}

/** A metric's name, which opens a card: what it measures under the profile in use, and what it cannot see. */
export function MetricName({ name, profile, higherIsBetter }: Props) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Popover opened={isOpen} onChange={setOpen} width={340} position="bottom-start" shadow="md" trapFocus>
        <Popover.Target>
          <Anchor component="button" type="button" size="sm" ta="start" onClick={() => setOpen(!isOpen)}>
            {name}
          </Anchor>
        </Popover.Target>
        <Popover.Dropdown>{isOpen && <MetricCard name={name} profile={profile} />}</Popover.Dropdown>
      </Popover>
      {higherIsBetter === false && (
        <Text span size="xs" c="var(--quiet)" ml={6}>
          {t("lower is better")}
        </Text>
      )}
    </>
  );
}

function MetricCard({ name, profile }: Pick<Props, "name" | "profile">) {
  const { data } = useQuery(systemQueries.metrics(profile));
  const info = data?.items.find((item) => item.name === name);
  if (!data) return <Waiting height={120} />;
  return (
    <Stack gap="xs">
      <Text fw={600}>{name}</Text>
      {info && (
        <>
          <Text size="sm">{info.summary}</Text>
          <Facts
            facts={[
              [t("Range"), rangeOf(info)],
              [t("Direction"), info.higher_is_better ? t("higher is better") : t("lower is better")],
              [t("Requires"), needsOf(info.needs)],
            ]}
          />
          <Text size="sm">
            <Text span inherit c="var(--quiet)">
              {t("Cannot see")}:
            </Text>{" "}
            {info.cannot_see}
          </Text>
        </>
      )}
      <AnchorLink
        to="/metrics"
        search={profile === "standard" ? {} : { profile }}
        hash={anchorOf(name)}
        size="sm"
      >
        {t("Definition and source")}
      </AnchorLink>
    </Stack>
  );
}

/** Where a metric's definition stands on the page of all metrics. */
export function anchorOf(name: string): string {
  return name.replace(/[^\p{L}\p{N}.]+/gu, "-");
}
