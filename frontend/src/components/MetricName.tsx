import { Text } from "@mantine/core";
import type { MetricInfo } from "@/api/types";
import { t } from "@/words";
import { AnchorLink } from "./links";

interface Props {
  name: string;
  profile: MetricInfo["profile"];
  /** What the metric says of itself; its one sentence stands on hover. */
  info?: MetricInfo | undefined;
  /** Also say where lower is better. */
  higherIsBetter?: boolean | undefined;
}

/** A metric's name, which leads to its definition under the profile in use. */
export function MetricName({ name, profile, info, higherIsBetter }: Props) {
  const title = info && t("{summary} {formula}", { summary: info.summary, formula: info.formula });
  return (
    <>
      <AnchorLink
        to="/metrics"
        search={profile === "standard" ? {} : { profile }}
        hash={anchorOf(name)}
        size="sm"
        {...(title ? { title } : {})}
      >
        {name}
      </AnchorLink>
      {higherIsBetter === false && (
        <Text span size="xs" c="var(--quiet)" ml={6}>
          {t("lower is better")}
        </Text>
      )}
    </>
  );
}

/** Where a metric's definition stands on the page of all metrics. */
export function anchorOf(name: string): string {
  return name.replace(/[^\p{L}\p{N}.]+/gu, "-");
}
