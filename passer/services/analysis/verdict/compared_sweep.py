"""The values that the verdict of a sweep is decided by, and the part of them that belongs to one model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from passer.domain.analysis.analysis import Comparison, ConfigurationResult
from passer.domain.analysis.composites import Composites
from passer.domain.dataset import Question
from passer.domain.verdict.family import FamilyGain, Outcome
from passer.domain.verdict.sample_size import MeasuredCritical
from passer.domain.verdict.two_looks import alpha_of_spent
from passer.domain.verdict.verdict import Cost, Verdict, VerdictRule, critical_value
from passer.services.analysis.comparability import Group
from passer.services.analysis.verdict.disagreement import identical_places
from passer.services.analysis.verdict.model_verdicts import costs_of
from passer.services.analysis.verdict.primary_metric import PrimaryMetric
from passer.services.analysis.verdict.question_clusters import Clusters, clusters_of


@dataclass(frozen=True)
class ComparedSweep:
    """A whole sweep, compared with its baselines."""

    groups: Sequence[Group]
    found: Composites
    primary: PrimaryMetric
    results: Sequence[ConfigurationResult]
    against: Mapping[int, int]
    """Place of the baseline of each configuration that is compared."""
    rule: VerdictRule
    questions: Sequence[Question]
    """Questions of the dataset, in order; empty where they are not known."""
    available: int | None = None
    """Questions of the whole dataset; None where it is not known."""

    @cached_property
    def documents(self) -> Clusters:
        """Return the source document of each question that has gold passages."""
        return clusters_of(self.questions, "documents")

    @cached_property
    def identical(self) -> tuple[tuple[int, ...], ...]:
        """Return the places of configurations that are one by several names."""
        return identical_places(self.groups)

    @cached_property
    def comparisons(self) -> int:
        """Return the number of comparisons with an interval, a configuration under several names once."""
        compared = [(place, each.comparison) for place, each in enumerate(self.results)]
        tested = {place for place, test in compared if test is not None and test.judged.p is not None}
        return len(tested) - sum(max(0, len(tested & set(same)) - 1) for same in self.identical)

    def critical(self, gain: FamilyGain) -> MeasuredCritical:
        """Return the critical value by which more questions will be judged, from that of a gain with an interval."""
        found = MeasuredCritical(critical_value(gain), gain.clusters, self.comparisons, self.rule.alpha)
        looks = self.rule.looks
        if looks is None or not self.has_look_ahead:
            return found
        # A planned first look spends a small part of the error, and the second one has the rest.
        return found.with_alpha(alpha_of_spent(self.rule.alpha, looks.first / looks.second))

    @property
    def has_look_ahead(self) -> bool:
        """Return whether this is the first of two planned looks."""
        looks = self.rule.looks
        return looks is not None and looks.is_planned and not self.primary.first_look


@dataclass(frozen=True)
class ComparedModel:
    """The configurations of one model, compared with its baseline."""

    sweep: ComparedSweep
    members: Sequence[int]
    """Places of the model's configurations."""
    compared: Mapping[int, int]
    """Place of the baseline of each that has one."""
    verdict: Verdict

    @cached_property
    def own(self) -> list[ConfigurationResult]:
        """Return the results of its configurations."""
        return [self.sweep.results[place] for place in self.members]

    @cached_property
    def chosen(self) -> int | None:
        """Return the place of the recommended configuration; None without one."""
        return next(
            (place for place in self.members if self.sweep.results[place].name == self.verdict.recommended), None
        )

    @cached_property
    def base(self) -> int | None:
        """Return the place of the baseline; None if there is none or several."""
        declared = {place for place in self.members if self.sweep.results[place].is_baseline}
        bases = set(self.compared.values()) or declared
        return bases.pop() if len(bases) == 1 else None

    @cached_property
    def costs(self) -> tuple[Cost | None, dict[int, float]]:
        """Return the measure of cost, and the mean cost of a question by place; as `costs_of`."""
        return costs_of(self.sweep.groups, self.members, self.sweep.rule, self.sweep.found.rows.weights)

    def judged_as(self, outcome: Outcome) -> dict[int, FamilyGain]:
        """Return the gains with this outcome, by place of the configuration."""
        tests = ((place, self.sweep.results[place].comparison) for place in self.compared)
        return {place: test.judged for place, test in tests if test is not None and test.judged.outcome == outcome}

    @property
    def tests(self) -> list[Comparison]:
        """Return the comparisons with the baseline."""
        return [test for place in self.compared if (test := self.sweep.results[place].comparison) is not None]
