import { Anchor, Group, List, SegmentedControl, Stack, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { systemQueries } from "@/api/system";
import type { MetricInfo } from "@/api/types";
import { Caption } from "@/components/Caption";
import { Facts } from "@/components/Facts";
import { anchorOf } from "@/components/MetricName";
import { needsOf, rangeOf } from "@/components/metricRange";
import { PageHead } from "@/components/PageHead";
import { QueryState } from "@/components/QueryState";
import { Quiet } from "@/components/Quiet";
import { useArrival } from "@/components/useArrival";
import { t } from "@/words";
import classes from "./MetricsPage.module.css";

const NAMES = {
  standard: t("Standard"),
  published: t("Published"),
  judged: t("Judged"),
  grounded: t("Grounded"),
};
const PROFILE_HINT = {
  standard: t("Standard: the definitions of the papers cited below."),
  published: t("Published: the definitions of the published PaSSER, for comparison with its results."),
  judged: t(
    "Judged: a model reads question, reference, answer and passages. Compare its grades with ratings by people.",
  ),
  grounded: t("Grounded: how much of an answer its passages and citations contain, without a judge."),
};

const route = getRouteApi("/definitions");
const PROFILES = ["standard", "published", "judged"] as const;

/** What each metric measures, as it says itself. */
export function MetricsPage(): ReactNode {
  const { profile = "standard" } = route.useSearch();
  const query = useQuery(systemQueries.metrics(profile));
  const navigate = useNavigate({ from: "/definitions" });
  useArrival(query.data !== undefined);
  return (
    <>
      <PageHead title={t("Metrics")} lead={t("All metrics of a run, in the order used in all tables.")} />
      <Stack gap="lg">
        <Stack gap={4} align="flex-start">
          <SegmentedControl
            aria-label={t("Definitions")}
            value={profile}
            onChange={(value) =>
              navigate({ search: value === "standard" ? {} : { profile: value }, resetScroll: false })
            }
            data={PROFILES.map((value) => ({ value, label: NAMES[value] }))}
          />
          <Quiet>{PROFILE_HINT[profile]}</Quiet>
        </Stack>
        <QueryState query={query} height={480} />
        {query.data && (
          <>
            <Contents items={query.data.items} />
            {query.data.items.map((info) => (
              <Metric key={info.name} info={info} />
            ))}
          </>
        )}
      </Stack>
    </>
  );
}

function Contents({ items }: { items: MetricInfo[] }) {
  return (
    <nav aria-label={t("Go to a metric")}>
      <Group gap="xs">
        {items.map(({ name }) => (
          <Anchor key={name} href={`#${anchorOf(name)}`} size="sm">
            {name}
          </Anchor>
        ))}
      </Group>
    </nav>
  );
}

function Metric({ info }: { info: MetricInfo }) {
  const { cannot_see, citation, formula, higher_is_better, name, needs, notes, summary } = info;
  const id = anchorOf(name);
  return (
    <section className={classes.metric} aria-labelledby={id}>
      <Stack gap="xs">
        <Title order={2} id={id} className={classes.name ?? ""}>
          {name}
        </Title>
        <Text>{summary}</Text>
        <Facts
          facts={[
            [t("Range"), rangeOf(info)],
            [t("Direction"), higher_is_better ? t("higher is better") : t("lower is better")],
            [t("Requires"), needsOf(needs)],
          ]}
        />
        <Part title={t("Limitations")}>{cannot_see}</Part>
        <Part title={t("Formula")}>{formula}</Part>
        <Part title={t("Source")}>
          {citation.text}{" "}
          {citation.url && (
            <Anchor href={citation.url} size="sm" underline="always" target="_blank" rel="noreferrer">
              {citation.url}
            </Anchor>
          )}
        </Part>
        {notes.length > 0 && (
          <div>
            <Caption>{t("Notes")}</Caption>
            <List size="sm">
              {notes.map((note) => (
                <List.Item key={note}>{note}</List.Item>
              ))}
            </List>
          </div>
        )}
      </Stack>
    </section>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div>
      <Caption>{title}</Caption>
      <Text size="sm">{children}</Text>
    </div>
  );
}
