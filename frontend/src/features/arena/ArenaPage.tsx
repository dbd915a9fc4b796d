import { Button, FileInput, Group, SegmentedControl, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { arenaQueries, useImportGames } from "@/api/arena";
import { sweepQueries } from "@/api/sweeps";
import { asPart, formData } from "@/api/upload";
import { TournamentTable } from "@/components/arena/TournamentTable";
import { EmptyState } from "@/components/EmptyState";
import { forRole } from "@/components/ForRole";
import { ButtonLink } from "@/components/links";
import { PageHead } from "@/components/PageHead";
import { Panel } from "@/components/Panel";
import { ProblemNotice } from "@/components/ProblemNotice";
import { QueryState } from "@/components/QueryState";
import { useAddress } from "@/components/useAddress";
import { useFormState } from "@/components/useFormState";
import { t } from "@/words";
import { ByScore } from "./ByScore";
import { NewTournament } from "./NewTournament";
import { PeopleOfRuns } from "./People";

const route = getRouteApi("/arena");

const WAYS = ["score", "people", "file"] as const;

/** The ways to a tournament, one at a time: who decides its games. */
const Beginnings = forRole("researcher", function Beginnings() {
  const { sweep, by } = route.useSearch();
  const put = useAddress();
  const forms = {
    score: <ByScore sweep={sweep} />,
    people: <PeopleOfRuns sweep={sweep} />,
    file: <ImportGames />,
  };
  return (
    <>
      <SegmentedControl
        w="fit-content"
        aria-label={t("Who decides the games")}
        value={by ?? "judge"}
        onChange={(next) => put({ by: WAYS.find((way) => way === next) }, false)}
        data={[
          { value: "judge", label: t("By a judge") },
          { value: "score", label: t("By a score") },
          { value: "people", label: t("By people") },
          { value: "file", label: t("From a file") },
        ]}
      />
      {by === undefined ? <NewTournament sweep={sweep} /> : forms[by]}
    </>
  );
});

/** All tournaments, or those of a sweep, and the ways to a new one. */
export function ArenaPage(): ReactNode {
  const { sweep } = route.useSearch();
  const query = useQuery(arenaQueries.list(sweep));
  const hasSweeps = useQuery(sweepQueries.all()).data?.length !== 0;
  const isEmpty = !hasSweeps && query.data?.items.length === 0;
  return (
    <>
      <PageHead
        title={t("Arena")}
        lead={t(
          "Compares the answers of configurations pair by pair: a judge, people or a score decide which of two answers to the same question is better. The games give ratings with intervals.",
        )}
      />
      <Stack gap="lg">
        {isEmpty ? (
          <EmptyState
            title={t("No finished runs")}
            text={t("A tournament compares the answers of finished runs. Run a sweep first.")}
          >
            <ButtonLink to="/new">{t("Create sweep")}</ButtonLink>
          </EmptyState>
        ) : (
          <Panel title={sweep ? t("Tournaments of this sweep") : t("Tournaments")}>
            <QueryState query={query} height={120} />
            {query.data && query.data.items.length === 0 && (
              <Text c="var(--quiet)">{t("No tournaments yet")}</Text>
            )}
            {query.data && query.data.items.length > 0 && <TournamentTable items={query.data.items} />}
          </Panel>
        )}
        {hasSweeps && <Beginnings />}
      </Stack>
    </>
  );
}

/** Games that somebody else decided: a table of them becomes a tournament. */
function ImportGames() {
  const [file, setFile] = useFormState<File | null>("games", null);
  const add = useImportGames();
  const navigate = useNavigate();
  const submit = async () => {
    if (!file) return;
    const body = { file: asPart(file) };
    const made = await add.mutateAsync({ body, bodySerializer: formData }).catch(() => null);
    if (made) await navigate({ to: "/arena/$id", params: { id: made.tournament.id } });
  };
  return (
    <Panel title={t("Games from a file")}>
      <Text size="sm">
        {t(
          "A table with the columns qid, a, b and winner (A, B, or C for a tie), or the file of pairwise answers that RAGElo writes.",
        )}
      </Text>
      <FileInput
        label={t("File")}
        placeholder={t("Choose a file")}
        accept=".csv,.jsonl,.xlsx"
        value={file}
        onChange={setFile}
        maw={420}
        clearable
      />
      <ProblemNotice error={add.error} />
      <Group>
        <Button variant="default" disabled={!file} loading={add.isPending} onClick={submit}>
          {t("Import games")}
        </Button>
      </Group>
    </Panel>
  );
}
