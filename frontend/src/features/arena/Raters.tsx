import { Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { arenaQueries, useRatingLink, useRevokeLink } from "@/api/arena";
import { usual } from "@/api/defaults";
import type { ReadPeople, Tournament } from "@/api/types";
import { RowForm } from "@/components/Form";
import { ForRole } from "@/components/ForRole";
import { bindText } from "@/components/fields";
import { AgreementFacts } from "@/components/judging/AgreementFacts";
import { Confusion } from "@/components/judging/Confusion";
import { AnchorLink } from "@/components/links";
import { formatScore, formatShare } from "@/components/numbers/format";
import { Panel } from "@/components/Panel";
import { QueryState } from "@/components/QueryState";
import { Quiet } from "@/components/Quiet";
import {
  type Column,
  countColumn,
  DataTable,
  plainColumn,
  scoreColumn,
  textColumn,
} from "@/components/table";
import { t } from "@/words";
import { AspectPanel } from "./Aspects";
import { RatingLinks } from "./RatingLinks";

type Rater = ReadPeople["figures"]["raters"][number];
type Pair = ReadPeople["figures"]["pairs"][number];
type Both = ReadPeople["ratings"][number];

/** A tournament of people: how far each rater is, how they agree, and how the judge agrees with them. */
export function Raters({ tournament: { id, entrants, sweep_id } }: { tournament: Tournament }) {
  const query = useQuery(arenaQueries.raters(id));
  if (!query.data) return <QueryState query={query} height={200} />;
  const { figures, links, of, ratings, comparison, aspects } = query.data;
  const { judge, ceiling } = figures;
  const by = of?.source === "rule" ? "score" : "judge";
  return (
    <>
      <Panel title={t("Raters")}>
        <Text size="sm">
          {t("{decided, number} of {games, number} games are decided.", {
            decided: figures.decided,
            games: figures.games,
          })}
        </Text>
        <DataTable
          name="arena-raters"
          label={t("Raters")}
          columns={ratersOf(figures.games)}
          rows={figures.raters}
          keyOf={({ rater }) => rater}
          isShort
        />
        {figures.pairs.length > 0 && (
          <DataTable
            name="arena-rater-pairs"
            label={t("Agreement of raters")}
            columns={PAIRS}
            rows={figures.pairs}
            keyOf={({ one, other }) => `${one} ${other}`}
            isShort
          />
        )}
        <Links id={id} links={links} />
      </Panel>
      {of && (
        <Panel title={by === "score" ? t("Score and people") : t("Judge and people")}>
          <Text size="sm">
            <AnchorLink to="/arena/$id" params={{ id: of.id }}>
              {of.name}
            </AnchorLink>
          </Text>
          {judge === null ? (
            <Text role="status">{t("No game is decided by both yet.")}</Text>
          ) : (
            <>
              <Quiet>
                {t("A win of the first system of a pair counts as 1, a tie as 0, a win of the second as −1.")}
              </Quiet>
              <AgreementFacts agreement={judge} ceiling={ceiling} by={by} unit="games" />
              {judge.categories && (
                <Confusion
                  categories={judge.categories}
                  nameOf={outcomeOf}
                  {...(by === "score" ? { rows: t("People"), columns: t("Score") } : {})}
                />
              )}
            </>
          )}
          <DataTable
            name="arena-both-ratings"
            label={by === "score" ? t("Ratings of people and score") : t("Ratings of people and judge")}
            columns={bothOf(by === "score" ? t("Rating by the score") : t("Rating by the judge"))}
            rows={ratings}
            keyOf={({ entrant }) => entrant.id}
            isShort
          />
          {comparison?.tau && (
            <Text size="sm">
              {t("Kendall τ-b of both ratings: {tau}", { tau: formatScore(comparison.tau.tau) })}
            </Text>
          )}
        </Panel>
      )}
      {aspects.map((each) => (
        <AspectPanel
          key={each.aspect}
          figures={each}
          names={new Map(entrants.map(({ id, name }) => [id, name]))}
          sweep={sweep_id ?? null}
        />
      ))}
    </>
  );
}

interface Interval {
  low: number;
  high: number;
}

function shareOf(count: number, total: number, interval: Interval | null): string | null {
  if (total === 0) return null;
  // Fewer than six questions have no interval.
  if (interval === null) return t("{count, number} of {total, number}", { count, total });
  return t("{count, number} of {total, number} ({low} to {high})", {
    count,
    total,
    low: formatShare(interval.low),
    high: formatShare(interval.high),
  });
}

/** `games` are those of the tournament: a rater sees some of them twice. */
const ratersOf = (games: number): Column<Rater>[] => [
  textColumn("rater", t("Rater"), ({ rater }) => rater),
  plainColumn(
    "rated",
    t("Rated"),
    ({ rated, total }) => t("{count, number} of {total, number}", { count: rated, total }),
    {
      note: ({ total }) =>
        total > games &&
        t("{n, plural, one {# game comes} other {# games come}} twice, with the sides swapped", {
          n: total - games,
        }),
    },
  ),
  countColumn("unsure", t("Cannot tell", {}, "rater"), ({ cannot_tell }) => cannot_tell),
  countColumn("bad", t("Both are bad"), ({ both_bad }) => both_bad),
  plainColumn(
    "first",
    t("Chose the first answer"),
    ({ first, decided, first_interval }) => shareOf(first, decided, first_interval),
    { reason: t("This rater has preferred no answer yet.") },
  ),
  plainColumn(
    "consistent",
    t("Same choice when repeated"),
    ({ consistent, repeated, consistent_interval }) => shareOf(consistent, repeated, consistent_interval),
    { reason: t("This rater has decided no game twice yet.") },
  ),
];

const PAIRS: Column<Pair>[] = [
  textColumn("raters", t("Raters"), ({ one, other }) => `${one}, ${other}`),
  plainColumn("same", t("Same outcome"), ({ same, games, interval }) => shareOf(same, games, interval)),
  scoreColumn("kappa", t("Cohen’s κ"), ({ kappa }) => kappa),
];

function ratingOf(standing: Both["people"]): string | null {
  if (standing?.rating == null) return null;
  const rating = formatScore(standing.rating, 0);
  if (standing.low === null || standing.high === null) return rating;
  return t("{rating} ({low} to {high})", {
    rating,
    low: formatScore(standing.low, 0),
    high: formatScore(standing.high, 0),
  });
}

const NO_GAMES = t("No game of this system has an outcome.");

const bothOf = (judge: string): Column<Both>[] => [
  textColumn("system", t("System"), ({ entrant }) => entrant.name),
  plainColumn("people", t("Rating by people"), ({ people }) => ratingOf(people), { reason: NO_GAMES }),
  plainColumn("judge", judge, ({ judge }) => ratingOf(judge), { reason: NO_GAMES }),
];

/** What the value of a game means. */
function outcomeOf(value: number): string {
  if (value === 0) return t("Tie");
  return value > 0 ? t("First wins") : t("Second wins");
}

/** Links cannot be shown again, only replaced or revoked. */
function Links({ id, links }: { id: string; links: ReadPeople["links"] }) {
  const [name, setName] = useState("");
  const make = useRatingLink();
  const revoke = useRevokeLink();
  const path = { tournament_id: id };
  const add = (rater: string) => make.mutate({ params: { path }, body: { rater, days: usual.link_days } });
  const submit = () => {
    if (name.trim()) add(name.trim());
  };
  return (
    <Stack gap="xs">
      {links.map(({ rater, expires_at }) => (
        <Group key={rater} gap="xs">
          <Text size="sm">
            {new Date(expires_at) > new Date()
              ? t("{rater}: link valid until {day}", {
                  rater,
                  day: new Date(expires_at).toISOString().slice(0, 10),
                })
              : t("{rater}: no valid link", { rater })}
          </Text>
          <ForRole>
            {" "}
            <Button
              size="compact-xs"
              variant="default"
              onClick={() => add(rater)}
              aria-label={t("New link for {rater}", { rater })}
            >
              {t("New link")}
            </Button>
            <Button
              size="compact-xs"
              variant="default"
              onClick={() => revoke.mutate({ params: { path: { ...path, rater } } })}
              aria-label={t("Revoke link of {rater}", { rater })}
            >
              {t("Revoke link")}
            </Button>
          </ForRole>
        </Group>
      ))}
      <ForRole>
        {" "}
        <RowForm onSubmit={submit} send={t("Add rater")} request={make} isReady={name.trim() !== ""}>
          <TextInput label={t("Name of another rater")} {...bindText(name, setName)} maxLength={100} />
        </RowForm>
      </ForRole>
      {make.data && <RatingLinks links={[make.data]} />}
    </Stack>
  );
}
