"""Counts and means over the question records of a run, added up as any program would."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from passer.domain.base import Count, Frozen
from passer.domain.bundle.question_record import COLUMNS, vector
from passer.domain.score import VECTOR_ORDER


class Counts(Frozen):
    """Number of questions by state."""

    asked: Count
    """Number of all questions."""
    answered: Count
    """Number of questions with an answer."""
    scored: Count
    """Number of questions with scores."""
    failed: Count
    """Number of questions without an answer."""
    reasons: dict[str, Count]
    """Failed questions by reason."""


class Mean(Frozen):
    """Mean of one column over a run."""

    mean: float | None
    """Mean over the records with a value; None without any."""
    n: Count
    """Number of records with a value."""


class Tally:
    """Accumulates counts and means over the records."""

    def __init__(self) -> None:
        self._states: dict[str, int] = {}
        self._reasons: dict[str, int] = {}
        self._means = RunningMeans(len(VECTOR_ORDER))

    def add(self, *, state: str, reason: str | None, scores: dict[str, float | None] | None) -> None:
        """Add a record."""
        self._states[state] = self._states.get(state, 0) + 1
        if reason is not None:
            self._reasons[reason] = self._reasons.get(reason, 0) + 1
        if scores is not None:
            self._means.add(vector(scores))

    @property
    def counts(self) -> Counts:
        """Return the counts."""
        scored = self._states.get("scored", 0)
        return Counts(
            asked=sum(self._states.values()),
            answered=self._states.get("answered", 0) + scored,
            scored=scored,
            failed=self._states.get("failed", 0),
            reasons=dict(self._reasons),
        )

    @property
    def means(self) -> dict[str, Mean]:
        """Return the means by column."""
        pairs = zip(VECTOR_ORDER, self._means.means, self._means.counts, strict=True)
        return {column: Mean(mean=mean, n=n) for column, mean, n in pairs}


class RunningMeans:
    """Means of several columns as plain sums in order, so that any program gets the same double."""

    def __init__(self, places: int) -> None:
        self._sums = [0.0] * places
        self.counts = [0] * places

    def add(self, values: Sequence[float | None]) -> None:
        """Add a row; None does not count."""
        sums, counts = self._sums, self.counts
        for place, value in enumerate(values):
            if value is not None:
                sums[place] += value
                counts[place] += 1

    @property
    def means(self) -> tuple[float | None, ...]:
        """Return the mean; None without a value, or if the sum exceeds a double."""
        return tuple(_mean(total, n) for total, n in zip(self._sums, self.counts, strict=True))


def mean_scores(means: Mapping[str, Mean]) -> tuple[float | None, ...]:
    """Return means in vector order."""
    return tuple(means[column].mean if column in COLUMNS and column in means else None for column in VECTOR_ORDER)


def _mean(total: float, n: int) -> float | None:
    mean = total / n if n else math.nan
    return mean if math.isfinite(mean) else None
