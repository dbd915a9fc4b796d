import { Anchor, Group, Text, Title } from "@mantine/core";
import { Fragment, type ReactNode, useId } from "react";
import type { Conclusion, SweepAnalysis, SweepDetail } from "@/api/types";
import { AnchorLink } from "@/components/links";
import { foundIn } from "@/components/results/behind";
import { behindSweep } from "@/components/results/behindOf";
import { GoalLink } from "@/components/results/GoalLink";
import { Said } from "@/components/Said";
import { t } from "@/words";
import { headingOf, kindOf } from "@/words/outcomes";
import { NextSteps } from "./NextSteps";
import { OUTLETS } from "./state";
import classes from "./VerdictCard.module.css";

type Line = Conclusion["would_change"][number];

interface Props {
  sweep: SweepDetail;
  analysis: SweepAnalysis;
  title?: string;
}

/** What to use, how far that can be relied on, and what to do next: the answer that people come for. */
export function VerdictCard({ sweep, analysis, title = t("Verdict") }: Props) {
  const { exploratory, arms, identical } = analysis.verdict;
  const id = useId();
  const [first, ...others] = highestFirst(analysis);
  if (first === undefined) return null;
  return (
    <section aria-labelledby={id} className={classes.cards}>
      <h2 id={id} className={classes.eyebrow}>
        {title}
      </h2>
      {analysis.standing && (
        <Text size="sm" c="var(--quiet)">
          <Said text={analysis.standing.line} />
        </Text>
      )}
      {exploratory.length > 0 && (
        <Text size="sm" c="var(--warn-text)">
          {t("Exploratory: changed after the sweep was planned ({names}).", {
            names: exploratory.map(nameOfRule).join(", "),
          })}
        </Text>
      )}
      <Card sweep={sweep} analysis={analysis} conclusion={first} isOnly={others.length === 0} />
      {others.length > 0 && (
        <div className={classes.others}>
          {others.map((conclusion) => (
            <Card
              key={conclusion.model}
              sweep={sweep}
              analysis={analysis}
              conclusion={conclusion}
              isCompact
            />
          ))}
        </div>
      )}
      <Lines at={placeOf(sweep, analysis)} lines={[...arms, ...identical].map(({ line }) => line)} />
    </section>
  );
}

/**
 * The conclusions of the models: first those with a verdict, by the mean of what each recommends, else of its baseline.
 * The order is that of the cards alone; whether two models differ is said below them.
 */
export function highestFirst({ verdict, configurations }: SweepAnalysis): Conclusion[] {
  const height = ({ model, name, number }: Conclusion) => {
    const own = configurations.filter((each) => each.model === model);
    const shown = own.find((each) => (name === null ? each.is_baseline : each.name === name));
    return number === 0 ? Number.NEGATIVE_INFINITY : (shown?.mean_primary ?? shown?.mean_cps ?? -1e9);
  };
  return verdict.conclusions.toSorted((a, b) => (height(a) < height(b) ? 1 : height(a) > height(b) ? -1 : 0));
}

interface CardProps {
  sweep: SweepDetail;
  analysis: SweepAnalysis;
  conclusion: Conclusion;
  isOnly?: boolean;
  /** Beside a larger card: all but the verdict is folded away. */
  isCompact?: boolean;
}

function Card({ sweep, analysis, conclusion, isOnly = false, isCompact = false }: CardProps) {
  const { model, name, reason, verdict, judge } = conclusion;
  const at = placeOf(sweep, analysis);
  const behind = behindSweep(analysis.configurations);
  const kicker = [!isOnly && model, judge?.heading ?? kindOf(verdict.kind)].filter(Boolean).join(": ");
  const meaning = <Lines at={at} lines={meaningOf(conclusion)} />;
  const steps = (
    <Group gap="xs">
      <NextSteps sweep={sweep} steps={conclusion.next_steps} />
    </Group>
  );
  return (
    <article className={classes.card} data-kind={verdict.kind} data-compact={isCompact || undefined}>
      {kicker && (
        <Text size="sm" fw={600} className={classes.kind ?? ""}>
          {kicker}
        </Text>
      )}
      <Title order={3} className={classes.headline ?? ""}>
        <GoalLink goal={name === null ? undefined : foundIn(behind, { model, name })?.questions}>
          {headingOf(verdict)}
        </GoalLink>
      </Title>
      <p className={classes.reason}>
        <Sourced at={at} line={{ text: reason, numbers: conclusion.numbers, parts: conclusion.parts }} />
      </p>
      {!isCompact && meaning}
      {!isCompact && steps}
      {!isCompact && (
        <Anchor href={`#${OUTLETS}`} size="sm" className={classes.outlets ?? ""}>
          {t("Export and share")}
        </Anchor>
      )}
      <More
        at={at}
        conclusion={conclusion}
        title={isCompact ? t("Basis and next steps") : t("Basis of the verdict")}
      >
        {isCompact && meaning}
        {isCompact && <div className={classes.steps}>{steps}</div>}
      </More>
    </article>
  );
}

interface MoreProps {
  at: Place;
  conclusion: Conclusion;
  title: string;
  children: ReactNode;
}

/** The folded part of the card: the basis of the verdict, then `children`. */
function More({ at, conclusion, title, children }: MoreProps) {
  const { slices, would_change } = conclusion;
  return (
    <details className={classes.more}>
      <summary>{title}</summary>
      {children}
      <Lines at={at} lines={basisOf(conclusion)} />
      {slices.length > 0 && (
        <Text size="sm" mt="xs">
          <Computed at={at} table="slices">
            {t("Gains within {count, plural, one {# group} other {# groups}} of questions", {
              count: slices.length,
            })}
          </Computed>
        </Text>
      )}
      {would_change.length > 0 && (
        <>
          <Text size="sm" fw={600} mt="xs">
            {t("Other procedures that disagree")}
          </Text>
          <Lines at={at} lines={would_change} />
        </>
      )}
    </details>
  );
}

/** The analysis with the tables behind a verdict: that of the sweep, or of the judge that decides. */
interface Place {
  id: string;
  assessment?: string | undefined;
  primary?: string | undefined;
}

function placeOf({ id }: SweepDetail, { rule }: SweepAnalysis): Place {
  const assessment = rule?.judged_by?.assessment;
  return assessment === undefined ? { id } : { id, assessment, primary: rule.primary };
}

function Lines({ at, lines }: { at: Place; lines: readonly Line[] }) {
  if (lines.length === 0) return null;
  return (
    <ul className={classes.lines}>
      {lines.map((line) => (
        <li key={line.text}>
          <Sourced at={at} line={line} />
        </li>
      ))}
    </ul>
  );
}

/**
 * A sentence whose numbers lead to the tables in which they are computed. Where none of them stands in its text, the
 * whole sentence leads to the table of the first one, followed by a link to each other table.
 */
function Sourced({ at, line: { text, numbers, parts } }: { at: Place; line: Line }) {
  if (parts?.length)
    return parts.map(({ text: piece, table }, place) => {
      const key = place;
      return table ? (
        <Computed key={key} at={at} table={table} className={classes.number}>
          {piece}
        </Computed>
      ) : (
        <Said key={key} text={piece} />
      );
    });
  const [first, ...others] = new Set(numbers.map(({ table }) => table));
  if (first === undefined) return <Said text={text} />;
  return (
    <>
      <Computed at={at} table={first}>
        <Said text={text} />
      </Computed>
      {others.map((table) => (
        <Fragment key={table}>
          {" "}
          <Computed at={at} table={table}>
            <Text span size="sm" c="var(--quiet)" td="underline">
              {t("Other figures in this sentence")}
            </Text>
          </Computed>
        </Fragment>
      ))}
    </>
  );
}

interface ComputedProps {
  at: Place;
  table: string;
  className?: string | undefined;
  children: ReactNode;
}

/** A number or a sentence that leads to the table in which it is computed. */
function Computed({ at, table, className = "", children }: ComputedProps) {
  const { id, ...judged } = at;
  return (
    <AnchorLink
      to="/analysis/sweeps/$id"
      params={{ id }}
      search={{ table, ...judged }}
      inherit
      c="inherit"
      className={className}
      title={t("Show the table with this number")}
    >
      {children}
    </AnchorLink>
  );
}

/** What follows from the verdict, in the order of a report: what ties, what it costs, what the cut lost and why. */
function meaningOf({ judge, tied, cost, retrieval }: Conclusion): Line[] {
  return [
    ...(judge ? [{ text: judge.line, numbers: [], parts: [] }] : []),
    ...(tied ? [tied.line] : []),
    ...(cost ? [cost.line] : []),
    ...(retrieval ? [retrieval.line, ...retrieval.causes.map(({ line }) => line)] : []),
  ];
}

function basisOf({ basis, margin, repeats, groups }: Conclusion): Line[] {
  const all = [basis.line, basis.look, basis.clustering, basis.weighting, margin?.line, repeats, groups];
  return all.filter((line) => line != null);
}

/** What a part of the verdict's rule is called. */
function nameOfRule(part: string): string {
  return t(
    "{part, select, primary {primary metric} margin {margin} alpha {significance level} clusters {clusters} normalisation {normalisation} panel {panel} stability {weights of T-CPS} other {another setting}}",
    { part },
  );
}
