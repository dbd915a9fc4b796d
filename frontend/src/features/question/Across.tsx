import { Checkbox, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { sweepQueries } from "@/api/sweeps";
import type { AnswerAcross } from "@/api/types";
import { differences } from "@/components/evaluation/differences";
import { bindTick } from "@/components/fields";
import { SmallLink } from "@/components/links";
import { isMarkdown, Markdown, withoutMarkdown } from "@/components/Markdown";
import { formatScore, NONE } from "@/components/numbers/format";
import { CPS, formatValue, type Range, useMetricScale } from "@/components/numbers/metricFormat";
import { Panel } from "@/components/Panel";
import { Quiet } from "@/components/Quiet";
import { ServerText } from "@/components/ServerText";
import { t } from "@/words";
import classes from "./Across.module.css";
import { type AcrossProps, baselineOf, endsOf, furthestRank, type SameAnswer, sameAnswers } from "./across";
import { judgedLines, type Measure, measuresOf } from "./measures";
import { RankBar } from "./RankBar";

/** All answers to the question, equal ones once, each with what changed from the baseline's. */
export function Across({ sweep, run, number, profile }: AcrossProps) {
  const { data } = useQuery(sweepQueries.question(sweep, number));
  const [isCompared, setCompared] = useState(true);
  const { range } = useMetricScale(profile, data?.metric ?? CPS);
  if (!data || data.items.length < 2) return null;
  const groups = sameAnswers(data.items);
  const base = baselineOf(data.items, run);
  const measures = measuresOf(data, range);
  const shown: Shown = {
    measures,
    range,
    ends: endsOf(data.items),
    most: furthestRank(data.items),
  };
  return (
    <Panel
      title={t("All configurations")}
      beside={
        <Checkbox size="xs" label={t("Changes from the baseline")} {...bindTick(isCompared, setCompared)} />
      }
    >
      <Quiet>
        {t(
          "{answers, plural, one {# answer} other {# different answers}} of {count, plural, one {# configuration} other {# configurations}}.",
          { answers: groups.length, count: data.items.length },
        )}
      </Quiet>
      {data.items.some(({ ranks }) => ranks) && (
        <Quiet size="xs">
          {t("Bars: passages by rank, coloured up to the last one kept.")}
          {data.items.some(({ ranks }) => ranks?.gold.length) && ` ${t("Marks: gold passages.")}`}
        </Quiet>
      )}
      {data.withheld != null && (
        <Quiet>
          <ServerText text={data.withheld} />
        </Quiet>
      )}
      {data.abstention != null && (
        <Quiet>
          <ServerText text={data.abstention} />
        </Quiet>
      )}
      <div className={classes.table} style={{ "--measures": measures.length } as object}>
        <Head measures={measures} judged={judgedLines(data.means?.judged ?? [])} />
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
      </div>
    </Panel>
  );
}

/** The name of each column with the mean of the whole sweep below it. */
function Head({ measures, judged }: { measures: readonly Measure[]; judged: readonly string[] }) {
  return (
    <div className={classes.head}>
      <div>
        {t("Configuration")}
        {measures.some(({ mean }) => mean !== null) && (
          <span className={classes.means}>{t("Mean of the sweep")}</span>
        )}
        {judged.map((line) => (
          <span key={line} className={classes.means}>
            {line}
          </span>
        ))}
      </div>
      {measures.map(({ label, mean }) => (
        <div key={label} className={classes.number}>
          {label}
          <span className={classes.means}>{mean}</span>
        </div>
      ))}
    </div>
  );
}

/** What all configurations share: the metric with its range, the axis of repetitions, the last rank shown. */
interface Shown {
  measures: readonly Measure[];
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
            <div className={classes.arm}>
              <SmallLink
                to="/runs/$id/questions/$number"
                params={{ id: item.column.run_id, number: String(number + 1) }}
                search={{}}
                resetScroll={false}
                fw={item.column.run_id === run ? 650 : 450}
              >
                {item.column.name}
              </SmallLink>
              <ArmMarks item={item} shown={shown} />
            </div>
            {shown.measures.map(({ label, value, note }) => (
              <span key={label} className={classes.number} data-label={label}>
                {value(item) ?? NONE}
                {note?.(item) && <span className={classes.note}>{note(item)}</span>}
              </span>
            ))}
          </li>
        ))}
      </ul>
      <div className={classes.answer}>
        {items.length > 1 && (
          <Quiet size="xs">{t("{count, number} configurations, same answer", { count: items.length })}</Quiet>
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

/** The ranking as a bar, what happened to the question, its repetitions, and what judges say. */
function ArmMarks({ item, shown: { range, ends, most } }: { item: AnswerAcross; shown: Shown }) {
  const { cell, ranks, repeats, judged } = item;
  const states = [
    cell.gold_lost && t("gold passage lost"),
    cell.state === "abstained" && t("abstained"),
    cell.state === "failed" && t("failed"),
  ].filter(Boolean);
  return (
    <>
      {ranks && <RankBar ranks={ranks} most={most} isLost={cell.gold_lost} />}
      {states.length > 0 && <span className={classes.note}>{states.join(" · ")}</span>}
      {cell.score != null && ends && repeats.length > 1 && (
        <RepeatsMark values={repeats} mean={cell.score} ends={ends} range={range} />
      )}
      {judgedLines(judged).map((line) => (
        <span key={line} className={classes.note}>
          {line}
        </span>
      ))}
    </>
  );
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

interface RepeatsMarkProps {
  /** Scores of the repetitions. */
  values: readonly number[];
  mean: number;
  /** Smallest and largest value of all configurations, which share the axis. */
  ends: readonly [number, number];
  range: Range;
}

const WIDTH = 132;
const HEIGHT = 14;
const EDGE = 4;

/** The repetitions of a question as small dots, and their mean as a tick. */
function RepeatsMark({ values, mean, ends: [low, high], range }: RepeatsMarkProps) {
  const share = (value: number) => (high > low ? (value - low) / (high - low) : 0.5);
  const x = (value: number) => EDGE + share(value) * (WIDTH - 2 * EDGE);
  const label = t("Repetitions {values}; mean {mean}", {
    values: values.map((value) => formatValue(value, range)).join(", "),
    mean: formatScore(mean, range ? 3 : 1),
  });
  return (
    <svg width={WIDTH} height={HEIGHT} role="img" aria-label={label} className={classes.repeats}>
      <title>{label}</title>
      <line x1={x(mean)} x2={x(mean)} y1={0} y2={HEIGHT} className={classes.mean} />
      {values.map((value, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: repetitions have no other name than their place
        <circle key={place} cx={x(value)} cy={HEIGHT / 2} r={2.5} />
      ))}
    </svg>
  );
}
