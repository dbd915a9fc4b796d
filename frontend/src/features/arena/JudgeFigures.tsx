import type { Standings } from "@/api/types";
import { Facts } from "@/components/Facts";
import { formatCount, formatScore, formatShare } from "@/components/numbers/format";
import { Panel } from "@/components/Panel";
import { SaveLinks } from "@/components/SaveLinks";
import { t } from "@/words";
import { exportOf } from "./words";

const NO_SLOPE = {
  too_few_games: t("Not estimated: too few decided games between answers of different length."),
  one_direction: t("Not estimated: the longer answer won all of these games or none."),
};

interface Interval {
  low: number;
  high: number;
}

/** How far the order of showing, and the length of an answer, decide the games. */
export function JudgeFigures({ standings }: { standings: Standings }) {
  const facts = [...orderFacts(standings), ...lengthFacts(standings)];
  const { unanswered = 0 } = standings.tournament;
  const { games } = standings;
  if (games.same_answer)
    facts.push([
      t("Equal answers"),
      t("{count, number} ties without a request", { count: games.same_answer }),
    ]);
  if (games.failed) facts.push([t("Games without an outcome"), formatCount(games.failed)]);
  if (unanswered > 0) facts.push([t("Questions without an answer"), formatCount(unanswered)]);
  if (facts.length === 0) return null;
  return (
    <Panel
      title={t("Order and length")}
      beside={<SaveLinks title={t("Games")} fileOf={exportOf(standings.tournament.id, "games")} />}
    >
      <Facts facts={facts} />
    </Panel>
  );
}

type Fact = [string, string];

function orderFacts({ swap, order, tournament }: Standings): Fact[] {
  if (!swap) return [];
  const facts: Fact[] = [];
  if (swap.asked_twice > 0) {
    facts.push([
      tournament.source === "person"
        ? t("Games on which two raters agree")
        : t("Pairs that agree in both orders"),
      t("{count, number} of {total, number}", { count: swap.consistent, total: swap.asked_twice }),
    ]);
  }
  facts.push([
    t("Verdicts for the first answer"),
    withInterval(
      t("{count, number} of {total, number}", { count: swap.first, total: swap.decided }),
      swap.interval,
      formatShare,
    ),
  ]);
  const effect = order?.effects[0];
  if (effect) {
    facts.push([
      t("Odds of being shown first"),
      withInterval(formatOdds(effect.odds), effect.interval, formatOdds),
    ]);
  }
  return facts;
}

/** Odds beyond which the server estimates no size: all verdicts point one way. */
const FARTHEST = 1000;

function formatOdds(odds: number): string {
  if (odds > FARTHEST) return t("more than {odds, number}", { odds: FARTHEST });
  if (odds < 1 / FARTHEST) return t("less than {odds}", { odds: formatScore(1 / FARTHEST, 3) });
  return formatScore(odds, 2);
}

function lengthFacts({ length }: Standings): Fact[] {
  if (!length) return [];
  const facts: Fact[] = [
    [
      t("Games won by the longer answer"),
      withInterval(
        t("{count, number} of {total, number}", { count: length.longer_won, total: length.decided }),
        length.interval,
        formatShare,
      ),
    ],
  ];
  if (length.slope !== null) {
    facts.push([
      t("Odds of winning per doubling of length"),
      withInterval(
        formatScore(Math.exp(length.slope), 2),
        length.slope_interval && {
          low: Math.exp(length.slope_interval.low),
          high: Math.exp(length.slope_interval.high),
        },
        (value) => formatScore(value, 2),
      ),
    ]);
  }
  if (length.slope_reason) {
    facts.push([t("Odds of winning per doubling of length"), NO_SLOPE[length.slope_reason]]);
  }
  return facts;
}

function withInterval(text: string, interval: Interval | null, format: (value: number) => string): string {
  if (!interval) return text;
  return t("{text} (95 %: {low} to {high})", {
    text,
    low: format(interval.low),
    high: format(interval.high),
  });
}
