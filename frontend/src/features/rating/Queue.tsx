import { Stack } from "@mantine/core";
import { type ReactNode, useEffect } from "react";
import { ProblemNotice } from "@/components/ProblemNotice";
import { Quiet } from "@/components/Quiet";
import { Waiting } from "@/components/Waiting";
import { t } from "@/words";
import { QueueEnd } from "./QueueEnd";
import { progressOf, type QueuePlace } from "./queue";

interface Steps {
  /** The open place, from 0. */
  place: number;
  onBack: (() => void) | undefined;
  onNext: () => void;
}

interface Props<Place extends QueuePlace> {
  places: readonly Place[];
  /** The open place, from 0; undefined until the server has handed one out. */
  place: number | undefined;
  onPlace: (place: number) => void;
  /** The request for a place. */
  reserve: { isPending: boolean; isError: boolean; error: unknown };
  /** Have the server hand out the next place after one: it knows what is rated, and what other raters have open. */
  handOut: (after: string | null, found: (id: string | null) => void) => void;
  /** Read again what is rated. */
  reload: () => Promise<unknown>;
  /** What is said when nothing is left. */
  done: string;
  children: (here: Place, steps: Steps) => ReactNode;
}

/** The walk of a rater through answers or pairs of answers: one at a time, back to correct a slip, on to the next. */
export function Queue<Place extends QueuePlace>(props: Props<Place>) {
  const { places, place, onPlace, reserve, reload, done, children } = props;
  const handOut = (after: string | null) =>
    props.handOut(after, (id) => {
      const found = places.findIndex((each) => each.id === id);
      onPlace(found === -1 ? places.length : found);
    });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the server chooses the first place once
  useEffect(() => {
    if (place === undefined) handOut(null);
  }, []);
  if (reserve.isError) return <ProblemNotice error={reserve.error} onRetry={() => handOut(null)} />;
  if (place === undefined) return <Waiting height={320} />;
  const here = places[place];
  const goOn = () => {
    if (places[place + 1]?.is_rated) onPlace(place + 1);
    else handOut(here?.id ?? null);
  };
  const { total, rated, skipped } = progressOf(places, place);
  return (
    <Stack gap="md">
      <Quiet role="status">
        {t("{rated, number} of {total, number} rated, {skipped, number} skipped", { rated, total, skipped })}
      </Quiet>
      {here ? (
        children(here, { place, onBack: place > 0 ? () => onPlace(place - 1) : undefined, onNext: goOn })
      ) : (
        <QueueEnd
          places={places}
          isBusy={reserve.isPending}
          done={done}
          onBack={() => onPlace(places.length - 1)}
          onNext={() => reload().then(() => handOut(null))}
        />
      )}
    </Stack>
  );
}
