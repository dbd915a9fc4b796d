import { Checkbox, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import clsx from "clsx";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { sweepQueries } from "@/api/sweeps";
import type { AnswerAcross } from "@/api/types";
import { differences } from "@/components/evaluation/differences";
import { AnchorLink } from "@/components/links";
import { formatDifference, formatDuration, formatScore } from "@/components/numbers/format";
import { Panel } from "@/components/Panel";
import { t } from "@/words";
import classes from "./Across.module.css";
import { baselineOf, type SameAnswer, sameAnswers } from "./across";

interface Props {
  sweep: string;
  /** The run whose answer the page shows. */
  run: string;
  /** The question's place, from 0. */
  number: number;
}

const POINT = 0.01;
const FIRST_WORDS = 60;

/** A strip of the sweep's configurations; arrows walk it while it has the focus. */
export function Strip({ sweep, run, number }: Props) {
  const { data } = useQuery(sweepQueries.question(sweep, number));
  const strip = useRef<HTMLElement>(null);
  // The page's own configuration may be the last of many.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the strip comes with its data, and moves with the run
  useEffect(() => {
    const here = strip.current?.querySelector<HTMLElement>("[aria-current]");
    if (here && strip.current)
      strip.current.scrollLeft = here.offsetLeft - strip.current.offsetLeft - here.clientWidth;
  }, [run, data]);
  if (!data || data.items.length < 2) return null;
  return (
    <nav ref={strip} aria-label={t("Configurations of the sweep")} className={classes.strip} onKeyDown={walk}>
      {data.items.map(({ column, cell, answer }) => (
        <AnchorLink
          key={column.run_id}
          to="/runs/$id/questions/$number"
          params={{ id: column.run_id, number: String(number + 1) }}
          search={{}}
          resetScroll={false}
          underline="never"
          className={clsx(classes.stop, column.run_id === run && classes.here)}
          aria-current={column.run_id === run ? "page" : undefined}
        >
          <span className={classes.name}>{column.name}</span>
          <span className={classes.facts}>
            {[
              scoreOf(cell.score),
              t("{count, plural, one {# passage} other {# passages}}", { count: cell.kept }),
            ]
              .filter(Boolean)
              .join(" · ")}
          </span>
          <span className={classes.words}>{answer?.slice(0, FIRST_WORDS) ?? t("No answer")}</span>
        </AnchorLink>
      ))}
    </nav>
  );
}

/** To the neighbour within the strip; the page's own arrow keys go to other questions. */
function walk(event: KeyboardEvent<HTMLElement>) {
  if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
  const stops = [...event.currentTarget.querySelectorAll("a")];
  const here = stops.indexOf(event.target as HTMLAnchorElement);
  event.preventDefault();
  event.stopPropagation();
  stops[here + (event.key === "ArrowRight" ? 1 : -1)]?.focus();
}

/** All answers to the question, equal ones once, each with what changed from the baseline's. */
export function Across({ sweep, run, number }: Props) {
  const { data } = useQuery(sweepQueries.question(sweep, number));
  const [isCompared, setCompared] = useState(true);
  if (!data || data.items.length < 2) return null;
  const groups = sameAnswers(data.items);
  const base = baselineOf(data.items, run);
  const most = Math.max(1, ...data.items.map(({ cell }) => cell.kept));
  return (
    <Panel
      title={t("All configurations")}
      beside={
        <Checkbox
          size="xs"
          label={t("Changes from the baseline")}
          checked={isCompared}
          onChange={(event) => setCompared(event.currentTarget.checked)}
        />
      }
    >
      <Text size="sm" c="var(--quiet)">
        {t(
          "{answers, plural, one {# answer} other {# different answers}} of {count, plural, one {# configuration} other {# configurations}}.",
          {
            answers: groups.length,
            count: data.items.length,
          },
        )}
      </Text>
      <Stack gap={0}>
        {groups.map((group) => (
          <Group
            key={group.items[0]?.column.run_id}
            group={group}
            base={isCompared ? base : undefined}
            run={run}
            number={number}
            most={most}
          />
        ))}
      </Stack>
    </Panel>
  );
}

interface GroupProps {
  group: SameAnswer;
  /** Whose answer this one is compared with. */
  base: AnswerAcross | undefined;
  run: string;
  number: number;
  most: number;
}

function Group({ group: { answer, items }, base, run, number, most }: GroupProps) {
  const isBase = items.some(({ column }) => column.run_id === base?.column.run_id);
  return (
    <article className={classes.group}>
      <ul className={classes.arms}>
        {items.map(({ column, cell, prompt_tokens, generation_s }) => (
          <li key={column.run_id}>
            <AnchorLink
              to="/runs/$id/questions/$number"
              params={{ id: column.run_id, number: String(number + 1) }}
              search={{}}
              resetScroll={false}
              size="sm"
              fw={column.run_id === run ? 650 : 450}
            >
              {column.name}
            </AnchorLink>
            <span className={classes.bar} aria-hidden="true">
              <i style={{ width: `${(100 * cell.kept) / most}%` }} data-lost={cell.gold_lost || undefined} />
            </span>
            <span className={classes.numbers}>
              {[
                t("{count, plural, one {# passage} other {# passages}}", { count: cell.kept }),
                cell.gold_lost && t("gold passage lost"),
                cell.state === "abstained" && t("abstained"),
                scoreOf(cell.score, column.mean),
                cell.gain != null && t("{gain} points", { gain: formatDifference(cell.gain / POINT, 1) }),
                prompt_tokens != null &&
                  t("{count, plural, one {# token} other {# tokens}}", { count: prompt_tokens }),
                generation_s != null && generation_s > 0 && formatDuration(generation_s),
              ]
                .filter(Boolean)
                .join(" · ")}
            </span>
          </li>
        ))}
      </ul>
      <div className={classes.answer}>
        {items.length > 1 && (
          <Text size="xs" c="var(--quiet)">
            {t("{count, number} configurations, same answer", { count: items.length })}
          </Text>
        )}
        {answer === null ? (
          <Text c="var(--quiet)">{t("No answer")}</Text>
        ) : base?.answer != null && !isBase ? (
          <Changed from={base.answer} to={answer} />
        ) : (
          answer
        )}
      </div>
    </article>
  );
}

/** The CPS of this question and, where there is room, the mean over all questions of the sweep. */
function scoreOf(score: number | null | undefined, mean?: number | null): string | false {
  if (score == null) return false;
  const text = formatScore(score, 2);
  return mean == null
    ? t("CPS {score}", { score: text })
    : t("CPS {score} (mean {mean})", { score: text, mean: formatScore(mean, 2) });
}

/** The new words underlined and, before them, those that are gone struck out. */
function Changed({ from, to }: { from: string; to: string }) {
  const found = differences(from, to);
  if (!found) return to;
  const gone = found.reference.filter(({ isShared }) => !isShared);
  return (
    <>
      {found.answer.map(({ start, text, isShared }) =>
        isShared ? <span key={start}>{text}</span> : <ins key={start}>{text}</ins>,
      )}
      {gone.length > 0 && (
        <span className={classes.gone}>
          {gone.map(({ start, text }) => (
            <del key={start}>{text}</del>
          ))}
        </span>
      )}
    </>
  );
}
