import { Button, Group, NumberInput, Select, SimpleGrid, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { arenaQueries, useAddSystem } from "@/api/arena";
import { usual } from "@/api/defaults";
import { sweepQueries } from "@/api/sweeps";
import type { ListedTournament, Standings } from "@/api/types";
import { BudgetField } from "@/components/BudgetField";
import { forRole } from "@/components/ForRole";
import { bindText, bindWhole, typedNumber } from "@/components/fields";
import { AskingPlan } from "@/components/judging/AskingPlan";
import { JudgingProgress } from "@/components/judging/JudgingProgress";
import { SmallLink } from "@/components/links";
import { formatInterval, formatScore, formatShare } from "@/components/numbers/format";
import { Panel } from "@/components/Panel";
import { ProblemNotice } from "@/components/ProblemNotice";
import { Quiet } from "@/components/Quiet";
import {
  type Column,
  countColumn,
  DataTable,
  plainColumn,
  shareColumn,
  textColumn,
} from "@/components/table";
import { useSettled } from "@/components/useSettled";
import { t } from "@/words";
import { planFacts } from "./planFacts";

const route = getRouteApi("/arena/$id");
type Added = Standings["added"][number];

interface Props {
  listed: ListedTournament;
  standings: Standings;
}

/** Configurations that joined a judge's tournament after its games, and the way to add one. */
export function AddedSystems({ listed: { tournament, added = [] }, standings }: Props) {
  const { counted } = route.useSearch();
  const names = new Map(tournament.entrants.map(({ id, name }) => [id, name]));
  return (
    <Panel title={t("Systems with few games")}>
      <Text size="sm">
        {t(
          "A configuration that joins later plays its nearest opponents on the questions that split the others most, until the interval of its share of wins is narrow. These games depend on earlier outcomes, so they are not in the ratings above.",
        )}
      </Text>
      {standings.added.length > 0 && (
        <DataTable
          name="arena-added"
          at="added"
          label={t("Systems with few games")}
          columns={columnsOf(tournament.id, names, counted)}
          rows={standings.added}
          keyOf={({ entrant }) => entrant.id}
          isShort
        />
      )}
      {added.map((job) => (
        <JudgingProgress key={job.id} job={job} cancel={t("Cancel adding")} />
      ))}
      <AddForm tournament={tournament} />
    </Panel>
  );
}

const AddForm = forRole("researcher", function AddForm({ tournament }: Pick<ListedTournament, "tournament">) {
  const [run, setRun] = useState<string | null>(null);
  const [most, setMost] = useState<number | string>("");
  const [budget, setBudget] = useState("");
  const known = useQuery(sweepQueries.all()).data ?? [];
  const add = useAddSystem();
  const playing = new Set(tournament.entrants.map(({ id }) => id));
  const body = { run: run ?? "", budget, most: typedNumber(most) ?? usual.games_added };
  const settled = useSettled(body);
  const plan = useQuery({
    ...arenaQueries.planOfAdding(tournament.id, settled),
    enabled: run !== null && settled.run === run,
  });
  const submit = async () => {
    const params = { path: { tournament_id: tournament.id } };
    if (await add.mutateAsync({ params, body }).catch(() => null)) setRun(null);
  };
  return (
    <>
      <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="md">
        <Select
          label={t("Configuration to add")}
          description={t("A run of any sweep with the same questions.")}
          data={known.map(({ sweep, runs }) => ({
            group: sweep.name,
            items: runs
              .filter(({ id }) => !playing.has(id))
              .map(({ id, name }) => ({ value: id, label: name })),
          }))}
          value={run}
          onChange={setRun}
          searchable
        />
        <NumberInput
          label={t("Maximum number of games")}
          description={t("Empty means {most, number}.", { most: usual.games_added })}
          min={1}
          max={1000}
          {...bindWhole(most, setMost)}
        />
        <BudgetField {...bindText(budget, setBudget)} />
      </SimpleGrid>
      {run !== null && <AskingPlan query={plan} factsOf={planFacts} />}
      <ProblemNotice error={add.error} />
      <Group>
        <Button variant="default" disabled={!run || plan.isError} loading={add.isPending} onClick={submit}>
          {t("Add configuration")}
        </Button>
        {!run && <Quiet>{t("Choose a configuration.")}</Quiet>}
      </Group>
    </>
  );
});

function columnsOf(
  tournament: string,
  names: ReadonlyMap<string, string>,
  counted: object | undefined,
): Column<Added>[] {
  return [
    textColumn("system", t("System"), ({ entrant }) => entrant.name),
    countColumn("games", t("Games"), ({ games }) => games),
    countColumn("wins", t("Wins"), ({ wins }) => wins),
    countColumn("losses", t("Losses"), ({ losses }) => losses),
    countColumn("ties", t("Ties"), ({ ties }) => ties),
    shareColumn("share", t("Share of wins"), ({ wins, games }) => (games === 0 ? null : wins / games), {
      note: ({ interval }) => formatInterval(interval, formatShare),
    }),
    plainColumn("rating", t("Rating against the others"), ({ rating }) => rating, {
      format: (value) => formatScore(value, 0),
    }),
    {
      id: "opponents",
      label: t("Opponents"),
      kind: "text",
      value: ({ opponents }) => opponents.map(({ opponent }) => names.get(opponent) ?? opponent).join(", "),
      cell: ({ opponents }) => (
        <Group gap="xs">
          {opponents.map(({ run, opponent }) => (
            <SmallLink
              key={opponent}
              to="/arena/$id"
              params={{ id: tournament }}
              search={{ counted, system: run, opponent }}
              resetScroll={false}
            >
              {names.get(opponent) ?? opponent}
            </SmallLink>
          ))}
        </Group>
      ),
    },
  ];
}
