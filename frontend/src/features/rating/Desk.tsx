import { Button, Group, Stack, Text, Textarea } from "@mantine/core";
import { getHotkeyHandler, useHotkeys } from "@mantine/hooks";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { judgingQueries, useRateItem } from "@/api/judging";
import type { RatingItem, RatingQueue } from "@/api/types";
import { bindText } from "@/components/fields";
import { Markdown } from "@/components/Markdown";
import { formatScore } from "@/components/numbers/format";
import { ProblemNotice } from "@/components/ProblemNotice";
import { Quoted } from "@/components/passages/Quoted";
import { QueryState } from "@/components/QueryState";
import { Quiet } from "@/components/Quiet";
import { ServerText } from "@/components/ServerText";
import { useShortcuts } from "@/components/shortcuts";
import { t } from "@/words";
import { reasonOf } from "@/words/reasons";
import classes from "./rating.module.css";
import { noteOf, REASONS, storedNote, toggledReason } from "./reasons";

/** Characters of all codes together, which are stored in front of the text. */
const MOST_CODES = 100;
const QUEUES = "/api/v1/labels/draws/{draw_id}";

interface Props {
  draw: string;
  item: string;
  rater: string;
  column: string;
  levels: RatingQueue["levels"];
  position: string;
  onBack: (() => void) | undefined;
  onNext: () => void;
}

/** One answer: what to read on the left, the rating on the right; on a phone one above the other. */
export function Desk({ draw, item, rater, column, levels, position, onBack, onNext }: Props) {
  const query = useQuery(judgingQueries.rating(draw, item, rater));
  const rate = useRateItem();
  const saved = rate.data ?? query.data;
  const [chosen, setChosen] = useState<number>();
  const [note, setNote] = useState<string>();
  const isRated = saved?.own != null;
  const written = note ?? saved?.own?.note ?? "";
  const { codes, text } = noteOf(written);
  const cache = useQueryClient();
  // The queue and its answers are on this page only, so they are not in the list of what changes outdate.
  const saveDone = () => {
    setChosen(undefined);
    return cache.invalidateQueries({
      predicate: ({ queryKey: [, path] }) => String(path).startsWith(QUEUES),
    });
  };
  const value = chosen ?? (saved?.own ?? saved?.equal)?.value;
  const isChanged = chosen !== undefined && chosen !== saved?.own?.value;
  const save = (given: number | undefined, afterJudge: boolean) => {
    if (given === undefined || rate.isPending) return;
    rate.mutate(
      {
        params: { path: { draw_id: draw, item } },
        body: { rater, value: given, note: written, after_judge: afterJudge },
      },
      { onSuccess: saveDone },
    );
  };
  const act = () => (isRated && !isChanged ? onNext() : save(value, isRated));
  useShortcuts([
    ...levels.map(({ value: level }, place): [string, () => void] => [
      String(place + 1),
      () => setChosen(level),
    ]),
    ["u", () => setChosen(undefined)],
    ["ArrowRight", onNext],
    ["ArrowLeft", () => onBack?.()],
  ]);
  useHotkeys([["mod+Enter", act]]);
  if (!saved) return <QueryState query={query} height={320} />;
  return (
    <div className={classes.desk}>
      <Texts item={saved} position={position} />
      <section className={classes.rating} aria-label={t("Your rating")}>
        <Stack gap="sm">
          <h2>{column}</h2>
          {/* biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be the column of buttons that keys choose from */}
          <div role="group" aria-label={t("Your rating")} className={classes.levels}>
            {levels.map(({ value: level, label }, place) => (
              <Button
                key={level}
                variant={value === level ? "filled" : "default"}
                aria-pressed={value === level}
                justify="flex-start"
                ta="left"
                leftSection={place + 1}
                onClick={() => setChosen(level)}
              >
                {label}
              </Button>
            ))}
          </div>
          <Reasons note={written} onChange={setNote} />
          <Textarea
            label={t("Note (optional)")}
            maxLength={2000 - MOST_CODES}
            autosize
            maxRows={4}
            {...bindText(text, (text) => setNote(storedNote({ codes, text })))}
            onKeyDown={getHotkeyHandler([["mod+Enter", act]])}
          />
          <ProblemNotice error={rate.error} />
          {saved.equal && (
            <Text size="sm">
              {t(
                "You rated an equal answer before: {value}. It differs only in texts that this metric does not read, such as the passages. Save the rating to confirm it, or choose another value.",
                { value: named(saved.equal.value, levels) },
              )}
            </Text>
          )}
          {saved.judge && (
            <Opinion
              saved={saved}
              levels={levels}
              onDecide={(decided) => save(decided, true)}
              isDecided={(saved.own?.revision ?? 1) > 1}
            />
          )}
          <Group gap="xs">
            <Button onClick={act} loading={rate.isPending} disabled={value === undefined}>
              {isRated && !isChanged ? t("Next answer") : t("Save rating")}
            </Button>
            <Button variant="default" onClick={onBack} disabled={!onBack}>
              {t("Back")}
            </Button>
            {!isRated && (
              <Button variant="default" onClick={onNext}>
                {t("Skip answer")}
              </Button>
            )}
          </Group>
          <Quiet size="xs">
            {t(
              "Keys: 1 to {last, number} rate, Ctrl+Enter save, again for the next answer, → skip, ← back, u clear choice",
              { last: levels.length },
            )}
          </Quiet>
        </Stack>
      </section>
    </div>
  );
}

function Texts({ item, position }: { item: RatingItem; position: string }) {
  const texts = useRef<HTMLElement>(null);
  // The next answer is read from its beginning, and by those who do not see it as well.
  useEffect(() => texts.current?.focus({ preventScroll: true }), []);
  const { question, reference, answer, passages, quotes } = item;
  return (
    // A part that scrolls on a phone has to be reached by the keyboard.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
    <section ref={texts} className={classes.texts} aria-label={position} tabIndex={0}>
      <Stack gap="sm">
        <Quiet>{position}</Quiet>
        <h2>{t("Question")}</h2>
        <p className={classes.text}>{question}</p>
        {reference && (
          <>
            <h2>{t("Reference answer")}</h2>
            <p className={classes.text}>{reference}</p>
          </>
        )}
        <h2>{t("Answer")}</h2>
        <div className={classes.text}>{answer ? <Markdown text={answer} /> : t("(empty answer)")}</div>
        <h2>{t("Passages")}</h2>
        {passages.length === 0 && <Text size="sm">{t("The model read no passages.")}</Text>}
        {passages.some((each) => quotes.some((quote) => quote !== "" && each.text.includes(quote))) && (
          <Quiet>{t("Gold passages of the dataset are marked.")}</Quiet>
        )}
        <ol className={classes.passages}>
          {passages.map(({ document, text }) => (
            <li key={text}>
              <span className={classes.source}>{document}</span>
              {"\n"}
              <Quoted text={text} document={document} quotes={quotes} />
            </li>
          ))}
        </ol>
      </Stack>
    </section>
  );
}

interface OpinionProps {
  saved: RatingItem;
  levels: RatingQueue["levels"];
  isDecided: boolean;
  onDecide: (value: number) => void;
}

/** The judge's value beside one's own, and what one makes of it. */
function Opinion({ saved: { judge, own }, levels, isDecided, onDecide }: OpinionProps) {
  if (!judge || !own) return null;
  const { value, reason, rationale } = judge;
  const differs = value !== null && value !== own.value;
  return (
    <Stack gap="xs" role="status">
      <Text size="sm">
        {value === null
          ? t("{judge} gave no value: {reason}", { judge: judge.judge, reason: reasonOf(reason) ?? "" })
          : t("{judge}: {value}. You: {own}.", {
              judge: judge.judge,
              value: named(value, levels),
              own: named(own.value, levels),
            })}
      </Text>
      {rationale.map((text) => (
        <Quiet key={text}>
          <ServerText text={text} />
        </Quiet>
      ))}
      {differs && !isDecided && (
        <Group gap="xs">
          <Button size="xs" variant="default" onClick={() => onDecide(value)}>
            {t("Agree with the judge")}
          </Button>
          <Button size="xs" variant="default" onClick={() => onDecide(own.value)}>
            {t("Keep my rating")}
          </Button>
        </Group>
      )}
      {isDecided && (
        <Quiet size="xs">{t("Saved. Only your first rating is used to calibrate the judge.")}</Quiet>
      )}
    </Stack>
  );
}

/** A value with its meaning: a person chooses by words, and a judge may give a value between two of them. */
function named(value: number, levels: RatingQueue["levels"]) {
  const label = levels.find((level) => level.value === value)?.label;
  return label === undefined ? formatScore(value, 2) : `${formatScore(value, 2)} (${label})`;
}

/** Frequent reasons of a rating; their codes are stored at the beginning of its note. */
function Reasons({ note, onChange }: { note: string; onChange: (note: string) => void }) {
  const { codes } = noteOf(note);
  return (
    <Group gap={6} role="group" aria-label={t("Reasons")}>
      {Object.entries(REASONS).map(([code, reason]) => (
        <Button
          key={code}
          size="compact-xs"
          variant={codes.includes(code) ? "filled" : "default"}
          aria-pressed={codes.includes(code)}
          onClick={() => onChange(toggledReason(note, code))}
        >
          {reason}
        </Button>
      ))}
    </Group>
  );
}
