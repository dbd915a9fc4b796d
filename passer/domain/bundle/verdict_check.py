"""Recomputes the verdict of a bundle: the run's own values from its records, gains and verdicts from all values."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from passer.domain.analysis.gains import Spread
from passer.domain.bundle.documents import Violation, read_document
from passer.domain.bundle.judged_check import JudgedCheck
from passer.domain.bundle.reading import ReadRecord
from passer.domain.bundle.recomputed_gains import TOLERANCE, is_same, recomputed_gains, run_ids, wrong_means
from passer.domain.bundle.verdict_document import (
    CompositeRecord,
    ConfigurationRecord,
    VerdictDocument,
    digest_without_itself,
)
from passer.domain.composite import CPS, NEUTRAL
from passer.domain.dataset import Question, weights_of
from passer.domain.statistics import Floats
from passer.domain.verdict.family import FamilyGain
from passer.domain.verdict.judged_rule import JudgedBy
from passer.domain.verdict.verdict import Baseline, Candidate, Verdict, VerdictRule, conclude

OTHER_DECLARED = {
    "clusters": "Its clusters are not those of the dataset.",
    "weights": "Its weights are not those of the dataset.",
}


def read_verdict(content: bytes) -> tuple[VerdictDocument | None, Violation | None]:
    """Read verdict.json strictly and check its own digest."""
    read = read_document(VerdictDocument, content)
    if read.value is None:
        return None, read.violation
    if digest_without_itself(read.json) != read.value.digest:
        return None, Violation("It does not match its own digest: it was changed afterwards.", field="digest")
    return read.value, None


def list_problem(read: VerdictDocument) -> Violation | None:
    """Return the first list of another length than the questions, or a baseline that is no configuration."""
    size = len(read.questions)
    if len(set(read.questions)) != size:
        return Violation("A question occurs twice.", field="questions")
    lists: dict[str, Sequence[object]] = {
        f"configurations[{place}].values": each.values for place, each in enumerate(read.configurations)
    }
    lists |= {} if read.clusters is None else {"clusters": read.clusters}
    lists |= {} if read.weights is None else {"weights": read.weights}
    lists |= {} if read.look is None else {"look.in_first": read.look.in_first}
    for path, values in lists.items():
        if len(values) != size:
            return Violation(f"It has {len(values)} values for {size} questions.", field=path)
    for place, each in enumerate(read.configurations):
        if each.baseline is not None and (each.baseline >= len(read.configurations) or each.baseline == place):
            return Violation("There is no such configuration.", field=f"configurations[{place}].baseline")
    return None


@dataclass(frozen=True)
class VerdictCheck:
    """Compares a verdict with the records of one run of its sweep."""

    read: VerdictDocument
    run_id: str
    sweep_id: str
    records: Sequence[ReadRecord]
    questions: Sequence[Question] | None = None
    """Questions of the dataset that may have clusters and weights; None where these are not known."""

    def problem(self) -> Violation | None:
        """Return the first value that does not follow from the others; None if the verdict is consistent."""
        checks = (
            self._form_problem,
            self._other_declared,
            self._own_values if self.read.judged is None else self._judged_values,
            self._rated_means,
            self._gains,
            self._conclusions,
        )
        return next((wrong for check in checks if (wrong := check()) is not None), None)

    @property
    def detail(self) -> str:
        """Return a sentence about the recomputed values."""
        read, own = self.read, self._own
        size = f"{len(read.questions)} questions in {len(read.configurations)} configurations"
        values = sum(value is not None for value in own.values)
        of_run = (
            self._judged.detail
            if self._judged is not None
            else f"{values} values of this run match its records"
            if len(own.runs) == 1
            else "the values of this configuration are averages over repeats, so its records were not compared"
        )
        return (
            f"Gains, intervals and verdict recomputed from {size}; {of_run}; the gain corrected for having been "
            f"chosen is stated, not recomputed. Digest of the conclusion {read.conclusion_digest}."
        )

    @cached_property
    def _place(self) -> int:
        """Position of the configuration of this run; -1 unless there is exactly one."""
        # Twice would be once too often: one of the two could state values that nothing is compared with.
        found = [place for place, each in enumerate(self.read.configurations) if self.run_id in run_ids(each)]
        return found[0] if len(found) == 1 else -1

    @property
    def _own(self) -> ConfigurationRecord:
        return self.read.configurations[self._place]

    def _form_problem(self) -> Violation | None:
        """Return the first inconsistency: another sweep, a list of another length, or an invalid index."""
        if self.read.sweep_id != self.sweep_id:
            return Violation("It belongs to another sweep.", field="sweep_id")
        if (wrong := list_problem(self.read)) is not None:
            return wrong
        if self._place < 0:
            return Violation("The run of this bundle is not exactly once among its runs.", field="configurations")
        return None

    def _other_declared(self) -> Violation | None:
        """Return that clusters or weights are not those of the dataset."""
        if self.questions is None:
            return None
        clusters = {each.id: each.cluster for each in self.questions if each.cluster is not None}
        known = [
            ("cluster", clusters[each]) if each in clusters else ("question", each) for each in self.read.questions
        ]
        if _partition(range(len(known)) if self.read.clusters is None else self.read.clusters) != _partition(known):
            return Violation(OTHER_DECLARED["clusters"], field="clusters")
        weights = weights_of(self.questions)
        declared = np.array([weights.get(each, 1.0) for each in self.read.questions])
        stated = np.ones(len(declared)) if self._weights is None else self._weights
        # Only proportions matter to a weighted mean, so weights that sum to another total are the same weights.
        if np.allclose(stated / stated.sum(), declared / declared.sum(), rtol=TOLERANCE, atol=0):
            return None
        return Violation(OTHER_DECLARED["weights"], field="weights")

    def _own_values(self) -> Violation | None:
        """Return the first value of this run that does not follow from its record; averages cannot be compared."""
        if len(self._own.runs) > 1:
            return None
        # A failed question has no scores and counts as the worst; one that was only answered does not count.
        scored = {record.id: record.scores or {} for record in self.records if record.state != "answered"}
        for number, (question, value) in enumerate(zip(self.read.questions, self._own.values, strict=True)):
            follows = _value(self.read, scored[question]) if question in scored else None
            # None in the verdict: another configuration lacks the question, so that it was left out everywhere.
            if value is not None and not is_same(value, follows):
                path = f"configurations[{self._place}].values[{number}]"
                return Violation(f"The value of question {question} does not follow from its record.", field=path)
        return None

    def _judged_values(self) -> Violation | None:
        return None if self._judged is None else self._judged.problem()

    @cached_property
    def _judged(self) -> JudgedCheck | None:
        if self.read.judged is None:
            return None
        texts = {self.run_id: {record.id: record.texts for record in self.records}}
        return JudgedCheck(self.read, self.read.judged, texts)

    @cached_property
    def _compared(self) -> Sequence[int]:
        return [place for place, each in enumerate(self.read.configurations) if each.baseline is not None]

    @property
    def _weights(self) -> Floats | None:
        """Weights of the questions; None where all are equal."""
        return None if self.read.weights is None else np.array(self.read.weights)

    @cached_property
    def _recomputed(self) -> Mapping[int, FamilyGain]:
        return recomputed_gains(self.read, self._compared)

    def _rated_means(self) -> Violation | None:
        return wrong_means(self.read)

    def _gains(self) -> Violation | None:
        if [each.configuration for each in self.read.gains] != self._compared:
            return Violation("The gains are not those of the configurations with a baseline.", field="gains")
        for number, stated in enumerate(self.read.gains):
            follows = self._recomputed[stated.configuration]
            for name in FamilyGain.model_fields:
                if not is_same(getattr(stated, name), getattr(follows, name)):
                    return Violation("It does not follow from the values.", field=f"gains[{number}].{name}")
        return None

    def _conclusions(self) -> Violation | None:
        models: dict[str, list[int]] = {}
        for place, each in enumerate(self.read.configurations):
            models.setdefault(each.model, []).append(place)
        if [each.model for each in self.read.conclusions] != list(models):
            return Violation("The verdicts are not those of the models.", field="conclusions")
        for number, members in enumerate(models.values()):
            stated = self.read.conclusions[number]
            found = self._verdict(members, Verdict(kind=stated.kind, cost=stated.cost))
            # The corrected gain needs the scores of all configurations, which a bundle of one run does not contain.
            for name, value in found.model_dump(exclude={"corrected"}).items():
                if not is_same(getattr(stated, name), value):
                    return Violation("It does not follow from the gains.", field=f"conclusions[{number}].{name}")
        return None

    def _verdict(self, members: Sequence[int], stated: Verdict) -> Verdict:
        compared = [place for place in members if place in self._recomputed]
        bases = {self.read.configurations[place].baseline for place in compared}
        declared = {place for place in members if self.read.configurations[place].is_baseline}
        records = [self.read.configurations[place] for place in (bases or declared) if place is not None]
        baseline = Baseline(
            planned=sum(each.planned for each in records),
            failed=sum(each.failed for each in records),
            open=sum(each.open for each in records),
        )
        return conclude(
            [self._candidate(place) for place in compared],
            self._rule,
            baseline=baseline if records else None,
            cost=stated.cost,
        )

    @property
    def _rule(self) -> VerdictRule:
        judged = self.read.judged
        by = judged and JudgedBy(assessment=judged.assessment, judge=judged.judge, status=judged.status)
        return VerdictRule(**self.read.rule.model_dump(), judged_by=by)

    def _candidate(self, place: int) -> Candidate:
        here = self.read.configurations[place]
        base = self.read.configurations[here.baseline or 0]
        return Candidate(
            id=here.name,
            gain=self._recomputed[place],
            tcps=_tcps(here, base, self._weights),
            cost=here.cost,
            baseline_cost=base.cost,
            planned=here.planned,
            missing=here.failed + here.open,
        )


def _value(read: VerdictDocument, scores: Mapping[str, float | None]) -> float | None:
    """Return the primary metric of a record, higher is better; a score that the system lost counts as the worst."""
    if read.rule.primary == CPS:
        return _cps(read.composite, scores)
    bound = next((each for each in read.composite.metrics if each.metric == read.rule.primary), None)
    if bound is None:
        return None
    value = scores.get(bound.metric)
    if value is None:
        value = bound.minimum if bound.higher_is_better else bound.maximum
    return value if bound.higher_is_better else -value


def _cps(composite: CompositeRecord, scores: Mapping[str, float | None]) -> float:
    total = 0.0
    for bound in composite.metrics:
        low, high, value = bound.minimum, bound.maximum, scores.get(bound.metric)
        if low == high:
            total += bound.weight * NEUTRAL
        elif value is not None:
            cut = min(max(value, low), high) if composite.clips else value
            total += bound.weight * (cut - low if bound.higher_is_better else high - cut) / (high - low)
    return total


def _partition(labels: Iterable[Hashable]) -> list[int]:
    """Return the labels numbered in the order of their first use."""
    places: dict[Hashable, int] = {}
    return [places.setdefault(label, len(places)) for label in labels]


def _tcps(here: ConfigurationRecord, base: ConfigurationRecord, weights: Floats | None) -> float | None:
    """Return T-CPS over the questions that both have; unused where the primary metric is a column."""
    ours, theirs = (np.array(each.values, dtype=np.float64) for each in (here, base))
    paired = ~np.isnan(ours) & ~np.isnan(theirs)
    return Spread.of(ours[paired], None if weights is None else weights[paired]).tcps
