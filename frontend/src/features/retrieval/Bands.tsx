import type { ReactNode } from "react";
import type { RetrievalReport } from "@/api/types";
import { Bar, shade } from "@/components/Bar";
import { formatCount } from "@/components/numbers/format";
import { Panel } from "@/components/Panel";
import { Quiet } from "@/components/Quiet";
import { type Column, countColumn, DataTable, plainColumn, scoreColumn } from "@/components/table";
import { t } from "@/words";
import { RATINGS } from "./ratings";

type Bands = NonNullable<RetrievalReport["rankings"][number]["distances"]>[string];

/** The distances under one retriever, of all questions or of one group. */
interface Line {
  key: string;
  retriever: string;
  group: string;
  distances: Bands["all"];
  /** Of all questions together; a group has none. */
  mean: number | null;
  rating: Bands["rating"];
}

const BANDS: Record<string, { label: string; title: string }> = {
  "very high": { label: t("very high"), title: t("Distance below 0.5") },
  high: { label: t("high"), title: t("Distance from 0.5 to below 1") },
  moderate: { label: t("moderate"), title: t("Distance from 1 to below 1.5") },
};

/** The counts of the bands and of what was dropped; the numbers stand in the columns beside them. */
function BandsBar({ distances: { bands, dropped } }: { distances: Bands["all"] }) {
  const parts = [
    { name: "very high", color: "var(--gain)" },
    { name: "high", color: shade("var(--gain)", 60) },
    { name: "moderate", color: shade("var(--gain)", 25) },
  ].map((part) => ({ ...part, count: bands[part.name] ?? 0 }));
  return <Bar parts={[...parts, { name: "dropped", count: dropped, color: "var(--tick-line)" }]} />;
}

interface Props {
  report: RetrievalReport;
  k: string;
  beside: ReactNode;
  /** What the ratings mean, where no other panel says it. */
  limits?: ReactNode;
}

/** How near the first passages are to their questions: counts by band of distance, and the rating of the mean. */
export function Bands({ report, k, beside, limits }: Props) {
  const lines = report.rankings.flatMap(({ label, distances }): Line[] => {
    const found = distances?.[k];
    if (!found) return [];
    const groups = Object.entries(found.groups).map(([group, of]) => lineOf(label, group, of, of.mean, null));
    const none = found.unanswerable;
    return [
      lineOf(label, "", found.all, found.mean, found.rating),
      ...groups,
      ...(none ? [lineOf(label, t("without an answer"), none, none.mean, null)] : []),
    ];
  });
  if (lines.length === 0) return null;
  return (
    <Panel title={t("Distances at K")} beside={beside}>
      <DataTable
        name="retrieval-distances"
        at="distances"
        label={t("Distances at K")}
        columns={columnsOf(lines)}
        rows={lines}
        keyOf={({ key }) => key}
      />
      <Quiet>
        {t(
          "Distance is 1 − similarity with the question as it was asked. Passages at 1.5 or more are dropped. Ratings follow from the mean by fixed limits. Different embedding models have different scales, so compare questions and groups, not models.",
        )}
      </Quiet>
      {limits}
    </Panel>
  );
}

function lineOf(
  retriever: string,
  group: string,
  distances: Bands["all"],
  mean: number | null | undefined,
  rating: Bands["rating"],
): Line {
  return { key: `${retriever} ${group}`, retriever, group, distances, mean: mean ?? null, rating };
}

function columnsOf(lines: Line[]): Column<Line>[] {
  return [
    plainColumn("retriever", t("Retriever"), ({ retriever }) => retriever),
    ...(lines.some(({ group }) => group)
      ? [{ id: "group", label: t("Group"), value: ({ group }: Line) => group || t("all") }]
      : []),
    scoreColumn("mean", t("Mean"), ({ mean }) => mean),
    scoreColumn("smallest", t("Smallest"), ({ distances }) => distances.smallest),
    scoreColumn("largest", t("Largest"), ({ distances }) => distances.largest),
    plainColumn("rating", t("Rating"), ({ rating }) => rating && RATINGS[rating], {
      title: t("Excellent below 0.5, good below 1, acceptable below 1.5, else poor"),
      reason: t("Only the mean of all questions is rated."),
    }),
    plainColumn("bands", t("Share"), ({ distances }) => distances.bands["very high"], {
      cell: ({ distances }) => <BandsBar distances={distances} />,
    }),
    ...Object.entries(BANDS).map(
      ([band, named]): Column<Line> => ({
        id: band,
        ...named,
        value: ({ distances }) => distances.bands[band],
        format: formatCount,
      }),
    ),
    countColumn("dropped", t("Dropped"), ({ distances }) => distances.dropped, {
      title: t("Distance of 1.5 or more"),
    }),
  ];
}
