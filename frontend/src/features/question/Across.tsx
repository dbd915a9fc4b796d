import { Checkbox, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { sweepQueries } from "@/api/sweeps";
import type { AnswerAcross, QuestionAcross, SweepMeans } from "@/api/types";
import { differences } from "@/components/evaluation/differences";
import { AnchorLink } from "@/components/links";
import { isMarkdown, Markdown, withoutMarkdown } from "@/components/Markdown";
import { formatDuration, formatScore, NONE } from "@/components/numbers/format";
import { CPS, formatGain, formatValue, type Range, useMetricScale } from "@/components/numbers/metricFormat";
import { Panel } from "@/components/Panel";
import { Said } from "@/components/Said";
import { t } from "@/words";
import { reasonOf } from "@/words/reasons";
import classes from "./Across.module.css";
import { type AcrossProps, baselineOf, endsOf, furthestRank, type SameAnswer, sameAnswers } from "./across";
import { RankBar } from "./RankBar";
import { RepeatsMark } from "./RepeatsMark";

/** All answers to the question, equal ones once, each with what changed from the baseline's. */
export function Across({ sweep, run, number, profile }: AcrossProps) {
  const { data } = useQuery(sweepQueries.question(sweep, number));
  const [isCompared, setCompared] = useState(true);
  const { range } = useMetricScale(profile, data?.metric ?? CPS);
  if (!data || data.items.length < 2) return null;
  const groups = sameAnswers(data.items);
  const base = baselineOf(data.items, run);
  const shown: Shown = {
    metric: data.metric,
    range,
    ends: endsOf(data.items),
    most: furthestRank(data.items),
  };
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
        <Head across={data} range={range} />
        {groups.map((group) => (
          <Group
            key={group.items[0]?.column.run_id}
            group={group}
            base={isCompared ? base : undefined}
            run={run}
            number={number}
            shown={shown}
          />
        ))}
      </Stack>
    </Panel>
  );
}

/** The names of both columns, and the means of the whole sweep below the first. */
function Head({ across: { metric, means, withheld }, range }: HeadProps) {
  return (
    <div className={classes.head}>
      <div>
        {t("Configuration")}
        {withheld != null ? (
          <span className={classes.means}>
            <Said text={withheld} />
          </span>
        ) : (
          means != null && (
            <span className={classes.means}>
              {`${t("Mean of the sweep")}: ${factsOf(means, metric, range).filter(Boolean).join(" · ")}`}
            </span>
          )
        )}
      </div>
      <div className={classes.answerHead}>{t("Answer")}</div>
    </div>
  );
}

/** The same facts, in the same order, as beside each configuration. */
function factsOf(means: SweepMeans, metric: string, range: Range): (string | false)[] {
  const { kept, score, prompt_tokens: tokens, generation_s: seconds, judged } = means;
  return [
    kept != null && t("{count} passages", { count: formatScore(kept, 1) }),
    score != null && `${metric} ${formatValue(score, range)}`,
    tokens != null && t("{count, number} tokens", { count: Math.round(tokens) }),
    seconds != null && formatDuration(seconds),
    ...judged.map(
      ({ column, judge, value }) => value != null && `${judge}: ${column} ${formatScore(value, 2)}`,
    ),
  ];
}

interface HeadProps {
  across: QuestionAcross;
  range: Range;
}

/** What all configurations share: the metric with its range, the axis of repetitions, the last rank shown. */
interface Shown {
  metric: string;
  range: Range;
  ends: readonly [number, number] | null;
  most: number;
}

interface GroupProps {
  group: SameAnswer;
  /** Whose answer this one is compared with. */
  base: AnswerAcross | undefined;
  run: string;
  number: number;
  shown: Shown;
}

function Group({ group: { answer, items }, base, run, number, shown }: GroupProps) {
  const isBase = items.some(({ column }) => column.run_id === base?.column.run_id);
  return (
    <article className={classes.group}>
      <ul className={classes.arms}>
        {items.map((item) => (
          <li key={item.column.run_id}>
            <AnchorLink
              to="/runs/$id/questions/$number"
              params={{ id: item.column.run_id, number: String(number + 1) }}
              search={{}}
              resetScroll={false}
              size="sm"
              fw={item.column.run_id === run ? 650 : 450}
            >
              {item.column.name}
            </AnchorLink>
            <ArmFacts item={item} shown={shown} />
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
          <Changed from={plain(base.answer)} to={plain(answer)} />
        ) : (
          <Markdown text={answer} />
        )}
      </div>
    </article>
  );
}

/** The ranking as a bar, the primary metric with its repetitions, what judges say, tokens and seconds. */
function ArmFacts({ item, shown: { metric, range, ends, most } }: { item: AnswerAcross; shown: Shown }) {
  const { column, cell, ranks, repeats, judged, prompt_tokens: tokens, generation_s: seconds } = item;
  const { score, gain } = cell;
  return (
    <>
      {ranks && <RankBar ranks={ranks} most={most} isLost={cell.gold_lost} />}
      <span className={classes.numbers}>
        {[
          t("{count, plural, one {# passage} other {# passages}}", { count: cell.kept }),
          cell.gold_lost && t("gold passage lost"),
          cell.state === "abstained" && t("abstained"),
          cell.state === "failed" && t("failed"),
          score != null && scoreOf(metric, formatValue(score, range), column.mean, range),
          gain != null &&
            (range
              ? t("{gain} points", { gain: formatGain(gain, range, 1) })
              : t("gain {gain}", { gain: formatGain(gain, range) })),
          tokens != null && t("{count, plural, one {# token} other {# tokens}}", { count: tokens }),
          seconds != null && seconds > 0 && formatDuration(seconds),
        ]
          .filter(Boolean)
          .join(" · ")}
      </span>
      {score != null && ends && repeats.length > 1 && (
        <RepeatsMark values={repeats} mean={score} ends={ends} range={range} />
      )}
      {judged.map(({ column: name, judge, value, reason }) => (
        <span key={name} className={classes.numbers}>
          {`${judge}: ${name} ${value == null ? (reason ? reasonOf(reason) : NONE) : formatScore(value, 2)}`}
        </span>
      ))}
    </>
  );
}

/** The metric of this question and, where it is known, the mean over all questions of the sweep. */
function scoreOf(metric: string, score: string, mean: number | null | undefined, range: Range): string {
  return mean == null
    ? `${metric} ${score}`
    : t("{metric} {score} (mean {mean})", { metric, score, mean: formatValue(mean, range) });
}

/** An answer to be compared word by word: signs of Markdown are no words. */
function plain(answer: string): string {
  return isMarkdown(answer) ? withoutMarkdown(answer) : answer;
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
