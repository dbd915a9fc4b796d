"""Rule and primary metric of a verdict: those recorded with the sweep, or others that were chosen afterwards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from passer.domain.analysis.choices import SweepChoices
from passer.domain.analysis.composites import Composites, Rules, composed
from passer.domain.analysis.consistency import Consistency, consistency_of
from passer.domain.analysis.question_table import Places, QuestionTable
from passer.domain.analysis.score_rows import Mask, ScoreRows
from passer.domain.composite import CPS
from passer.domain.panel import higher_is_better, panel_of
from passer.domain.statistics import Floats, mean_of
from passer.domain.sweeps.sweep import Sweep
from passer.domain.verdict.family import FamilyGain, FamilyRule, FirstLook, family_gains, first_look
from passer.domain.verdict.judged_rule import JudgedBy, JudgedColumn
from passer.domain.verdict.two_looks import FIRST_DRAWS, Looks, spent_alpha
from passer.domain.verdict.verdict import PRIMARY_METRICS, VerdictRule
from passer.domain.wording.sentence import sentence
from passer.errors import InputError
from passer.services.analysis.verdict.question_clusters import Clusters, numbered

CHOSEN = ("primary", "margin", "alpha")
"""Settings of the verdict that a sweep records before it starts."""


def recorded_rule(sweep: Sweep) -> VerdictRule:
    """Return the rule that a sweep was planned with; what it does not record has its default."""
    recorded = {name: getattr(sweep, name) for name in (*CHOSEN, "looks", "cost", "price")}
    judged_by = None if sweep.judge is None else JudgedBy(assessment="", judge=sweep.judge.name, status="waiting")
    known = {name: value for name, value in recorded.items() if value is not None}
    return VerdictRule(**known, judged_by=judged_by)


def chosen_rule(
    recorded: VerdictRule, choices: SweepChoices, judged: JudgedColumn | None = None
) -> tuple[VerdictRule, tuple[str, ...]]:
    """Return the rule of an analysis, and what it changes of the recorded one: the verdict is then exploratory.

    `judged` is the judged column that is the primary metric. InputError for a metric that is not known without it.
    """
    wanted = {name: getattr(choices, name) for name in CHOSEN}
    if judged is not None:
        wanted["primary"] = judged.column
    elif choices.primary is not None and choices.primary not in PRIMARY_METRICS:
        raise InputError(sentence("rule.unknown-primary", primary=choices.primary), field="primary")
    changed = {name: value for name, value in wanted.items() if value is not None and value != getattr(recorded, name)}
    if judged is not None and not judged.is_recorded:
        # Also a column of the recorded name: its judge is another one.
        changed = {"primary": judged.column, **changed}
    named = (*changed, *(("clusters",) if choices.clusters != "declared" else ()))
    by = None if judged is None else judged.by
    return VerdictRule.model_validate({**recorded.model_dump(), **changed, "judged_by": by}), named


def rule_of_look(rule: VerdictRule, questions: int) -> VerdictRule:
    """Return the rule at a planned first look, which spends a part of alpha; any other look has the rule itself."""
    looks = rule.looks
    if looks is None or not looks.is_planned or questions > looks.first:
        return rule
    spent = spent_alpha(rule.alpha, looks.first / looks.second)
    return rule.model_copy(update={"alpha": spent, "draws": max(rule.draws, FIRST_DRAWS)})


def looked_at(rule: VerdictRule, asked: Sequence[str]) -> tuple[frozenset[str], Looks | None]:
    """Return the questions of the first look and the declared looks; nothing for the only or the first look."""
    looks = rule.looks
    if looks is None or len(asked) <= looks.first:
        return frozenset(), None
    return frozenset(asked[: looks.first]), looks


@dataclass(frozen=True)
class PrimaryMetric:
    """The metric of the verdict, question by question, so that higher is better."""

    name: str
    """CPS, or one column."""
    found: Composites
    """CPS, or the column alone under the same rules for missing and truncated answers."""
    by_cluster: Clusters
    """Clusters: questions that are resampled together."""
    first_look: frozenset[str] = frozenset()
    """Questions of the first look; empty where this is the only or the first look."""
    looks: Looks | None = None
    """Declared looks, where this is the second one."""

    @classmethod
    def of(cls, found: Composites, rule: VerdictRule, clusters: Clusters, asked: Sequence[str] = ()) -> PrimaryMetric:
        """Return CPS as it was composed, or a column; `asked` are the ids of the dataset's questions, in order."""
        name = rule.primary
        composites = found if name == CPS else _of_column(found.rows, found.rules, name)
        return cls(name, composites, clusters, *looked_at(rule, asked))

    def family(self, comparisons: Sequence[tuple[int, int]], rule: FamilyRule) -> tuple[FamilyGain, ...]:
        """Judge comparisons as one family, as the looks allow."""
        return family_gains(
            self.gains(comparisons), rule, clusters=self.clusters, weights=self.weights, looks=self._looked
        )

    @property
    def is_by_question(self) -> bool:
        """Return whether a gain is the mean of one difference a question, as ties, groups and half splits need it."""
        return True

    @property
    def in_first(self) -> tuple[bool, ...]:
        """Return whether the first look had each question of the table."""
        return tuple(each in self.first_look for each in self.table.ids)

    @property
    def _looked(self) -> FirstLook | None:
        if self.looks is None or not self.looks.is_planned:
            return None
        return first_look(self.in_first, self.clusters, share=self.looks.first / self.looks.second)

    def values(self, places: Sequence[int]) -> Floats:
        """Return values, higher is better, shape (questions, places); NaN for missing ones."""
        return np.asarray(self._sign * self.table.wide(places, self._column))

    def mean(self, place: int, base: int | None) -> float | None:
        """Return a configuration's mean over the questions that its baseline has, else over all; None without any."""
        values = self.values([place] if base is None else [place, base])
        paired = ~np.isnan(values).any(axis=1)
        has = paired if paired.any() else ~np.isnan(values[:, 0])
        return mean_of(values[has, 0], None if self.weights is None else self.weights[has])

    @cached_property
    def clusters(self) -> tuple[int, ...] | None:
        """Return the cluster of each question of the table; None if each question is its own cluster."""
        return numbered(self.table.ids, self.by_cluster) if self.by_cluster else None

    @property
    def weights(self) -> Floats | None:
        """Return the weight of each question of the table; None where all are equal."""
        return self.table.weights

    def clusters_of(self, places: Sequence[int]) -> Sequence[int]:
        """Return the cluster of each question that all these configurations have."""
        shared = self._shared(places).tolist()
        return shared if self.clusters is None else [self.clusters[each] for each in shared]

    def weights_of(self, places: Sequence[int]) -> Floats | None:
        """Return the weight of each question that all these configurations have; None where all are equal."""
        return None if self.weights is None else self.weights[self._shared(places)]

    def _shared(self, places: Sequence[int]) -> Places:
        shared = self.table.shared(places)
        return shared[self._tested[shared]]

    @property
    def table(self) -> QuestionTable:
        """Return the questions; scores lost by the system are the worst of the pool."""
        return self.found.questions

    @property
    def is_cps(self) -> bool:
        """Return whether the metric is CPS."""
        return self.name == CPS

    def gains(self, comparisons: Sequence[tuple[int, int]]) -> Floats:
        """Return configuration minus baseline, shape (questions, comparisons); NaN if either lacks the question."""
        found = self._sign * self.table.gains(comparisons, self._column)
        if self.looks is not None and not self.looks.is_planned:
            # What the earlier questions suggested can only be confirmed by others.
            found[~self._tested] = np.nan
        return found

    def complete(self, places: Sequence[int]) -> Floats:
        """Return the values of shared questions, shape (places, questions)."""
        return np.asarray(self._sign * self.of_tested(places, self.table.complete(places))[:, :, self._column])

    def of_tested(self, places: Sequence[int], complete: Floats) -> Floats:
        """Return values of the shared questions, shape (places, questions, ...), without those that are not tested."""
        tested = self._tested[self.table.shared(places)]
        return complete if tested.all() else np.asarray(complete[:, tested])

    @cached_property
    def _tested(self) -> Mask:
        """Mask of the questions that are tested: after an unplanned first look only the new ones."""
        is_new = self.looks is not None and not self.looks.is_planned
        return np.array([not (is_new and each in self.first_look) for each in self.table.ids], dtype=bool)

    def within_sd(self, place: int) -> float | None:
        """Return the SD over the repetitions of a question, in units of the metric; None without repetitions."""
        noise = self.table.within_sd(place)
        if noise is None or self.is_cps:
            return noise
        bounds = next(pool.constants[0] for pool in self.found.pools if place in pool.places)
        return noise * (bounds.maximum - bounds.minimum)

    def consistency(self, place: int, right_from: float | None) -> Consistency | None:
        """Return how far the repeats of a configuration agree; None without repeats."""
        questions, scores = self.found.rows_of(place, self._column)
        is_better = self._sign > 0
        return consistency_of(questions, scores, metric=self.name, higher_is_better=is_better, right_from=right_from)

    @property
    def _column(self) -> int:
        # The panel of one column normalises it; the column itself is kept next to it, in its own units.
        return 0 if self.is_cps else 1

    @property
    def _sign(self) -> float:
        return 1.0 if self.is_cps or higher_is_better(self.name) else -1.0


def _of_column(rows: ScoreRows, rules: Rules, name: str) -> Composites:
    scope = "all" if rules.constants else rules.scope
    return composed(rows, Rules(panel_of(name), scope, None, rules.missing, rules.truncated))
