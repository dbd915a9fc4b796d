import { Button, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { pairQueries } from "@/api/pairs";
import type { CpsAgreement as Agreement, PairChoice } from "@/api/types";
import { formatShare } from "@/components/numbers/format";
import { QueryState } from "@/components/QueryState";
import { type Column, DataTable, scoreColumn, textColumn } from "@/components/table";
import { t } from "@/words";

type Disagreement = Agreement["disagreements"][number];

const CHANCE = 0.5;

const COLUMNS: Column<Disagreement>[] = [
  textColumn("question", t("Question"), ({ question }) => question),
  textColumn("preferred", t("Your choice"), ({ preferred }) => preferred.answer),
  scoreColumn("cps", t("CPS of the chosen answer"), ({ preferred }) => preferred.cps),
  textColumn("name", t("Configuration of the chosen answer"), ({ preferred }) => preferred.name),
  textColumn("other", t("Other answer"), ({ other }) => other.answer),
  scoreColumn("otherCps", t("CPS of the other answer"), ({ other }) => other.cps),
];

interface Props {
  sweep: string;
  choices: PairChoice[];
  onRestart: () => void;
}

/** The share of choices that agree with CPS, and the pairs that do not. */
export function CpsAgreement({ sweep, choices, onRestart }: Props) {
  const query = useQuery(pairQueries.agreement(sweep, choices));
  if (!query.data) return <QueryState query={query} height={160} />;
  const { decided, same, agreed, interval, disagreements } = query.data;
  return (
    <Stack gap="md">
      <Text role="status">
        {interval
          ? t(
              "You and CPS prefer the same answer in {agreed, number} of {decided, number} pairs ({share}, 95 % interval {low} to {high}).",
              {
                agreed,
                decided,
                share: formatShare(agreed / decided),
                low: formatShare(interval.low),
                high: formatShare(interval.high),
              },
            )
          : t("You found all answers equally good, so nothing can be compared.")}{" "}
        {same > 0 &&
          t("{same, plural, one {# pair is} other {# pairs are}} equally good for you and not counted.", {
            same,
          })}
      </Text>
      {interval && interval.low <= CHANCE && interval.high >= CHANCE && (
        <Text size="sm" c="var(--warn-text)">
          {t(
            "The interval contains 50 %: with these pairs the agreement cannot be distinguished from chance.",
          )}
        </Text>
      )}
      {disagreements.length > 0 && (
        <DataTable
          name="disagreements"
          label={t("Pairs in which you and CPS disagree")}
          columns={COLUMNS}
          rows={disagreements}
          keyOf={({ number }) => String(number)}
          open={({ number, preferred }) => ({
            to: "/runs/$id/questions/$number",
            params: { id: preferred.run_id, number: String(number + 1) },
          })}
          isShort
        />
      )}
      <Button variant="default" onClick={onRestart} style={{ alignSelf: "flex-start" }}>
        {t("Start again")}
      </Button>
    </Stack>
  );
}
