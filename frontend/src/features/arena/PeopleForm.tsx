import { MultiSelect, NumberInput, Stack, TagsInput, Text } from "@mantine/core";
import { useState } from "react";
import { usual } from "@/api/defaults";
import type { NewPeople, PeopleRequest } from "@/api/types";
import { FieldGrid } from "@/components/FieldGrid";
import { bindWhole } from "@/components/fields";
import { ASPECTS, type Aspect } from "@/components/judging/aspects";
import { AnchorLink } from "@/components/links";
import { ProblemNotice } from "@/components/ProblemNotice";
import { SendButton } from "@/components/SendButton";
import { t } from "@/words";
import { RatingLinks } from "./RatingLinks";

interface Props {
  /** The state of the request; a false `isReady` means that it is not known yet what to draw from. */
  start: { isPending: boolean; error: unknown; data: NewPeople | undefined };
  isReady?: boolean;
  onStart: (request: PeopleRequest) => void;
}

/** How many games people decide, who they are, and what they are asked for; then their links. */
export function PeopleForm({ start, isReady = true, onStart }: Props) {
  const [games, setGames] = useState<number | string>(usual.games_rated);
  const [raters, setRaters] = useState<string[]>([]);
  const [days, setDays] = useState<number | string>(usual.link_days);
  const [aspects, setAspects] = useState<string[]>([]);
  const submit = () =>
    onStart({
      games: Number(games),
      raters,
      days: Number(days),
      seed: 1,
      aspects: aspects as Aspect[],
    });
  return (
    <>
      <FieldGrid>
        <NumberInput label={t("Games to draw")} min={1} max={10_000} {...bindWhole(games, setGames)} />
        <TagsInput
          label={t("Raters")}
          description={t("Pseudonyms; press Enter after each")}
          value={raters}
          onChange={setRaters}
          maxTags={20}
          acceptValueOnBlur
        />
        <NumberInput
          label={t("Days until the links expire")}
          min={1}
          max={366}
          {...bindWhole(days, setDays)}
        />
        <MultiSelect
          label={t("Also grade each answer")}
          description={t(
            "Raters grade these aspects with 0, 1 or 2. Empty means that they only choose the better answer.",
          )}
          data={Object.entries(ASPECTS).map(([value, { label }]) => ({ value, label }))}
          value={aspects}
          onChange={setAspects}
        />
      </FieldGrid>
      <SendButton
        variant="default"
        missing={raters.length === 0 ? t("Name at least one rater.") : null}
        loading={start.isPending}
        disabled={!isReady || !Number(games) || !Number(days)}
        onClick={submit}
      >
        {t("Create rating links")}
      </SendButton>
      <ProblemNotice error={start.error} />
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
    </>
  );
}
