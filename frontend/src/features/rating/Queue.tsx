import { Button, Group, Stack, Text } from "@mantine/core";
import { type ReactNode, useEffect } from "react";
import { useLeftFocus } from "@/components/focus";
import { Note } from "@/components/Note";
import { ProblemNotice } from "@/components/ProblemNotice";
import { Quiet } from "@/components/Quiet";
import { useShortcuts } from "@/components/shortcuts";
import { Waiting } from "@/components/Waiting";
import { t } from "@/words";
import { leftOf, progressOf, type QueuePlace } from "./queue";

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

interface QueueEndProps {
  places: readonly QueuePlace[];
  isBusy: boolean;
  /** What is said when nothing is left. */
  done: string;
  onNext: () => void;
  onBack: () => void;
}

/** The end of a rater's list: nothing is left, something was skipped, or other raters have the rest open. */
export function QueueEnd({ places, isBusy, done, onNext, onBack }: QueueEndProps) {
  const { free, reserved } = leftOf(places);
  const isDone = free + reserved === 0;
  const part = useLeftFocus<HTMLDivElement>();
  useShortcuts([
    ["u", onBack],
    ["ArrowLeft", onBack],
  ]);
  return (
    <Note role="status">
      <Stack ref={part} tabIndex={-1} gap="xs" align="flex-start">
        {isDone && <Text>{done}</Text>}
        {free > 0 && (
          <Text>
            {t(
              "This is the end of the list. {free, plural, one {# answer is} other {# answers are}} not rated yet.",
              { free },
            )}
          </Text>
        )}
        {reserved > 0 && (
          <Text>
            {t(
              "{reserved, plural, one {# answer is} other {# answers are}} reserved for another rater, for 10 minutes at most.",
              { reserved },
            )}
          </Text>
        )}
        <Group gap="xs">
          {!isDone && (
            <Button variant="default" loading={isBusy} onClick={onNext}>
              {t("Rate the next answer")}
            </Button>
          )}
          <Button variant="default" onClick={onBack}>
            {t("Back to the previous one")}
          </Button>
        </Group>
      </Stack>
    </Note>
  );
}
