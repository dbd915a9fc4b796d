import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { systemQueries } from "@/api/system";
import type { MetricInfo, Score } from "@/api/types";
import { MetricName } from "@/components/MetricName";
import { type Column, DataTable, plainColumn, scoreColumn } from "@/components/table";
import { t } from "@/words";
import { noteOf } from "@/words/reasons";

/** A score with what is known of it. */
export interface ScoreRow {
  metric: string;
  value?: number | null | undefined;
  reason?: string | null | undefined;
  note?: string | null | undefined;
  /** Under which heading a sheet holds it, where that is not the metric's name. */
  heading?: string | undefined;
}

interface Props {
  profile: MetricInfo["profile"];
  rows: ScoreRow[];
  /** The published scores, shown next to these, which were computed again. */
  recomputed?: Record<string, Score> | undefined;
  /** What the first column of scores is called. */
  label?: string;
  title?: string;
}

const warned = (text: string) => (
  <Text span inherit c="var(--warn-text)">
    {text}
  </Text>
);

/** Number of rows from which a common note is shown once, below the table. */
const MANY = 3;

/** The notes that many rows share, each with the names of its metrics. */
function sharedNotes(rows: readonly ScoreRow[]): Map<string, string[]> {
  const names = new Map<string, string[]>();
  for (const { metric, note } of rows) if (note) names.set(note, [...(names.get(note) ?? []), metric]);
  return new Map([...names].filter(([, metrics]) => metrics.length >= MANY));
}

/** The scores of one answer, each a number or a reason. */
export function ScoreTable({ profile, rows, recomputed, label = t("Value"), title }: Props) {
  const metrics = useQuery(systemQueries.metrics(profile));
  // The server gives the metrics in the order in which every table holds them.
  const order = metrics.data?.items.map(({ name }) => name) ?? [];
  const inOrder = rows.toSorted((a, b) => order.indexOf(a.metric) - order.indexOf(b.metric));
  const shared = sharedNotes(inOrder);
  const columns: Column<ScoreRow>[] = [
    plainColumn("metric", t("Metric"), ({ metric }) => metric, {
      cell: ({ metric }) => <MetricName name={metric} profile={profile} />,
      note: ({ heading }) => heading && t("in the sheet: {heading}", { heading }),
    }),
    scoreColumn("value", label, ({ value }) => value, {
      ...(title ? { title } : {}),
      reason: ({ reason }) => reason,
      note: ({ note }) => note && !shared.has(note) && warned(noteOf(note)),
    }),
  ];
  if (recomputed) {
    columns.push(
      scoreColumn("recomputed", t("Recomputed"), ({ metric }) => recomputed[metric]?.value, {
        title: t(
          "Recomputed from the answer and the dataset’s reference answer with the published definitions",
        ),
        reason: ({ metric }) => recomputed[metric]?.reason,
        note: ({ metric, value }) => differs(value, recomputed[metric]?.value) && warned(t("differs")),
      }),
    );
  }
  return (
    <>
      <DataTable
        name="scores"
        label={t("Scores")}
        columns={columns}
        rows={inOrder}
        keyOf={({ metric }) => metric}
        isShort
      />
      {[...shared].map(([note, names]) => (
        <Text key={note} size="xs" c="var(--warn-text)">
          {names.join(", ")}: {noteOf(note)}
        </Text>
      ))}
    </>
  );
}

/** Some exports are rounded, and stored figures have gone through texts: within this, two scores are the same. */
const TOLERANCE = 1e-4;

/** Whether a score that was made again is another one than the sheet's; where one is missing, nothing is said. */
export function differs(published: number | null | undefined, again: number | null | undefined): boolean {
  if (published == null || again == null) return false;
  return Math.abs(published - again) > TOLERANCE * Math.max(1, Math.abs(published));
}
