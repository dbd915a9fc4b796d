import { Anchor, Group, Text, Title } from "@mantine/core";
import { type ReactNode, useId } from "react";
import type { Conclusion, SweepAnalysis, SweepDetail } from "@/api/types";
import { Quiet } from "@/components/Quiet";
import { GoalLink } from "@/components/results/GoalLink";
import { foundIn } from "@/components/results/questionSources";
import { sourcesOfSweep } from "@/components/results/sourcesOf";
import { ServerText } from "@/components/ServerText";
import { t } from "@/words";
import { headingOf, kindOf } from "@/words/outcomes";
import { NextSteps } from "./NextSteps";
import { OUTLETS } from "./state";
import classes from "./VerdictCard.module.css";
import { Computed, Facts, type Line, Lines, type Place, placeOf, Sourced } from "./VerdictLines";

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
      {/* Of settings that were changed afterwards no registration says anything. */}
      {analysis.standing && exploratory.length === 0 && (
        <Quiet>
          <ServerText text={analysis.standing.line} />
        </Quiet>
      )}
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
  const sources = sourcesOfSweep(analysis.configurations);
  const kicker = [!isOnly && model, judge?.heading ?? kindOf(verdict.kind)].filter(Boolean).join(": ");
  const meaning = (
    <>
      {judge && <Lines at={at} lines={[{ text: judge.line, numbers: [], parts: [] }]} />}
      <Facts at={at} lines={meaningOf(conclusion)} />
      <Lines at={at} lines={causesOf(conclusion)} />
    </>
  );
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
        <GoalLink goal={name === null ? undefined : foundIn(sources, { model, name })?.questions}>
          {headingOf(verdict)}
        </GoalLink>
      </Title>
      <p className={classes.reason}>
        <Sourced at={at} line={{ text: reason, numbers: conclusion.numbers, parts: conclusion.parts }} />
      </p>
      <Meanwhile analysis={analysis} conclusion={conclusion} />
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

/** What to use while nothing is decided. */
function Meanwhile({ analysis, conclusion }: { analysis: SweepAnalysis; conclusion: Conclusion }) {
  const own = analysis.configurations.filter(({ model }) => model === conclusion.model);
  const [baseline, ...others] = own.filter((each) => each.is_baseline);
  if (conclusion.verdict.kind !== "cannot_tell" || !baseline || others.length > 0) return null;
  return (
    <Text size="sm">
      {t(
        "Until more questions decide, keep {baseline}: no configuration is shown to be better, or as good at a lower cost.",
        { baseline: baseline.name },
      )}
    </Text>
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

/** What follows from the verdict, in the order of a report: what ties, what is not judged, what it costs, what the cut lost. */
function meaningOf({ tied, alike, cost, retrieval }: Conclusion): Line[] {
  return [tied?.line, ...(alike ?? []), cost?.line, retrieval?.line].filter((line) => line != null);
}

function causesOf({ retrieval }: Conclusion): Line[] {
  return (retrieval?.causes ?? []).map(({ line }) => line);
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
