import { Anchor, Group, List, SegmentedControl, Stack, Text, Title } from "@mantine/core";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { api } from "@/api/client";
import type { MetricInfo } from "@/api/types";
import { Facts } from "@/components/Facts";
import { anchorOf } from "@/components/MetricName";
import { PageHead } from "@/components/PageHead";
import { ProblemNotice } from "@/components/ProblemNotice";
import { useArrival } from "@/components/useArrival";
import { Waiting } from "@/components/Waiting";
import { words } from "@/words";
import classes from "./MetricsPage.module.css";
import { needsOf, rangeOf } from "./range";

const route = getRouteApi("/metrics");
const PROFILES = ["standard", "published"] as const;
const label = words.metrics;

/** What each metric measures, as it says itself. */
export function MetricsPage(): ReactNode {
  const { profile = "standard" } = route.useSearch();
  const query = api.useQuery("get", "/api/v1/metrics", { params: { query: { profile } } });
  const navigate = useNavigate({ from: "/metrics" });
  useArrival(query.data !== undefined);
  return (
    <>
      <PageHead title={label.title} lead={label.lead} />
      <Stack gap="lg">
        <Stack gap={4} align="flex-start">
          <SegmentedControl
            aria-label={label.profile}
            value={profile}
            onChange={(value) =>
              navigate({ search: value === "published" ? { profile: value } : {}, resetScroll: false })
            }
            data={PROFILES.map((value) => ({ value, label: label.profiles[value] }))}
          />
          <Text size="sm" c="var(--quiet)">
            {label.profileHint[profile]}
          </Text>
        </Stack>
        {query.isPending && <Waiting height={480} />}
        {query.isError && <ProblemNotice error={query.error} onRetry={() => query.refetch()} />}
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
    <nav aria-label={label.contents}>
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
  const { citation, formula, higher_is_better, name, needs, notes, summary } = info;
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
            [label.range, rangeOf(info)],
            [label.direction, higher_is_better ? label.higher : label.lower],
            [label.needs, needsOf(needs)],
          ]}
        />
        <Part title={label.formula}>{formula}</Part>
        <Part title={label.citation}>
          {citation.text}{" "}
          {citation.url && (
            <Anchor href={citation.url} size="sm" underline="always" target="_blank" rel="noreferrer">
              {citation.url}
            </Anchor>
          )}
        </Part>
        {notes.length > 0 && (
          <div>
            <h3 className={classes.label}>{label.notes}</h3>
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
      <h3 className={classes.label}>{title}</h3>
      <Text size="sm">{children}</Text>
    </div>
  );
}
