import { Anchor, Group, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { client } from "@/api/client";
import type { TimingComparison, TimingReport } from "@/api/types";
import {
  formatCount,
  formatDifference,
  formatP,
  formatScore,
  formatShare,
} from "@/components/numbers/format";
import { Num } from "@/components/numbers/Num";
import { Panel } from "@/components/Panel";
import { GoalLink } from "@/components/results/GoalLink";
import { ofRun } from "@/components/results/goals";
import { formatOf, isFigure } from "@/components/results/timings";
import { cell, NumberHead, Sheet } from "@/components/Sheet";
import { saveBlob } from "@/figures/save";
import { words } from "@/words";
import classes from "./analysis.module.css";
import type { Asked } from "./margins";

const label = words.analysis.times;
const FORMATS = { csv: ["CSV", "csv"], xlsx: ["XLSX", "xlsx"], latex: ["LaTeX", "tex"] } as const;

type Configuration = TimingComparison["configurations"][number];
type Compared = Configuration["figures"][number];
type Timed = TimingReport["configurations"][number];
type Equivalence = Compared["equivalence"];

interface Props {
  compared: TimingComparison;
  here: TimingReport;
  there: TimingReport;
  /** What the server was asked; it is asked the same for a file. */
  body: Asked;
}

/** Each configuration that both have: medians with their spread, ratios, and whether they are shown to be the same. */
export function TimeRatios({ compared, here, there, body }: Props) {
  const { configurations, only_here, only_there } = compared;
  const measured = configurations.filter(({ figures }) => figures.length > 0);
  return (
    <>
      <Panel title={label.result} beside={measured.length > 0 && <Save here={compared.here} body={body} />}>
        {configurations.length === 0 && <Text>{label.nothing}</Text>}
        {configurations.length > 0 && measured.length === 0 && <Text>{label.noFigures}</Text>}
        {measured.length > 0 && <Ratios configurations={measured} here={here} there={there} />}
        {only_here.length > 0 && <Text size="sm">{label.onlyHere(only_here.join(", "))}</Text>}
        {only_there.length > 0 && <Text size="sm">{label.onlyThere(only_there.join(", "))}</Text>}
      </Panel>
      {configurations.length > 0 && <Answers configurations={configurations} />}
    </>
  );
}

function Save({ here, body }: { here: string; body: Asked }) {
  const save = useMutation({
    mutationFn: async (format: keyof typeof FORMATS) => {
      const { data } = await client.POST("/api/v1/sweeps/{sweep_id}/timings/comparisons/export", {
        params: { path: { sweep_id: here }, query: { format } },
        body,
        parseAs: "blob",
      });
      saveBlob(data as unknown as Blob, `${here}-timings-compared.${FORMATS[format][1]}`);
    },
  });
  return (
    <Group gap={8}>
      {(Object.keys(FORMATS) as (keyof typeof FORMATS)[]).map((format) => (
        <Anchor
          key={format}
          component="button"
          type="button"
          size="sm"
          aria-label={label.saveAs(FORMATS[format][0])}
          onClick={() => save.mutate(format)}
        >
          {FORMATS[format][0]}
        </Anchor>
      ))}
    </Group>
  );
}

interface RatiosProps {
  configurations: Configuration[];
  here: TimingReport;
  there: TimingReport;
}

function Ratios({ configurations, here, there }: RatiosProps) {
  return (
    <Sheet label={label.result} pinned bounded>
      <thead>
        <tr>
          <th scope="col">{label.configuration}</th>
          <th scope="col">{label.figure}</th>
          <NumberHead name={label.medianHere} title={label.medianTitle} />
          <NumberHead name={label.medianThere} title={label.medianTitle} />
          <NumberHead name={label.ratio} title={label.ratioTitle} />
          <th scope="col" className={cell.number}>
            {label.interval}
          </th>
          <NumberHead name={label.same} title={label.sameTitle} />
          <NumberHead name={label.pairs} title={label.pairsTitle} />
        </tr>
      </thead>
      <tbody>
        {configurations.flatMap((configuration) => {
          const [ours, theirs] = [timedIn(here, configuration), timedIn(there, configuration)];
          return configuration.figures.map((figure) => (
            <Line
              key={`${configuration.model} ${configuration.name} ${figure.figure}`}
              configuration={configuration}
              figure={figure}
              ours={ours}
              theirs={theirs}
            />
          ));
        })}
      </tbody>
    </Sheet>
  );
}

function timedIn({ configurations }: TimingReport, { name, model }: Configuration): Timed | undefined {
  return configurations.find((each) => each.name === name && each.model === model);
}

interface LineProps {
  configuration: Configuration;
  figure: Compared;
  ours: Timed | undefined;
  theirs: Timed | undefined;
}

function Line({ configuration, figure, ours, theirs }: LineProps) {
  const { figure: name, ratio, ci, equivalence, n_pairs } = figure;
  const format = isFigure(name) ? formatOf(name) : formatScore;
  const run = ours?.run_ids[0];
  return (
    <tr>
      <th scope="row">
        <GoalLink goal={run === undefined ? undefined : ofRun(run)}>{configuration.name}</GoalLink>
        <Text size="xs" c="var(--quiet)">
          {configuration.model}
        </Text>
      </th>
      <td>{isFigure(name) ? <Named name={name} /> : name}</td>
      <Median value={figure.here} spread={ours?.figures[name]} format={format} />
      <Median value={figure.there} spread={theirs?.figures[name]} format={format} />
      <td className={cell.number}>{formatScore(ratio, 3)}</td>
      <td className={cell.number}>
        {ci ? words.numbers.range(formatScore(ci.low, 3), formatScore(ci.high, 3)) : <TooFew />}
      </td>
      <td className={cell.number}>
        <Same equivalence={equivalence} />
      </td>
      <td className={cell.number}>{formatCount(n_pairs)}</td>
    </tr>
  );
}

function Named({ name }: { name: keyof typeof words.sweep.timingFigures }) {
  const [short, long] = words.sweep.timingFigures[name];
  return <abbr title={long}>{short}</abbr>;
}

function TooFew() {
  return <Num value={null} reason={label.tooFew} format={String} />;
}

interface MedianProps {
  value: number;
  spread: Timed["figures"][string] | undefined;
  format: (value: number) => string;
}

function Median({ value, spread, format }: MedianProps) {
  return (
    <td className={cell.number}>
      {format(value)}
      {spread && (
        <Text size="xs" c="var(--quiet)">
          {words.numbers.range(format(spread.q1), format(spread.q3))}
        </Text>
      )}
    </td>
  );
}

function Same({ equivalence: { p, equivalent } }: { equivalence: Equivalence }) {
  if (p === null || equivalent === null) return <TooFew />;
  return equivalent ? label.isSame(told(p)) : label.isNotSame(told(p));
}

/** `= .012`, and `< .001` below that. */
function told(p: number): string {
  const text = formatP(p);
  return text.startsWith("<") ? text : `= ${text}`;
}

/** Whether both machines say the same, in texts and in scores. */
function Answers({ configurations }: { configurations: Configuration[] }) {
  return (
    <Panel title={label.answers}>
      <Sheet label={label.identical}>
        <thead>
          <tr>
            <th scope="col">{label.configuration}</th>
            <th scope="col" className={cell.number}>
              {label.identical}
            </th>
          </tr>
        </thead>
        <tbody>
          {configurations.map(({ name, model, answers, identical, identical_share }) => (
            <tr key={`${model} ${name}`}>
              <th scope="row">
                {name}
                <Text size="xs" c="var(--quiet)">
                  {model}
                </Text>
              </th>
              <td className={cell.number}>
                <Num value={identical_share} reason={label.noAnswers} format={formatShare} />
                <Text size="xs" c="var(--quiet)">
                  {label.identicalOf(formatCount(identical), formatCount(answers))}
                </Text>
              </td>
            </tr>
          ))}
        </tbody>
      </Sheet>
      {configurations
        .filter(({ scores }) => scores.length > 0)
        .map((configuration) => (
          <Scores key={`${configuration.model} ${configuration.name}`} configuration={configuration} />
        ))}
    </Panel>
  );
}

function Scores({ configuration: { name, model, scores } }: { configuration: Configuration }) {
  const title = `${name}, ${model}`;
  return (
    <details className={classes.more}>
      <summary>{title}</summary>
      <Sheet label={title} bounded>
        <thead>
          <tr>
            <th scope="col">{label.metric}</th>
            <NumberHead name={label.difference} title={label.differenceTitle} />
            <th scope="col" className={cell.number}>
              {label.interval}
            </th>
            <NumberHead name={label.same} title={label.sameTitle} />
            <NumberHead name={label.pairs} title={label.pairsTitle} />
          </tr>
        </thead>
        <tbody>
          {scores.map(({ metric, mean_difference, ci, equivalence }) => (
            <tr key={metric}>
              <th scope="row">{metric}</th>
              <td className={cell.number}>{formatDifference(mean_difference)}</td>
              <td className={cell.number}>
                {ci ? words.numbers.range(formatDifference(ci.low), formatDifference(ci.high)) : <TooFew />}
              </td>
              <td className={cell.number}>
                <Same equivalence={equivalence} />
              </td>
              <td className={cell.number}>{formatCount(equivalence.n_pairs)}</td>
            </tr>
          ))}
        </tbody>
      </Sheet>
    </details>
  );
}
