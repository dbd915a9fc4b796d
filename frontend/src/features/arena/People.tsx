import { Button, Group, NumberInput, Stack, TagsInput, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { arenaQueries, useStartPeople } from "@/api/arena";
import { AnchorLink } from "@/components/links";
import { Moment } from "@/components/Moment";
import { Panel } from "@/components/Panel";
import { ProblemNotice } from "@/components/ProblemNotice";
import { t } from "@/words";
import { RatingLinks } from "./RatingLinks";

const GAMES = 60;
const DAYS = 30;

/** Games of this tournament that people decide: the draws so far, and a new one with a link for each rater. */
export function People({ id }: { id: string }) {
  const known = useQuery(arenaQueries.people(id));
  const [games, setGames] = useState<number | string>(GAMES);
  const [raters, setRaters] = useState<string[]>([]);
  const [days, setDays] = useState<number | string>(DAYS);
  const start = useStartPeople();
  const submit = () =>
    start.mutate({
      params: { path: { tournament_id: id } },
      body: { games: Number(games), raters, days: Number(days), seed: 1 },
    });
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
      <Group align="flex-end" gap="sm">
        <NumberInput
          label={t("Games to draw")}
          min={1}
          max={10_000}
          allowDecimal={false}
          value={games}
          onChange={setGames}
          w={140}
        />
        <TagsInput
          label={t("Raters")}
          description={t("Pseudonyms; press Enter after each")}
          value={raters}
          onChange={setRaters}
          maxTags={20}
          acceptValueOnBlur
          style={{ flex: "1 1 14rem" }}
        />
        <NumberInput
          label={t("Days until the links expire")}
          min={1}
          max={366}
          allowDecimal={false}
          value={days}
          onChange={setDays}
          w={200}
        />
        <Button
          variant="default"
          loading={start.isPending}
          disabled={raters.length === 0 || !Number(games) || !Number(days)}
          onClick={submit}
        >
          {t("Create rating links")}
        </Button>
      </Group>
      {start.error && <ProblemNotice error={start.error} />}
      {start.data && (
        <Stack gap="xs" role="status">
          <Text size="sm">
            {t("{games, plural, one {# game} other {# games}} drawn.", { games: start.data.games })}{" "}
            <AnchorLink to="/arena/$id" params={{ id: start.data.tournament.id }}>
              {t("Show games of people")}
            </AnchorLink>
          </Text>
          <RatingLinks links={start.data.links} />
        </Stack>
      )}
    </Panel>
  );
}
