import { Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { type FormEvent, type ReactNode, useState } from "react";
import { judgingQueries } from "@/api/judging";
import { NoPage } from "@/components/NoPage";
import { Note } from "@/components/Note";
import { PageHead } from "@/components/PageHead";
import { Said } from "@/components/Said";
import { Waiting } from "@/components/Waiting";
import { t } from "@/words";
import { CpsCheck } from "./CpsCheck";
import { Desk } from "./Desk";

const route = getRouteApi("/rate/$id");

/**
 * The answers of a random draw, rated one by one, or with `of=pairs` pairs of answers of a sweep. Nothing on the page
 * tells configuration or judge beforehand. One route for both keeps the first load small.
 */
export function RatingPage(): ReactNode {
  const { id } = route.useParams();
  const { rater, of } = route.useSearch();
  if (of === "pairs") return <CpsCheck id={id} />;
  return rater === undefined ? <NameForm /> : <Queue key={rater} draw={id} rater={rater} />;
}

function NameForm() {
  const navigate = route.useNavigate();
  const [name, setName] = useState("");
  const begin = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim()) void navigate({ search: { rater: name.trim() } });
  };
  return (
    <>
      <PageHead
        title={t("Rate answers")}
        lead={t(
          "You see one answer at a time, without its configuration and without the judge. The judge’s value is shown after you have saved your own.",
        )}
      />
      <form onSubmit={begin}>
        <Group align="flex-end" gap="sm">
          <TextInput
            label={t("Name of the rater")}
            value={name}
            maxLength={100}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Button type="submit" disabled={name.trim() === ""}>
            {t("Start rating")}
          </Button>
        </Group>
      </form>
    </>
  );
}

function Queue({ draw, rater }: { draw: string; rater: string }) {
  const { at } = route.useSearch();
  const navigate = route.useNavigate();
  const query = useQuery(judgingQueries.queue(draw, rater));
  if (query.isPending) return <Waiting height={320} />;
  if (!query.data) return <NoPage error={query.error} onRetry={() => query.refetch()} />;
  const { column, summary, levels, places } = query.data;
  const firstOpen = places.findIndex(({ is_rated }) => !is_rated);
  // The address keeps the place, so that a reload and a shared link open the same answer.
  const place = Math.min(at ? at - 1 : firstOpen === -1 ? places.length : firstOpen, places.length);
  const go = (to: number) =>
    void navigate({ search: { rater, at: Math.max(0, Math.min(to, places.length)) + 1 }, replace: true });
  const rated = places.filter(({ is_rated }) => is_rated).length;
  const skipped =
    places.slice(0, place).length - places.slice(0, place).filter((each) => each.is_rated).length;
  const here = places[place];
  return (
    <>
      <PageHead title={t("Rate answers: {column}", { column })} lead={<Said text={summary} />} />
      <Stack gap="md">
        <Text size="sm" role="status">
          {t("{rated, number} of {total, number} rated, {skipped, number} skipped", {
            rated,
            total: places.length,
            skipped,
          })}
        </Text>
        {here ? (
          <Desk
            key={here.item}
            draw={draw}
            item={here.item}
            rater={rater}
            column={column}
            levels={levels}
            position={t("Answer {place, number} of {total, number}", {
              place: place + 1,
              total: places.length,
            })}
            onBack={place > 0 ? () => go(place - 1) : undefined}
            onNext={() => go(place + 1)}
          />
        ) : (
          <Finished open={firstOpen} onOpen={go} />
        )}
      </Stack>
    </>
  );
}

function Finished({ open, onOpen }: { open: number; onOpen: (place: number) => void }) {
  if (open === -1) return <Note>{t("You have rated all answers of this draw. Thank you.")}</Note>;
  return (
    <Note>
      <Stack gap="xs" align="flex-start">
        {t("This is the end of the list. You have skipped some answers.")}
        <Button variant="default" onClick={() => onOpen(open)}>
          {t("Rate skipped answers")}
        </Button>
      </Stack>
    </Note>
  );
}
