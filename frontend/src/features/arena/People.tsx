import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { arenaQueries, useStartPeople, useStartPeopleOfRuns } from "@/api/arena";
import { FieldGrid } from "@/components/FieldGrid";
import { ForRole } from "@/components/ForRole";
import { AnchorLink } from "@/components/links";
import { Moment } from "@/components/Moment";
import { Panel } from "@/components/Panel";
import { t } from "@/words";
import { type Chosen, Entrants, runsOf } from "./Entrants";
import { PeopleForm } from "./PeopleForm";

/** Games of this tournament that people decide: the draws so far, and a new one with a link for each rater. */
export function People({ id }: { id: string }) {
  const known = useQuery(arenaQueries.people(id));
  const start = useStartPeople();
  return (
    <Panel title={t("People")}>
      <Text size="sm">
        {t(
          "Have people decide a random sample of these games. Each rater gets a link to a page without names, scores or accounts. Every second rater sees the answers in the opposite order, and a tenth of the games comes back with the sides swapped.",
        )}
      </Text>
      {known.data?.items.map((people) => (
        <Text key={people.id} size="sm">
          <AnchorLink to="/arena/$id" params={{ id: people.id }}>
            {t("Games of people")}
          </AnchorLink>{" "}
          <Moment at={people.created_at} />
        </Text>
      ))}
      <ForRole>
        <PeopleForm
          start={start}
          onStart={(body) => start.mutate({ params: { path: { tournament_id: id } }, body })}
        />
      </ForRole>
    </Panel>
  );
}

/** Games of runs that neither a judge nor a score has decided. */
export function PeopleOfRuns({ sweep }: { sweep: string | undefined }) {
  const [chosen, setChosen] = useState<Chosen>({ sweeps: sweep ? [sweep] : [], runs: [] });
  const start = useStartPeopleOfRuns();
  const runs = runsOf(chosen);
  return (
    <Panel title={t("Games by people")}>
      <Text size="sm">
        {t(
          "People can compare the answers without a judge. Games are drawn from all pairs of configurations, and each rater gets a link to a page without names, scores or accounts.",
        )}
      </Text>
      <FieldGrid>
        <Entrants {...chosen} onChange={setChosen} />
      </FieldGrid>
      <PeopleForm
        start={start}
        isReady={runs !== undefined}
        onStart={(body) => runs && start.mutate({ body: { ...body, runs } })}
      />
    </Panel>
  );
}
