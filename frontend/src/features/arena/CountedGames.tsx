import { Anchor, Group, MultiSelect, NumberInput, Select, SimpleGrid, Text } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { getRouteApi } from "@tanstack/react-router";
import { usual } from "@/api/defaults";
import type { Standings } from "@/api/types";
import { bindChoice, typedNumber } from "@/components/fields";
import { Panel } from "@/components/Panel";
import { useAddress } from "@/components/useAddress";
import { t } from "@/words";
import { type Change, type Counted, countedOf, kept } from "./counted";

const SETTLED_MS = 600;
const route = getRouteApi("/arena/$id");

/** What the address says of the games that count, and the way to change it. */
export function useCounted(): [Counted, (next: Change) => void] {
  const counted = countedOf(route.useSearch().counted);
  const address = useAddress();
  const put = (next: Change) => void address({ counted: kept({ ...counted, ...next }) });
  return [counted, put];
}

/** Which games count in the ratings, and how these are computed. */
export function CountedGames({ standings }: { standings: Standings }) {
  const [counted, put] = useCounted();
  const putLater = useDebouncedCallback(put, SETTLED_MS);
  const { tournament, rows, swap, games } = standings;
  const entrants = tournament.entrants.filter(({ added_by }) => !added_by);
  const own = rows.filter(({ kinship }) => kinship === "same-model").map(({ entrant }) => entrant.id);
  const left = rows.length - own.length;
  return (
    <Panel title={t("Games that count")}>
      <SimpleGrid cols={{ base: 1, sm: 2, md: 3 }} spacing="md">
        {(swap?.asked_twice ?? 0) > 0 && (
          <TieOrDrop
            label={
              tournament.source === "person"
                ? t("Games on which raters disagree")
                : t("Games whose orders disagree")
            }
            value={counted.inconsistent}
            onChange={(inconsistent) => put({ inconsistent })}
          />
        )}
        {(games.same_answer ?? 0) > 0 && (
          <TieOrDrop
            label={t("Games of equal answers")}
            value={counted.same_answer}
            onChange={(same_answer) => put({ same_answer })}
          />
        )}
        <MultiSelect
          label={t("Leave out systems")}
          description={t("Their games are left out.")}
          data={entrants.map(({ id, name }) => ({ value: id, label: name }))}
          value={counted.without}
          onChange={(without) => put({ without })}
          maxValues={Math.max(0, entrants.length - 2)}
          clearable
        />
        <NumberInput
          label={t("Seed")}
          description={t("Seed of the orders of Elo and of the resampled questions. Empty means 1.")}
          min={0}
          max={2 ** 31 - 1}
          allowDecimal={false}
          defaultValue={counted.seed ?? ""}
          onChange={(seed) => putLater({ seed: typedNumber(seed) ?? undefined })}
        />
        <NumberInput
          label={t("Orders of Elo")}
          description={t("Empty means {most, number}.", { most: usual.elo_orders })}
          min={2}
          max={2000}
          clampBehavior="strict"
          allowDecimal={false}
          defaultValue={counted.tournaments ?? ""}
          onChange={(orders) => putLater({ tournaments: typedNumber(orders) ?? undefined })}
        />
      </SimpleGrid>
      {own.length > 0 && left > 1 && (
        <Group gap="xs">
          <Text size="sm">{t("The judge also wrote answers that play in this tournament.")}</Text>
          <Anchor component="button" type="button" size="sm" onClick={() => put({ without: own })}>
            {t("Show ratings without its games")}
          </Anchor>
        </Group>
      )}
    </Panel>
  );
}

interface TieOrDropProps {
  label: string;
  value: "tie" | "drop" | undefined;
  onChange: (value: "drop" | undefined) => void;
}

function TieOrDrop({ label, value = "tie", onChange }: TieOrDropProps) {
  return (
    <Select
      label={label}
      data={[
        { value: "tie", label: t("Count as a tie") },
        { value: "drop", label: t("Left out") },
      ]}
      {...bindChoice(value, (value) => onChange(value === "drop" ? "drop" : undefined))}
    />
  );
}
