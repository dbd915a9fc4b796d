import { Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { type FormEvent, type ReactNode, useEffect, useState } from "react";
import { judgingQueries, useReserveItem } from "@/api/judging";
import { NoPage } from "@/components/NoPage";
import { PageHead } from "@/components/PageHead";
import { ProblemNotice } from "@/components/ProblemNotice";
import { Said } from "@/components/Said";
import { Waiting } from "@/components/Waiting";
import { t } from "@/words";
import { CpsCheck } from "./CpsCheck";
import { Desk } from "./Desk";
import { QueueEnd } from "./QueueEnd";
import { progressOf } from "./queue";

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
  const reserve = useReserveItem();
  const places = query.data?.places ?? [];
  // The address keeps the place, so that a reload and a shared link open the same answer.
  const go = (to: number) =>
    void navigate({ search: { rater, at: Math.max(0, Math.min(to, places.length)) + 1 }, replace: true });
  const handOut = (after: string | null) =>
    reserve.mutate(
      { params: { path: { draw_id: draw } }, body: { rater, after } },
      {
        onSuccess: ({ place }) => {
          const found = places.findIndex(({ item }) => item === place);
          go(found === -1 ? places.length : found);
        },
      },
    );
  const isNew = query.data !== undefined && at === undefined && reserve.isIdle;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the server chooses the first answer once
  useEffect(() => {
    if (isNew) handOut(null);
  }, [isNew]);
  if (reserve.isError) {
    return <ProblemNotice error={reserve.error} onRetry={() => handOut(null)} />;
  }
  if (query.isPending || (query.data && at === undefined)) return <Waiting height={320} />;
  if (!query.data) return <NoPage error={query.error} onRetry={() => query.refetch()} />;
  const { column, summary, levels } = query.data;
  const place = Math.min((at ?? 1) - 1, places.length);
  const here = places[place];
  const { total, rated, skipped } = progressOf(places, place);
  const goOn = () => {
    if (places[place + 1]?.is_rated) go(place + 1);
    else handOut(here?.item ?? null);
  };
  return (
    <>
      <PageHead title={t("Rate answers: {column}", { column })} lead={<Said text={summary} />} />
      <Stack gap="md">
        <Text size="sm" role="status">
          {t("{rated, number} of {total, number} rated, {skipped, number} skipped", {
            rated,
            total,
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
            onNext={goOn}
          />
        ) : (
          <QueueEnd
            places={places}
            isBusy={reserve.isPending}
            done={t("You have rated all answers of this draw. Thank you.")}
            onNext={() => query.refetch().then(() => handOut(null))}
          />
        )}
      </Stack>
    </>
  );
}
