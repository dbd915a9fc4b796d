"""Compares two columns of the same answers: two judged columns of a judge, or one with one of the 24 metrics."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from passer.domain.base import Frozen
from passer.domain.judging.agreement import agreement
from passer.domain.judging.assessment import Assessment
from passer.domain.score import VECTOR_ORDER
from passer.domain.statistics import Floats, Interval
from passer.domain.wording.sentence import sentence
from passer.errors import InputError
from passer.ports import EvaluationStore, JudgementStore, LabelStore
from passer.services.judging.answers import first_values
from passer.services.judging.items import ItemKey, ItemSource

HIGH, LOW = 0.6, 0.4
"""Answers with more than the first, or less than the second, in one column are compared in the other, as Dong does."""


class PairedColumn(Frozen):
    """One of two columns, on the answers that have a value in both."""

    column: str
    """Name of the metric."""
    mean: float
    """Mean of its values."""
    sd: float | None
    """Their standard deviation (ddof 1); None for one answer."""
    rated: int | None
    """Answers that were judged in this column and people have rated, 0 is uncalibrated; None for a computed metric."""


class AnswerGroup(Frozen):
    """Answers with a high or a low value in the first column."""

    n: int
    """Number of answers."""
    mean: float | None
    """Their mean in the second column; None without answers."""


class ColumnPair(Frozen):
    """Two columns against each other, on distinct answers."""

    n: int
    """Number of distinct answers with a value in both columns."""
    first: PairedColumn | None
    """The judged column of the assessment; None without answers."""
    second: PairedColumn | None
    """The column that it is compared with; None without answers."""
    rho: float | None
    """Spearman's rank correlation; None if one side is constant."""
    rho_interval: Interval | None
    """95 % interval of rho by a bootstrap of whole questions."""
    p: float | None
    """Two-sided p value of rho, which takes the answers as independent; None if rho is None, or below three answers."""
    high: AnswerGroup
    """Answers with more than .6 in the first column."""
    low: AnswerGroup
    """Answers with less than .4 in the first column."""


@dataclass(frozen=True)
class ColumnPairs:
    """Compares columns of answers; read-only."""

    judgements: JudgementStore
    labels: LabelStore
    evaluations: EvaluationStore
    items: ItemSource

    def of(self, assessment_id: str, first: str, second: str) -> ColumnPair:
        """Return a column of an assessment against another of it, or one of the 24 metrics of its runs.

        Raises InputError for a column that neither has and for an assessment without answers of runs, and NotFoundError
        if the assessment does not exist.
        """
        assessment = self.judgements.assessment(assessment_id)
        if not assessment.spec.runs:
            raise InputError(sentence("judging.no-runs"), field="assessment")
        columns = assessment.spec.columns
        for name, known in ((first, columns), (second, (*columns, *VECTOR_ORDER))):
            if name not in known:
                raise InputError(sentence("labels.no-column", column=name, columns=", ".join(known)), field="column")
        keys = [key for key in self.items.keys(assessment.spec.runs) if key.key is not None]
        questions = {key.key: str(key.place.number) for key in keys if key.key}
        one, other = (self._values(assessment, name, keys) for name in (first, second))
        both = sorted(item for item in questions if item in one and item in other)
        x, y = (np.array([values[item] for item in both], dtype=np.float64) for values in (one, other))
        found = agreement(x, y, [questions[item] for item in both], labelled=len(both))
        rho, rated = found.rho if found else None, self.labels.rated(assessment_id)
        known_rated = {name: rated.get(name, 0) for name in columns}
        return ColumnPair(
            n=len(both),
            first=_column(first, x, known_rated.get(first)) if both else None,
            second=_column(second, y, known_rated.get(second)) if both else None,
            rho=rho,
            rho_interval=found.rho_interval if found else None,
            p=None if rho is None else _p_value(x, y),
            high=_group(y[x > HIGH]),
            low=_group(y[x < LOW]),
        )

    def _values(self, assessment: Assessment, column: str, keys: Sequence[ItemKey]) -> dict[str, float]:
        """Return the values of a column by item; equal answers of several runs are one item and have one score."""
        if column in assessment.spec.columns:
            return first_values(self.judgements, assessment.id, column)
        found: dict[str, float] = {}
        for run_id in assessment.spec.runs:
            scores = self.evaluations.run_scores(run_id)
            by_number = dict(zip(scores.numbers, scores.table.column(column), strict=True))
            for key in keys:
                score = by_number.get(key.place.number) if key.place.run_id == run_id else None
                if key.key and score is not None and score.value is not None:
                    found[key.key] = score.value
        return found


def _column(name: str, values: Floats, rated: int | None) -> PairedColumn:
    spread = float(values.std(ddof=1)) if values.size > 1 else None
    return PairedColumn(column=name, mean=float(values.mean()), sd=spread, rated=rated)


def _group(values: Floats) -> AnswerGroup:
    return AnswerGroup(n=values.size, mean=float(values.mean()) if values.size else None)


def _p_value(x: Floats, y: Floats) -> float | None:
    from scipy.stats import spearmanr

    return float(spearmanr(x, y).pvalue) if x.size > 2 else None
