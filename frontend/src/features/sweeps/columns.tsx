import { Progress, Text } from "@mantine/core";
import type { QueryClient } from "@tanstack/react-query";
import { spanOf } from "@/api/span";
import type { Sweep, SweepDetail } from "@/api/types";
import { Ago } from "@/components/Moment";
import { formatDuration, formatList, formatPlain } from "@/components/numbers/format";
import { formatThresholds } from "@/components/numbers/thresholds";
import { StateBadge } from "@/components/StateBadge";
import { type Column, durationColumn, plainColumn } from "@/components/table";
import { t } from "@/words";
import { STATES } from "@/words/states";
import { Conclusion, Sparkline } from "./Conclusion";
import classes from "./SweepTable.module.css";

/** How many evaluations there are, and how they went. */
function countsOf({ questions, runs }: SweepDetail) {
  const sum = (of: "scored" | "failed") => runs.reduce((total, { counts }) => total + counts[of], 0);
  return { total: questions * runs.length, scored: sum("scored"), failed: sum("failed") };
}

/** What the list of sweeps shows; verdicts and CPS are copied from their summaries. */
export const columnsOf = (cache: QueryClient): Column<SweepDetail>[] => [
  plainColumn("name", t("Name"), ({ name }) => name, {
    cell: ({ name }) => <span className={classes.name}>{name}</span>,
    note: ({ sweep, questions, annotation: { tags } }) =>
      [
        sweep.config.collection,
        t("{count, plural, one {# question} other {# questions}}", { count: questions }),
        ...tags.map((tag) => `#${tag}`),
      ].join(", "),
  }),
  plainColumn("tags", t("Tags"), ({ annotation }) => annotation.tags.join(", "), { isExtra: true }),
  plainColumn("verdict", t("Verdict"), () => null, {
    sort: "none",
    copied: async (rows) => (await import("./copied")).summariesOf(cache, rows, "verdict"),
    cell: (sweep) => <Conclusion sweep={sweep} />,
  }),
  plainColumn("state", t("State"), ({ state }) => STATES[state], {
    cell: (item) => (
      <div className={classes.state}>
        <StateBadge state={item.state} failures={countsOf(item).failed} />
        <Advance item={item} />
      </div>
    ),
  }),
  plainColumn("compared", t("Varied settings"), ({ runs }) => runs.length, {
    isExtra: "narrow",
    cell: ({ runs }) =>
      t("{count, plural, one {# configuration} other {# configurations}}", { count: runs.length }),
    note: ({ sweep }) => policyRange(sweep),
  }),
  plainColumn("cps", t("CPS"), () => null, {
    title: t("Mean CPS by configuration"),
    isExtra: "narrow",
    sort: "none",
    copied: async (rows) => (await import("./copied")).summariesOf(cache, rows, "cps"),
    cell: (sweep) => <Sparkline sweep={sweep} />,
  }),
  {
    id: "models",
    label: t("Models"),
    value: ({ runs }) => [...new Set(runs.map(({ config }) => config.model.name))].join(", "),
    isExtra: "narrow",
  },
  plainColumn("collection", t("Collection"), ({ sweep }) => sweep.config.collection, { isExtra: true }),
  plainColumn("dataset", t("Dataset"), ({ sweep }) => sweep.config.dataset, { isExtra: true }),
  durationColumn("duration", t("Duration"), (sweep) => spanOf(sweep)?.seconds, {
    isExtra: true,
    reason: t("The sweep is not finished."),
  }),
  plainColumn("started", t("Created"), ({ created_at }) => created_at, {
    kind: "number",
    cell: ({ created_at }) => <Ago at={created_at} />,
    note: (sweep) => {
      const span = spanOf(sweep);
      return span && formatDuration(span.seconds);
    },
  }),
];

/** How far a sweep is whose questions are not all scored. */
function Advance({ item }: { item: SweepDetail }) {
  const { total, scored, failed } = countsOf(item);
  if (scored === total) return null;
  return (
    <div className={classes.progress}>
      <span>{t("{done, number} of {total, number}", { done: scored, total })}</span>
      {failed > 0 && (
        <Text span size="xs" c="var(--bad-text)">
          {t("{count, plural, one {# failed} other {# failed}}", { count: failed })}
        </Text>
      )}
      {item.state !== "finished" && (
        <Progress
          size="sm"
          w="100%"
          mt={4}
          value={total > 0 ? (100 * (scored + failed)) / total : 0}
          aria-label={t("Evaluations")}
        />
      )}
    </div>
  );
}

/** What a sweep varies, in a few words. */
function policyRange({ axes }: Sweep): string {
  const { min_similarity, k, model, prompt, temperature, repeat } = axes;
  const parts = [
    formatThresholds(min_similarity),
    k.length > 0 ? t("k = {values}", { values: k.join(", ") }) : null,
    model.length > 1 ? t("{count, plural, one {# model} other {# models}}", { count: model.length }) : null,
    prompt.length > 1
      ? t("{count, plural, one {# prompt} other {# prompts}}", { count: prompt.length })
      : null,
    temperature.length > 1
      ? t("temperatures {values}", { values: formatList(temperature.map(formatPlain)) })
      : null,
    repeat > 1 ? t("{count, plural, one {# repetition} other {# repetitions}}", { count: repeat }) : null,
  ];
  return parts.filter(Boolean).join("; ");
}
