import { Text } from "@mantine/core";
import { usual } from "@/api/defaults";
import type { Standings } from "@/api/types";
import { formatInterval, formatScore } from "@/components/numbers/format";
import { Panel } from "@/components/Panel";
import { Quiet } from "@/components/Quiet";
import { SaveLinks } from "@/components/SaveLinks";
import { ServerText } from "@/components/ServerText";
import {
  type Column,
  countColumn,
  DataTable,
  plainColumn,
  shareColumn,
  textColumn,
} from "@/components/table";
import { IntervalMark, sharedRange } from "@/figures/IntervalMark";
import { t } from "@/words";
import { useCounted } from "./CountedGames";
import classes from "./Ratings.module.css";
import { exportOf } from "./words";

type Row = Standings["rows"][number];

/** Ratings lie around this value. */
const CENTRE = 1000;

const KINSHIP: Record<NonNullable<Row["kinship"]>, string> = {
  "same-model": t("the judge wrote these answers"),
  "may-be-related": t("the judge may be related to this model"),
};

const rated = (value: number) => formatScore(value, 0);

/** Davidson's ratings as dots with intervals; Elo beside them. */
export function Ratings({ standings }: { standings: Standings }) {
  const { nu, questions, has_prior, fragility, swap } = standings;
  const [counted] = useCounted();
  const names = new Map(standings.tournament.entrants.map(({ id, name }) => [id, name]));
  return (
    <Panel
      title={t("Ratings")}
      beside={
        <SaveLinks title={t("Ratings")} fileOf={exportOf(standings.tournament.id, "ratings", counted)} />
      }
    >
      {standings.summary && (
        <Text size="sm">
          <ServerText text={standings.summary} />
        </Text>
      )}
      <div className={swap?.carries_information === false ? classes.uninformative : undefined}>
        <DataTable
          name="arena-ratings"
          at="ratings"
          label={t("Ratings")}
          columns={columnsOf(standings)}
          rows={standings.rows}
          keyOf={({ entrant }) => entrant.id}
          isShort
        />
      </div>
      <Quiet>
        {t(
          "Ratings by Davidson’s model from {count, plural, one {# question} other {# questions}}; their mean is 1000. The 95 % intervals resample questions; the ranks are simultaneous for all systems. Elo is the mean over {orders, number} orders of the games; its spread (±) shows only the effect of the order.",
          { count: questions, orders: counted.tournaments ?? usual.elo_orders },
        )}
        {nu !== null && ` ${t("Weight of a tie: {nu}.", { nu: formatScore(nu, 2) })}`}
        {has_prior &&
          ` ${t("A system never lost or never won: one imaginary tie per system keeps the ratings finite. The interval of such a system can be too narrow, because resampling never shows the opposite outcome.")}`}
        {fragility &&
          ` ${t("Without {few, number} of {of, number} questions, {name} would lead.", {
            few: fragility.questions.length,
            of: fragility.of,
            name: names.get(fragility.successor) ?? fragility.successor,
          })}`}
      </Quiet>
    </Panel>
  );
}

function columnsOf({ rows, order, style }: Standings): Column<Row>[] {
  const range = sharedRange(rows.map(intervalOf));
  const adjusted = (ratings: Record<string, number> | undefined, id: string, label: string): Column<Row>[] =>
    ratings
      ? [plainColumn(id, label, ({ entrant }) => ratings[entrant.id], { format: rated, isExtra: true })]
      : [];
  return [
    textColumn("system", t("System"), ({ entrant }) => entrant.name, {
      note: ({ kinship, truncated }) =>
        [
          kinship && KINSHIP[kinship],
          truncated > 0 &&
            t("truncated on {count, plural, one {# question} other {# questions}}", { count: truncated }),
        ]
          .filter(Boolean)
          .join("; ") || null,
    }),
    plainColumn("rating", t("Rating"), ({ rating }) => rating, { format: rated }),
    plainColumn("interval", t("95 % interval"), (row) => formatInterval(row, rated), {
      cell: (row) => {
        const interval = intervalOf(row);
        if (!interval || row.rating === null) return null;
        const label = t("Rating {rating}, 95 % interval {low} to {high}", {
          rating: rated(row.rating),
          low: rated(interval.low + CENTRE),
          high: rated(interval.high + CENTRE),
        });
        return (
          <IntervalMark
            value={row.rating - CENTRE}
            interval={interval}
            range={range}
            label={label}
            ends={formatInterval(row, rated)}
          />
        );
      },
      reason: t("An interval needs six questions or more."),
    }),
    plainColumn("ranks", t("Ranks"), ranksOf),
    plainColumn("elo", t("Elo"), ({ elo }) => elo, {
      format: rated,
      note: ({ elo_spread }) => elo_spread !== null && `± ${rated(elo_spread)}`,
    }),
    countColumn("wins", t("Wins"), ({ record }) => record.wins),
    countColumn("losses", t("Losses"), ({ record }) => record.losses),
    countColumn("ties", t("Ties"), ({ record }) => record.ties),
    shareColumn("share", t("Mean share of wins"), ({ record }) => record.mean_share),
    ...adjusted(order?.ratings, "order", t("Rating at equal order")),
    ...adjusted(style?.ratings, "style", t("Rating at equal length and markup")),
  ];
}

function intervalOf({ low, high }: Row) {
  return low === null || high === null ? null : { low: low - CENTRE, high: high - CENTRE };
}

function ranksOf({ best_rank, worst_rank }: Row): string | null {
  if (best_rank === null || worst_rank === null) return null;
  return best_rank === worst_rank ? String(best_rank) : `${best_rank}–${worst_rank}`;
}
