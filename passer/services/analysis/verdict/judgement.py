"""Judges a sweep: from the rows of its runs to the verdict of each model, with one set of decisions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from passer.domain.analysis.analysis import Comparison, ConfigurationResult, Family, MetricMean
from passer.domain.analysis.choices import SweepChoices
from passer.domain.analysis.composites import Composites, Rules
from passer.domain.analysis.effort import Latency
from passer.domain.analysis.gains import Spread
from passer.domain.analysis.question_table import Pairs
from passer.domain.analysis.run_rows import RunRows
from passer.domain.analysis.score_rows import ScoreRows
from passer.domain.composite import CPS, coefficient_of_variation
from passer.domain.dataset import Question, weights_of
from passer.domain.retrieval.cuts import NormalPolicy, ScorePolicy
from passer.domain.retrieval.quality import retrieval_quality
from passer.domain.score import counts_at
from passer.domain.statistics import drawn_interval, mean_of, spread_of
from passer.domain.verdict.judged_rule import JudgedColumn
from passer.domain.verdict.verdict import Verdict, VerdictRule
from passer.services.analysis.comparability import Group, arm_labels, baselines, check_comparable, grouped
from passer.services.analysis.paired_gains import compared
from passer.services.analysis.pooling import changed_pool, panel_of_texts, rules_of
from passer.services.analysis.score_rows import rows_of_runs
from passer.services.analysis.verdict.judged_metric import JudgedMetric
from passer.services.analysis.verdict.model_verdicts import verdict_of
from passer.services.analysis.verdict.primary_metric import PrimaryMetric, chosen_rule, looked_at, rule_of_look
from passer.services.analysis.verdict.question_clusters import Clusters, clusters_of


@dataclass(frozen=True)
class Judgement:
    """Verdict under one set of decisions."""

    found: Composites
    primary: PrimaryMetric
    results: tuple[ConfigurationResult, ...]
    against: Mapping[int, int]
    """Place of the baseline of each configuration that is compared."""
    verdicts: Mapping[str, Verdict]
    """Verdicts by model."""


@dataclass(frozen=True)
class Study:
    """Parts of an analysis that all decisions on missing and truncated answers share."""

    groups: Sequence[Group]
    families: Sequence[str] | None
    rule: VerdictRule
    clusters: Clusters
    asked: Sequence[str]
    """Ids of the questions of the dataset, in order."""
    right_from: float | None = None
    """Score from which an answer counts as right, where repeats are compared; None takes the middle of 0 to 1."""
    judged_column: JudgedColumn | None = None
    """The judged column that is the primary metric; None for CPS and the 24 columns."""

    def judged(self, found: Composites, *, corrects: bool = True) -> Judgement:
        """Compare and conclude with one set of decisions.

        Without `corrects` no gain is corrected for its having been chosen: it takes half of an analysis, and what is
        recommended does not depend on it.
        """
        table, groups, rule = found.questions, self.groups, self.rule
        can_compare = found.shares_constants if rule.drops_unanswered else found.can_compare
        against = {place: base for place, base in table.comparisons if can_compare(place, base)}
        pairs = {place: table.pairs(place, base) for place, base in against.items()}
        primary = self._primary(found)
        comparisons = compared(
            groups, table, primary, pairs, against, rule=rule, families=self.families, stability=found.rules.stability
        )
        results = tuple(
            _result(group, place, found, pairs.get(place), comparisons.get(place)).model_copy(
                update={
                    "mean_primary": primary.mean(place, against.get(place)),
                    "consistency": primary.consistency(place, self.right_from),
                }
            )
            for place, group in enumerate(groups)
        )
        members: dict[str, list[int]] = {}
        for place, result in enumerate(results):
            members.setdefault(result.model, []).append(place)
        verdicts = {
            model: verdict_of(groups, found, primary, results, against, places, rule=rule, corrects=corrects)
            for model, places in members.items()
        }
        return Judgement(found, primary, results, against, verdicts)

    def _primary(self, found: Composites) -> PrimaryMetric:
        column = self.judged_column
        if column is None:
            return PrimaryMetric.of(found, self.rule, self.clusters, self.asked)
        looks = looked_at(self.rule, self.asked)
        return JudgedMetric(column.column, found, self.clusters, *looks, judged=column)


@dataclass(frozen=True)
class Prepared:
    """A sweep before its scores become composites."""

    study: Study
    rows: ScoreRows
    rules: Rules
    against: Mapping[int, int]
    """Place of the baseline of each configuration that has one."""
    exploratory: tuple[str, ...]
    """Choices that differ from the recorded rule."""


def prepare(
    runs: Sequence[RunRows],
    choices: SweepChoices,
    *,
    baseline: str | None = None,
    family: Family = "analysis",
    recorded: VerdictRule | None = None,
    questions: Sequence[Question] = (),
    judged: JudgedColumn | None = None,
) -> Prepared:
    """Group runs, pair them with their baselines and settle the rules; arguments and errors as in `analyse`."""
    check_comparable(runs)
    groups = grouped(runs)
    shares_names = recorded is not None and recorded.shares_names
    labels, against = arm_labels(groups, shares_names=shares_names), baselines(groups, baseline)
    rows = rows_of_runs(groups, labels, against, weights=weights_of(questions))
    rules = rules_of(rows, runs, choices)
    if judged is not None and choices.panel is None:
        # A judge's verdict does not need CPS: without an encoder, CPS is shown by the text metrics alone.
        rules = replace(rules, panel=panel_of_texts(rows, rules.panel))
    rule, exploratory = chosen_rule(recorded or VerdictRule(), choices, judged)
    if rule.primary == CPS:
        # A metric in its own unit does not depend on the pool.
        exploratory = (*exploratory, *changed_pool(runs, choices))
    study = Study(
        groups,
        labels if family == "model" else None,
        rule_of_look(rule, len(questions)),
        clusters_of(questions, choices.clusters),
        [question.id for question in questions],
        choices.right_from,
        judged,
    )
    return Prepared(study, rows, rules, against, exploratory)


def _result(
    group: Group, place: int, found: Composites, pairs: Pairs | None, comparison: Comparison | None
) -> ConfigurationResult:
    """One configuration: over the paired questions where there are any, else over all of its own."""
    own, counts, within_sd = found.questions.column(place), found.counts(place), found.questions.within_sd(place)
    own_weights = found.questions.weights_of(place)
    paired = pairs if pairs is not None and pairs.values.size else None
    values, weights = (paired.values, paired.weights) if paired else (own, own_weights)
    spread = Spread.of(values, weights, stability=found.rules.stability)
    questions = [item for run in group.runs for item in run.questions]
    states = Counter(item.state for item in questions)
    config = group.first.config
    policy = config.retrieval
    return ConfigurationResult(
        name=group.first.name,
        model=found.rows.configurations[place].label,
        policy=config.cut_label,
        threshold=policy.min_similarity if isinstance(policy, ScorePolicy) else None,
        k=policy.k if isinstance(policy, NormalPolicy) else policy.depth or None,
        is_baseline=group.first.is_baseline,
        run_ids=tuple(run.run_id for run in group.runs),
        n=own.size,
        n_excluded=counts.n_excluded,
        excluded=counts.excluded,
        n_worst_filled=counts.n_worst_filled,
        worst_filled=counts.worst_filled,
        n_failed=states["failed"],
        n_unfinished=states["pending"] + states["answered"],
        n_truncated=sum(1 for item in questions if item.truncated),
        n_repeated=sum(_repeated(run) for run in group.runs),
        mean_cps=spread.mean,
        ci=drawn_interval(values, weights, is_bounded=found.rules.constants is None),
        cv=spread.cv,
        tcps=spread.tcps,
        within_sd=within_sd,
        within_cv=_part_of(within_sd, mean_of(own, own_weights)),
        between_sd=spread_of(own, own_weights) if own.size > 1 else None,
        between_cv=coefficient_of_variation(own, own_weights),
        comparison=comparison,
        retrieval=retrieval_quality([q.retrieval for q in questions if q.state in ("answered", "scored", "failed")]),
        latency=Latency.of([item.effort for item in questions if item.effort]),
        metrics=_metric_means(found.rows, place),
    )


def _part_of(spread: float | None, mean: float | None) -> float | None:
    return None if spread is None or mean is None or mean <= 0 else spread / mean


def _repeated(run: RunRows) -> int:
    return sum(1 for count in Counter(item.question_id for item in run.questions).values() if count > 1)


def _metric_means(rows: ScoreRows, place: int) -> tuple[MetricMean, ...]:
    here = rows.of(place)
    values, present = rows.table.values[here], rows.present[here]
    kinds, kind_of = rows.table.lacks
    lacking = {kinds[kind]: count for kind, count in Counter(kind_of[here].tolist()).items()}
    totals, counts = (values * present).sum(axis=0), present.sum(axis=0)
    sums = counts
    if rows.weights:
        weights = np.array([rows.weights[rows.table.ids[row]] for row in np.flatnonzero(here)])[:, None]
        totals, sums = (weights * values * present).sum(axis=0), (weights * present).sum(axis=0)
    return tuple(
        MetricMean(
            metric=column,
            mean=float(totals[position] / sums[position]) if count else None,
            n=int(count),
            missing=counts_at(lacking, position),
        )
        for position, (column, count) in enumerate(zip(rows.table.columns, counts, strict=True))
    )
