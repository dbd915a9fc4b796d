import type { Standings } from "@/api/types";
import { Facts, type PossibleFact } from "@/components/Facts";
import { formatCount, formatScore, formatShare } from "@/components/numbers/format";
import { Panel } from "@/components/Panel";
import { SaveLinks } from "@/components/SaveLinks";
import { t } from "@/words";
import { reasonOf } from "@/words/reasons";
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
  const { unanswered = 0 } = standings.tournament;
  const { same_answer = 0, failed = 0 } = standings.games;
  const facts = [
    ...orderFacts(standings),
    ...lengthFacts(standings),
    same_answer > 0 && [
      t("Equal answers"),
      t("{count, number} ties without a request", { count: same_answer }),
    ],
    failed > 0 && [t("Games without an outcome"), withReasons(failed, standings.reasons)],
    unanswered > 0 && [t("Questions without an answer"), formatCount(unanswered)],
  ] satisfies PossibleFact[];
  if (!facts.some(Boolean)) return null;
  return (
    <Panel
      title={t("Order and length")}
      beside={<SaveLinks title={t("Games")} fileOf={exportOf(standings.tournament.id, "games")} />}
    >
      <Facts facts={facts} />
    </Panel>
  );
}

function withReasons(failed: number, reasons: Record<string, number>): string {
  const found = Object.entries(reasons);
  if (found.length === 0) return formatCount(failed);
  return found.map(([reason, count]) => `${formatCount(count)}: ${reasonOf(reason)}`).join(" ");
}

function orderFacts({ swap, order, tournament }: Standings): PossibleFact[] {
  if (!swap) return [];
  const effect = order?.effects[0];
  return [
    swap.asked_twice > 0 && [
      tournament.source === "person"
        ? t("Games on which two raters agree")
        : t("Pairs that agree in both orders"),
      t("{count, number} of {total, number}", { count: swap.consistent, total: swap.asked_twice }),
    ],
    [
      t("Verdicts for the first answer"),
      withInterval(
        t("{count, number} of {total, number}", { count: swap.first, total: swap.decided }),
        swap.interval,
        formatShare,
      ),
    ],
    effect && [
      t("Odds of being shown first"),
      withInterval(formatOdds(effect.odds), effect.interval, formatOdds),
    ],
  ];
}

/** Odds beyond which the server estimates no size: all verdicts point one way. */
const FARTHEST = 1000;

function formatOdds(odds: number): string {
  if (odds > FARTHEST) return t("more than {odds, number}", { odds: FARTHEST });
  if (odds < 1 / FARTHEST) return t("less than {odds}", { odds: formatScore(1 / FARTHEST, 3) });
  return formatScore(odds, 2);
}

function lengthFacts({ length }: Standings): PossibleFact[] {
  if (!length) return [];
  return [
    [
      t("Games won by the longer answer"),
      withInterval(
        t("{count, number} of {total, number}", { count: length.longer_won, total: length.decided }),
        length.interval,
        formatShare,
      ),
    ],
    length.slope !== null && [
      t("Odds of winning per doubling of length"),
      withInterval(
        formatScore(Math.exp(length.slope), 2),
        length.slope_interval && {
          low: Math.exp(length.slope_interval.low),
          high: Math.exp(length.slope_interval.high),
        },
        (value) => formatScore(value, 2),
      ),
    ],
    length.slope_reason && [t("Odds of winning per doubling of length"), NO_SLOPE[length.slope_reason]],
  ];
}

function withInterval(text: string, interval: Interval | null, format: (value: number) => string): string {
  if (!interval) return text;
  return t("{text} (95 %: {low} to {high})", {
    text,
    low: format(interval.low),
    high: format(interval.high),
  });
}
