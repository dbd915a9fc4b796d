import { ActionIcon, Anchor, Popover, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type ReactElement, useState } from "react";
import { systemQueries } from "@/api/system";
import type { MetricInfo } from "@/api/types";
import { SmallLink } from "@/components/links";
import { Quiet } from "@/components/Quiet";
import { t } from "@/words";
import { Facts } from "./Facts";
import { needsOf, rangeOf } from "./metricRange";
import { unbroken } from "./unbroken";
import { Waiting } from "./Waiting";

interface Props {
  name: string;
  profile: MetricInfo["profile"];
  /** Also say where lower is better. */
  higherIsBetter?: boolean | undefined;
}

/** A metric's name, which opens a card: what it measures under the profile in use, and what it cannot see. */
export function MetricName({ name, profile, higherIsBetter }: Props) {
  return (
    <>
      <Opening name={name} profile={profile}>
        {(toggle) => (
          <Anchor component="button" type="button" size="sm" ta="start" onClick={toggle}>
            {unbroken(name)}
          </Anchor>
        )}
      </Opening>
      {higherIsBetter === false && (
        <Quiet span size="xs" ml={6}>
          {t("lower is better")}
        </Quiet>
      )}
    </>
  );
}

/** A mark next to a metric's name that opens its card, if the name itself is another link. */
export function AboutMetric({ name, profile }: Pick<Props, "name" | "profile">) {
  return (
    <Opening name={name} profile={profile}>
      {(toggle) => (
        <ActionIcon
          variant="subtle"
          color="gray"
          size="sm"
          ml={4}
          aria-label={t("About {metric}", { metric: name })}
          onClick={toggle}
        >
          ?
        </ActionIcon>
      )}
    </Opening>
  );
}

interface OpeningProps extends Pick<Props, "name" | "profile"> {
  /** What is pressed. */
  children: (toggle: () => void) => ReactElement;
}

function Opening({ name, profile, children }: OpeningProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Popover opened={isOpen} onChange={setOpen} width={340} position="bottom-start" shadow="md" trapFocus>
      <Popover.Target>{children(() => setOpen(!isOpen))}</Popover.Target>
      <Popover.Dropdown>{isOpen && <MetricCard name={name} profile={profile} />}</Popover.Dropdown>
    </Popover>
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
              {t("Limitations")}:
            </Text>{" "}
            {info.cannot_see}
          </Text>
        </>
      )}
      <SmallLink to="/definitions" search={profile === "standard" ? {} : { profile }} hash={anchorOf(name)}>
        {t("Definition and source")}
      </SmallLink>
    </Stack>
  );
}

/** Anchor of a metric's definition on the page of all metrics. */
export function anchorOf(name: string): string {
  return name.replace(/[^\p{L}\p{N}.]+/gu, "-");
}
