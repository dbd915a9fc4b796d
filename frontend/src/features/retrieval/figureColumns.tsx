import { Text } from "@mantine/core";
import type { RetrievalReport } from "@/api/types";
import { Hint } from "@/components/Hint";
import { formatDifference, formatInterval, formatScore } from "@/components/numbers/format";
import { Quiet } from "@/components/Quiet";
import { type Column, plainColumn } from "@/components/table";
import { IntervalMark, sharedRange } from "@/figures/IntervalMark";
import { t } from "@/words";
import { outcomeOf } from "@/words/outcomes";
import { reasonOf } from "@/words/reasons";
import { RATINGS } from "./ratings";
import classes from "./retrieval.module.css";

type Ranking = RetrievalReport["rankings"][number];
type Figure = Ranking["figures"][number];

/** Figures of the table; those that are named here and not in EXTRA are shown first. */
const TITLES: Record<string, string> = {
  R: t("Share of the relevant ones that are among the first K"),
  P: t("Share of the first K that are relevant"),
  F1: t("Harmonic mean of P and R, question by question"),
  hit: t("Share of questions with a relevant one among the first K"),
  MRR: t("Mean of 1 / rank of the first relevant one; 0 beyond K"),
  nDCG: t("Discounted gain of the first K, divided by the best possible"),
  "P (returned)": t("Share of the returned passages, at most K, that are relevant"),
  "MRR (grade ≥ 2)": t("MRR where only a grade of 2 or more counts as relevant"),
  "R (characters)": t("Span recall: share of the characters of gold passages that the first K cover"),
};
/** Pixels: five measures and two gains fit a window of 1,280. */
const MARK_WIDTH = 66;
const EXTRA = ["hit", "P (returned)", "MRR (grade ≥ 2)", "R (characters)"];

/** The column name of a figure at K, as the server writes it: `P@10 (returned)`. */
function nameAt(figure: string, k: string): string {
  const [base, ...more] = figure.split(" ");
  return [`${base}@${k}`, ...more].join(" ");
}

/** Mean with its interval, and the gain over the first retriever, of each figure at one cut. */
export function figureColumns({ rankings }: RetrievalReport, k: string): Column<Ranking>[] {
  const known = new Set(rankings[0]?.figures.map(({ name }) => name));
  return [
    plainColumn("retriever", t("Retriever"), ({ label }) => label, {
      note: ({ is_by_grader }) => is_by_grader && <ByGrader />,
    }),
    ...Object.keys(TITLES).flatMap((figure) => {
      const name = nameAt(figure, k);
      if (!known.has(name)) return [];
      const of = ({ figures }: Ranking) => figures.find((each) => each.name === name);
      const range = sharedRange(rankings.map((ranking) => intervalOf(of(ranking))));
      const common = { group: name, isExtra: EXTRA.includes(figure) };
      return [
        {
          ...common,
          id: name,
          label: t("Mean"),
          title: TITLES[figure] ?? "",
          value: (row: Ranking) => of(row)?.mean,
          format: (value: number) => formatScore(value, 3),
          note: (row: Ranking) => <Range of={of(row)} />,
        },
        ...overGroups(name, rankings, of),
        {
          ...common,
          id: `${name} gain`,
          label: t("Gain"),
          isExtra: common.isExtra || !["R", "MRR"].includes(figure),
          value: (row: Ranking) => of(row)?.gain?.gain,
          format: (value: number) => formatDifference(value, 3),
          reason: t("Gains are relative to the first retriever."),
          cell: (row: Ranking) => <Gain of={of(row)} range={range} />,
        },
      ];
    }),
    plainColumn("unjudged", t("Unjudged@{k}", { k }), ({ unjudged }) => unjudged?.[k], {
      title: t("Share of the first K without a relevance grade; they count as not relevant"),
      format: (value) => formatScore(value, 3),
    }),
  ];
}

/** The other means of a figure, where the dataset has groups: each group counts once, and each group alone. */
function overGroups(
  name: string,
  rankings: readonly Ranking[],
  of: (row: Ranking) => Figure | undefined,
): Column<Ranking>[] {
  const groups = Object.keys((rankings[0] && of(rankings[0])?.groups) ?? {});
  if (groups.length === 0) return [];
  const format = (value: number) => formatScore(value, 3);
  return [
    plainColumn(`${name} groups`, t("Over groups"), (row) => of(row)?.over_groups, {
      group: name,
      title: t("Macro mean over groups: each group counts once, whatever its number of questions"),
      isExtra: true,
      format,
    }),
    ...groups.map(
      (group): Column<Ranking> =>
        plainColumn(`${name} group ${group}`, group, (row) => of(row)?.groups?.[group], {
          group: name,
          title: t("Mean over the questions of this group"),
          isExtra: true,
          format,
        }),
    ),
  ];
}

/** The grades favour a retriever whose reranker made them. */
function ByGrader() {
  return (
    <Hint
      text={t("The model that reranks also made the relevance grades, which favours this retriever.")}
      className={classes.conflict}
    >
      {t("conflict")}
    </Hint>
  );
}

function intervalOf(figure: Figure | undefined) {
  const { low, high } = figure?.gain ?? {};
  return low != null && high != null ? { low, high } : null;
}

function Range({ of }: { of: Figure | undefined }) {
  const interval = formatInterval(of?.interval, (value) => formatScore(value, 3));
  const range = interval && <span className={classes.range}>{interval}</span>;
  const rating = of?.rating && RATINGS[of.rating];
  return (
    <>
      {range}
      {range && rating && ", "}
      {rating}
    </>
  );
}

function Gain({ of, range }: { of: Figure | undefined; range: { low: number; high: number } }) {
  const gain = of?.gain;
  if (gain?.gain == null) return null;
  const interval = intervalOf(of);
  const difference = formatDifference(gain.gain, 3);
  const outcome = outcomeOf(gain.outcome);
  const label = `${difference}, ${outcome}`;
  return (
    <>
      {interval && (
        <IntervalMark
          value={gain.gain}
          interval={interval}
          range={range}
          label={label}
          isDecided={gain.outcome !== "undecided"}
          width={MARK_WIDTH}
        />
      )}
      <Text size="sm">{difference}</Text>
      {interval && <Quiet size="xs">{formatInterval(interval, (end) => formatDifference(end, 3))}</Quiet>}
      <Quiet size="xs">{gain.reason ? <Hint text={reasonOf(gain.reason)}>{outcome}</Hint> : outcome}</Quiet>
    </>
  );
}
