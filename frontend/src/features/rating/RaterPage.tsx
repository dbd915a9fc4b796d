import { Button, Group, Stack, Text, Title } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { choiceOf, next, sheetQueries, useChoice, useReservePair } from "@/api/rating";
import type { ShownPair } from "@/api/types";
import { LanguageChoice } from "@/components/LanguageChoice";
import { ProblemNotice } from "@/components/ProblemNotice";
import { QueryState } from "@/components/QueryState";
import { Quiet } from "@/components/Quiet";
import { useShortcuts } from "@/components/shortcuts";
import { t } from "@/words";
import { GradeFields } from "./GradeFields";
import { Queue } from "./Queue";
import type { QueuePlace } from "./queue";
import classes from "./rating.module.css";
import { ShownAnswer } from "./ShownAnswer";

type Choice = NonNullable<ShownPair["choice"]>;

/** Keys, in the order of the buttons. */
const CHOICES: [key: string, choice: Choice, label: string][] = [
  ["1", "first", t("Answer 1 is better")],
  ["2", "second", t("Answer 2 is better")],
  ["0", "tie", t("Equally good")],
  ["3", "both_bad", t("Both are bad")],
  ["4", "cannot_tell", t("Cannot tell", {}, "rater")],
];

/**
 * The page of a rater's link: pairs of answers, and nothing else of the installation. It stands outside the shell and
 * its routes, because the rater needs no account and may see neither runs nor models nor what others have chosen.
 */
export function RaterPage() {
  useEffect(() => {
    document.title = t("Which answer is better?");
    // Another link in the same tab changes only what comes after the #.
    const reopen = () => globalThis.location.reload();
    globalThis.addEventListener("hashchange", reopen);
    return () => globalThis.removeEventListener("hashchange", reopen);
  }, []);
  const query = useQuery(sheetQueries.sheet());
  return (
    <main className={classes.sheet}>
      <Group justify="space-between" align="flex-start" gap="sm" mb="md">
        <Title order={1}>{t("Which answer is better?")}</Title>
        <LanguageChoice />
      </Group>
      <QueryState query={query} height={320} />
      {query.data && <Sheet places={query.data.places} />}
    </main>
  );
}

function Sheet({ places }: { places: QueuePlace[] }) {
  const cache = useQueryClient();
  const reserve = useReservePair();
  const [place, setPlace] = useState<number>();
  const reload = () => cache.invalidateQueries({ queryKey: sheetQueries.sheet().queryKey });
  return (
    <Queue
      places={places}
      place={place}
      onPlace={setPlace}
      reserve={reserve}
      handOut={(after, found) =>
        reserve.mutate(next(after), { onSuccess: ({ place: id }) => found(id ?? null) })
      }
      reload={reload}
      done={t("You have rated all pairs. Thank you. You can close this page.")}
    >
      {({ id, is_rated }, { place, onBack, onNext }) => (
        <Pair
          key={id}
          id={id}
          label={t("Pair {place, number} of {total, number}", { place: place + 1, total: places.length })}
          onChosen={() => reload().then(onNext)}
          onBack={onBack}
          onNext={onNext}
          isRated={is_rated}
        />
      )}
    </Queue>
  );
}

interface PairProps {
  id: string;
  label: string;
  onChosen: () => void;
  onBack: (() => void) | undefined;
  onNext: () => void;
  isRated: boolean;
}

function Pair({ id, label, onChosen, onBack, onNext, isRated }: PairProps) {
  const query = useQuery(sheetQueries.pair(id));
  const choose = useChoice();
  const cache = useQueryClient();
  const part = useRef<HTMLElement>(null);
  const isShown = query.data !== undefined;
  const [graded, setGraded] = useState<ShownPair["grades"]>({});
  const grades = { ...(query.data?.grades ?? { first: {}, second: {} }), ...graded };
  // The next pair is read from its question, and by those who do not see it as well.
  useEffect(() => {
    if (isShown) part.current?.focus({ preventScroll: true });
  }, [isShown]);
  const save = (choice: Choice) => {
    if (!isShown || choose.isPending) return;
    choose.mutate(
      { params: choiceOf(id), body: { choice, grades } },
      {
        onSuccess: (saved) => {
          cache.setQueryData(sheetQueries.pair(id).queryKey, saved);
          globalThis.scrollTo({ top: 0 });
          onChosen();
        },
      },
    );
  };
  useShortcuts([
    ...CHOICES.map(([key, choice]): [string, () => void] => [key, () => save(choice)]),
    ["u", () => onBack?.()],
    ["ArrowLeft", () => onBack?.()],
    ["ArrowRight", onNext],
  ]);
  if (query.isError || !query.data) return <QueryState query={query} height={320} />;
  const { question, first, second, passages, aspects, choice: own } = query.data;
  return (
    <section ref={part} className={classes.texts} aria-label={label} tabIndex={-1}>
      <Stack gap="md">
        <Text size="lg" className={classes.text ?? ""}>
          {question}
        </Text>
        <div className={classes.pair}>
          <ShownAnswer title={t("Answer 1")} text={first}>
            <GradeFields
              answer={t("Answer 1")}
              aspects={aspects}
              grades={grades.first ?? {}}
              onGrade={(given) => setGraded({ ...graded, first: given })}
            />
          </ShownAnswer>
          <ShownAnswer title={t("Answer 2")} text={second}>
            <GradeFields
              answer={t("Answer 2")}
              aspects={aspects}
              grades={grades.second ?? {}}
              onGrade={(given) => setGraded({ ...graded, second: given })}
            />
          </ShownAnswer>
        </div>
        {aspects.length > 0 && (
          <Text size="sm">
            {t("Grade both answers first. Your choice below saves the grades and shows the next pair.")}
          </Text>
        )}
        <ProblemNotice error={choose.error} />
        <Group gap="xs" className={classes.choices ?? ""}>
          {CHOICES.map(([key, choice, text]) => (
            <Button
              key={choice}
              variant={own === choice ? "filled" : "default"}
              aria-pressed={own === choice}
              leftSection={key}
              onClick={() => save(choice)}
            >
              {text}
            </Button>
          ))}
        </Group>
        <Group gap="xs">
          <Button variant="default" onClick={onBack} disabled={!onBack}>
            {t("Back")}
          </Button>
          <Button variant="default" onClick={onNext}>
            {isRated ? t("Next pair") : t("Skip pair")}
          </Button>
        </Group>
        <Quiet size="xs">
          {t("Keys: press the digit on a button to choose it, u or ← to go back, → to skip or continue")}
        </Quiet>
        {passages.length > 0 && (
          <details>
            <summary>
              {t("{count, plural, one {# passage} other {# passages}} available for the answers", {
                count: passages.length,
              })}
            </summary>
            <ol className={classes.passages}>
              {passages.map((text) => (
                <li key={text}>{text}</li>
              ))}
            </ol>
          </details>
        )}
      </Stack>
    </section>
  );
}
