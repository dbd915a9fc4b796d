"""Slope of a judge's value over the length of answers, at equal agreement of their words with the reference."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from passer.domain.base import Frozen
from passer.domain.share_intervals import FEWEST_CLUSTERS
from passer.domain.statistics import Floats, Interval

FEWEST = 20
"""Fewest answers, for a slope and two other coefficients."""


class LengthSlope(Frozen):
    """Least squares of a judge's value on the length of the answer and its token F1 with the reference."""

    answers: int
    """Number of answers with a value, words and a reference."""
    slope: float
    """Change of the value for each doubling of the number of words, at equal F1."""
    interval: Interval
    """95 % interval by Student's t; standard error of whole questions (CR1)."""


def length_slope(values: Floats, words: Floats, overlap: Floats, questions: Sequence[str]) -> LengthSlope | None:
    """Return the slope of judged values on log2 of the number of words, shapes (n,); `overlap` is F1 in [0, 1].

    None below 20 answers to 6 questions, and where all values or all lengths are equal.
    """
    names, groups = np.unique(np.array(questions), return_inverse=True)
    if values.size < FEWEST or len(names) < FEWEST_CLUSTERS or not np.ptp(values):
        return None
    columns = np.column_stack((np.ones(values.size), np.log2(words), overlap))
    # F1 that is the same for all answers, or a function of their length, leaves nothing to hold constant.
    if np.linalg.matrix_rank(columns) < columns.shape[1]:
        columns = columns[:, :2]
    n, k = columns.shape
    if np.linalg.matrix_rank(columns) < k:
        return None
    bread = np.linalg.inv(columns.T @ columns)
    found = bread @ columns.T @ values
    influence = columns * (values - columns @ found)[:, None]
    scores = np.zeros((len(names), k))
    np.add.at(scores, groups, influence)
    g = len(names)
    meat = scores.T @ scores * (g / (g - 1)) * ((n - 1) / (n - k))
    error = float(np.sqrt((bread @ meat @ bread)[1, 1]))
    return LengthSlope(answers=n, slope=float(found[1]), interval=_interval(float(found[1]), error, g - 1))


def _interval(slope: float, error: float, freedom: int) -> Interval:
    from scipy.special import stdtrit

    half = float(stdtrit(freedom, 0.975)) * error
    return Interval(low=slope - half, high=slope + half)
