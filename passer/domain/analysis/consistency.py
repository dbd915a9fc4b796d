"""Consistency of repeats: how far the same question, asked again, ends the same way.

T-CPS and CV mix the difficulty of questions with the instability of answers. These figures are about instability alone:
they compare the repeats of each question with each other.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from passer.domain.base import Frozen
from passer.domain.defaults import RIGHT_FROM
from passer.domain.statistics import Floats, Interval, wilson_interval


class Share(Frozen):
    """A share of questions."""

    value: float
    """The share, 0 to 1."""
    interval: Interval
    """95 % Wilson interval."""


class Consistency(Frozen):
    """Agreement of the repeats of one configuration; all means are over questions, each counted once."""

    metric: str
    """Metric by which an answer is right or wrong: the primary one."""
    right_from: float
    """Score at which an answer is right, or beyond it in the better direction."""
    repeats: int
    """Most repeats of a question."""
    questions: int
    """Questions with a score in at least two repeats."""
    agreement: float
    """Mean share of pairs of repeats that are both right or both wrong, in [0, 1]."""
    flipped: Share
    """Questions that are right in some repeats and wrong in others."""
    always_right: Share
    """Questions that are right in all repeats."""


def consistency_of(
    questions: NDArray[np.intp], scores: Floats, *, metric: str, higher_is_better: bool, right_from: float | None
) -> Consistency | None:
    """Return the agreement of repeats, from one row per answer.

    `questions` (rows,) numbers the question of each row, `scores` (rows,) are its scores. None where fewer than half of
    the questions were asked again (a question that occurs twice by accident is no repeat), and, unless `right_from` is
    given, for a metric with scores beyond 0 to 1, where no score separates right from wrong by itself.
    """
    _, places, counts = np.unique(questions, return_inverse=True, return_counts=True)
    if not counts.size or 2 * (counts > 1).sum() < counts.size:
        return None
    if right_from is None and (scores.min() < 0 or scores.max() > 1):
        return None
    bound = RIGHT_FROM if right_from is None else right_from
    is_right = scores >= bound if higher_is_better else scores <= bound
    several = counts > 1
    n = counts[several]
    right = np.bincount(places, weights=is_right)[several]
    wrong = n - right
    pairs = (right * (right - 1) + wrong * (wrong - 1)) / (n * (n - 1))
    return Consistency(
        metric=metric,
        right_from=bound,
        repeats=int(n.max()),
        questions=int(n.size),
        agreement=float(pairs.mean()),
        flipped=_share((right > 0) & (wrong > 0)),
        always_right=_share(wrong == 0),
    )


def _share(members: NDArray[np.bool_]) -> Share:
    count, n = int(members.sum()), int(members.size)
    interval = wilson_interval(count, n)
    if interval is None:
        raise ValueError("a share needs at least one question")
    return Share(value=count / n, interval=interval)
