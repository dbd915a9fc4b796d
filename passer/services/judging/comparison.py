"""Two judges of one sweep side by side: how far they agree, and which of them is closer to people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from passer.domain.agreement_measures import Limits, RankCorrelation
from passer.domain.base import Frozen
from passer.domain.judging.agreement import Categories, agreement, error_difference
from passer.domain.judging.assessment import Assessment
from passer.domain.statistics import Floats, Interval, PairedTest, paired_t_test
from passer.domain.wording.sentence import sentence
from passer.errors import InputError
from passer.ports import JudgementStore
from passer.services.judging.answers import first_values
from passer.services.judging.calibration import Calibrator
from passer.services.judging.items import ItemKey, ItemSource


class ComparedJudge(Frozen):
    """One side of a comparison."""

    assessment: str
    """Id of the assessment."""
    judge: str
    """Name of the judge's model."""


class NearerJudge(Frozen):
    """Both judges against ratings by people, on the answers that all have rated."""

    n: int
    """Number of these answers."""
    first_error: float
    """Mean absolute difference of the first judge and people."""
    second_error: float
    """Mean absolute difference of the second judge and people."""
    difference: Interval | None
    """95 % interval of second minus first by a bootstrap of whole questions; None below three questions."""


class JudgeDifference(Frozen):
    """Difference of two judges on a run, second minus first."""

    run_id: str
    """Id of the run."""
    difference: PairedTest
    """Second minus first judge on the answers that both judged, with t interval and test."""


class ComparedColumn(Frozen):
    """Agreement of two judges in one column."""

    column: str
    """Name of the judged metric."""
    n: int
    """Number of distinct answers that both judges gave a value."""
    only_first: int
    """Answers that only the first judge gave a value."""
    only_second: int
    """Answers that only the second judge gave a value."""
    first_mean: float | None
    """Mean of the first judge's values of these answers; None without any."""
    second_mean: float | None
    """Mean of the second judge's values of these answers; None without any."""
    limits: Limits | None
    """Bias (second minus first) and Bland-Altman limits of agreement; None without answers."""
    rho: float | None
    """Spearman's rank correlation; None if one side is constant."""
    rho_interval: Interval | None
    """95 % interval of rho by a bootstrap of whole questions."""
    tau: RankCorrelation | None
    """Kendall's tau-b with its p value; None if one side is constant."""
    categories: Categories | None
    """Confusion (rows: first judge, columns: second), kappa and AC on scales of at most 11 levels."""
    runs: tuple[JudgeDifference, ...]
    """The difference in each run: judges that prefer different configurations decide differently."""
    people: NearerJudge | None
    """Judge that is closer to people; None without labels of these answers."""


class JudgeComparison(Frozen):
    """Two judges side by side, in the columns that both assessed."""

    first: ComparedJudge
    """The judge that the other one is compared with."""
    second: ComparedJudge
    """The other judge."""
    columns: tuple[ComparedColumn, ...]
    """Columns of both assessments, in the order of the first."""


@dataclass(frozen=True)
class JudgeComparer:
    """Compares two assessments; read-only."""

    judgements: JudgementStore
    items: ItemSource
    calibrator: Calibrator

    def of(self, first_id: str, second_id: str) -> JudgeComparison:
        """Return two assessments of one sweep side by side.

        Raises InputError if they share nothing, and NotFoundError if one of them does not exist.
        """
        first, second = (self.judgements.assessment(each) for each in (first_id, second_id))
        columns = [column for column in first.spec.columns if column in second.spec.columns]
        runs = [run for run in first.spec.runs if run in second.spec.runs]
        if first_id == second_id or not columns or not runs:
            raise InputError(sentence("judging.nothing-shared"), field="other")
        keys = [key for key in self.items.keys(runs) if key.key is not None]
        return JudgeComparison(
            first=_side(first),
            second=_side(second),
            columns=tuple(self._column(column, (first_id, second_id), keys, runs) for column in columns),
        )

    def _column(
        self, column: str, ids: tuple[str, str], keys: Sequence[ItemKey], runs: Sequence[str]
    ) -> ComparedColumn:
        one, other = (first_values(self.judgements, assessment_id, column) for assessment_id in ids)
        questions = {key.key: str(key.place.number) for key in reversed(keys) if key.key}
        both = sorted(item for item in questions if item in one and item in other)
        mine, theirs = _sides(both, one, other)
        found = agreement(mine, theirs, [questions[item] for item in both], labelled=len(both))
        return ComparedColumn(
            column=column,
            n=len(both),
            only_first=sum(item in one and item not in other for item in questions),
            only_second=sum(item in other and item not in one for item in questions),
            first_mean=found.human_mean if found else None,
            second_mean=found.judge_mean if found else None,
            limits=found.limits if found else None,
            rho=found.rho if found else None,
            rho_interval=found.rho_interval if found else None,
            tau=found.tau if found else None,
            categories=found.categories if found else None,
            runs=tuple(_run(run_id, keys, one, other) for run_id in runs),
            people=self._nearer(column, both, questions, one, other),
        )

    def _nearer(
        self,
        column: str,
        items: Sequence[str],
        questions: Mapping[str, str],
        one: Mapping[str, float],
        other: Mapping[str, float],
    ) -> NearerJudge | None:
        people = self.calibrator.people(items, column)
        rated = sorted(people)
        if not rated:
            return None
        human = np.array([people[item] for item in rated])
        mine, theirs = (np.abs(side - human) for side in _sides(rated, one, other))
        return NearerJudge(
            n=len(rated),
            first_error=float(mine.mean()),
            second_error=float(theirs.mean()),
            difference=error_difference(mine, theirs, [questions[item] for item in rated]),
        )


def _side(assessment: Assessment) -> ComparedJudge:
    return ComparedJudge(assessment=assessment.id, judge=assessment.spec.judge.model.name)


def _sides(items: Sequence[str], one: Mapping[str, float], other: Mapping[str, float]) -> tuple[Floats, Floats]:
    return np.array([one[item] for item in items]), np.array([other[item] for item in items])


def _run(run_id: str, keys: Sequence[ItemKey], one: Mapping[str, float], other: Mapping[str, float]) -> JudgeDifference:
    items = [key.key for key in keys if key.place.run_id == run_id and key.key in one and key.key in other]
    mine, theirs = _sides([item for item in items if item], one, other)
    return JudgeDifference(run_id=run_id, difference=paired_t_test(theirs, mine))
