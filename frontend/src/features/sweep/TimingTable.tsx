import { Text } from "@mantine/core";
import type { Run, TimingReport } from "@/api/types";
import { AnchorLink } from "@/components/links";
import { formatCount } from "@/components/numbers/format";
import { Num } from "@/components/numbers/Num";
import { type FigureName, formatOf } from "@/components/results/timings";
import { cell, Sheet } from "@/components/Sheet";
import { words } from "@/words";
import classes from "./Basis.module.css";
import { figuresOf, OF_WARM_UP } from "./timingFigures";

const label = words.sweep;
const COUNTS = ["measured", "warm_up", "reused", "failed"] as const;

function Head({ names: [short, long] }: { names: readonly string[] }) {
  return (
    <th scope="col" className={cell.number}>
      <abbr title={long}>{short}</abbr>
    </th>
  );
}

/** Configuration by configuration: how many questions were measured, and each figure's median with its quartiles. */
export function TimingTable({ report }: { report: TimingReport }) {
  const figures = figuresOf(report);
  const several = new Set(report.configurations.map(({ model }) => model)).size > 1;
  return (
    <Sheet label={label.timings} pinned bounded>
      <thead>
        <tr>
          <th scope="col">{label.configuration}</th>
          {figures.map((name) => (
            <Head key={name} names={label.timingFigures[name]} />
          ))}
          {COUNTS.map((name) => (
            <Head key={name} names={label.timingCounts[name]} />
          ))}
        </tr>
      </thead>
      <tbody>
        {report.configurations.map((row) => (
          <tr key={row.run_ids[0]}>
            <th scope="row">
              <AnchorLink to="/runs/$id" params={{ id: row.run_ids[0] ?? "" }} size="sm">
                {row.name}
              </AnchorLink>
              {several && (
                <Text size="xs" c="var(--quiet)">
                  {row.model}
                </Text>
              )}
            </th>
            {figures.map((name) => (
              <td key={name} className={cell.number}>
                <Spread name={name} spread={row.figures[name]} />
              </td>
            ))}
            {COUNTS.map((name) => (
              <td key={name} className={cell.number}>
                {formatCount(row[name])}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </Sheet>
  );
}

interface SpreadProps {
  name: FigureName;
  spread: TimingReport["configurations"][number]["figures"][string] | undefined;
}

function Spread({ name, spread }: SpreadProps) {
  const format = formatOf(name);
  if (!spread) return <Num value={null} reason={label.timingMissing} format={format} />;
  return (
    <>
      {format(spread.median)}
      <Text size="xs" c="var(--quiet)">
        {words.numbers.range(format(spread.q1), format(spread.q3))}
      </Text>
    </>
  );
}

/** The questions that loaded their model, and what they took; folded away. */
export function WarmUpTable({ report, runs }: { report: TimingReport; runs: Run[] }) {
  const marked = report.questions.filter((question) => question.is_warm_up);
  if (marked.length === 0) return null;
  const names = new Map(runs.map(({ id, name }) => [id, name]));
  const title = label.timingWarmUp(formatCount(marked.length));
  return (
    <details className={classes.more}>
      <summary>{title}</summary>
      <Sheet label={title} bounded>
        <thead>
          <tr>
            <th scope="col">{label.timingQuestion}</th>
            <th scope="col">{label.configuration}</th>
            {OF_WARM_UP.map(([name]) => (
              <Head key={name} names={label.timingFigures[name]} />
            ))}
          </tr>
        </thead>
        <tbody>
          {marked.map((question) => (
            <tr key={`${question.run_id} ${question.question_id}`}>
              <th scope="row">{question.question_id}</th>
              <td>{names.get(question.run_id)}</td>
              {OF_WARM_UP.map(([name, value]) => (
                <td key={name} className={cell.number}>
                  <Num
                    value={value(question)}
                    reason={words.evaluation.notReported}
                    format={formatOf(name)}
                  />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </Sheet>
    </details>
  );
}
