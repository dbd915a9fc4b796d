"""Tests of the three research questions: does the threshold matter, differently by model, differently by domain."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from passer.domain.base import Frozen
from passer.domain.evidence.permutation import DRAWS, LabelTest, label_test, sign_flip_test
from passer.domain.statistics import Floats, mean_of

OMNIBUS_DRAWS = 2_000
"""Random orders of the configurations within every question; fewer where there are very many rows."""
# The smallest possible p is then 1 / 201, so that .05 can be reached whatever the number of rows.
_FEWEST_DRAWS = 200
_MOST_ORDERED = 40_000_000
"""Rows put into a random order, over all draws: some seconds."""


class OmnibusTest(Frozen):
    """RQ1 for one model: do its configurations differ at all?"""

    f: float | None
    """F of a randomised block design, questions as blocks; None where nothing varies, or nothing but configurations."""
    p: float | None
    """Share of draws with as large an F, (b + 1) / (m + 1)."""
    p_max_f: float | None
    """The same, corrected over all models by the largest F of each draw."""
    n_questions: int
    """Questions that all configurations of the model have; the others are left out."""
    n_configurations: int
    """The baseline included."""
    draws: int
    """Number of draws, m."""


def omnibus_tests(models: Sequence[Floats], *, seed: int, draws: int | None = None) -> list[OmnibusTest]:
    """RQ1: permute configurations within each question, the same way for all models that have the question.

    `models` holds values of shape (questions, configurations) over the same questions, NaN where there is none.
    """
    if not models:
        return []
    complete = np.array([~np.isnan(matrix).any(axis=1) for matrix in models])
    if draws is None:
        rows_drawn = max(
            1, sum(int(rows.sum()) * matrix.shape[1] for matrix, rows in zip(models, complete, strict=True))
        )
        draws = max(_FEWEST_DRAWS, min(OMNIBUS_DRAWS, _MOST_ORDERED // rows_drawn))
    # Random orders are drawn for these questions alone, so that questions that nobody answered change no p value.
    universe = complete.any(axis=0)
    rows = [here[universe] for here in complete]
    values = [_within_questions(matrix[here]) for matrix, here in zip(models, complete, strict=True)]
    observed = np.array([_f(matrix.sum(axis=0), matrix) for matrix in values])
    widest = max((matrix.shape[1] for matrix in values), default=0)
    alone, largest = np.zeros(len(values), dtype=np.int64), np.zeros(len(values), dtype=np.int64)
    for drawn in _drawn_fs(values, rows, shape=(int(universe.sum()), widest), draws=draws, seed=seed):
        alone += drawn >= observed * (1 - 1e-9)
        largest += drawn.max() >= observed * (1 - 1e-9)
    return [
        OmnibusTest(
            f=float(f) if testable and np.isfinite(f) else None,
            p=float((alone[place] + 1) / (draws + 1)) if testable else None,
            p_max_f=float((largest[place] + 1) / (draws + 1)) if testable else None,
            n_questions=matrix.shape[0],
            n_configurations=matrix.shape[1],
            draws=draws,
        )
        for place, (f, matrix) in enumerate(zip(observed, values, strict=True))
        for testable in [bool(matrix.any()) and len(matrix) > 1]
    ]


def _within_questions(matrix: Floats) -> Floats:
    """Subtract each question's mean; return 0 for a question with equal answers, without the rounding error."""
    if not len(matrix):
        return matrix
    centred = matrix - matrix.mean(axis=1, keepdims=True)
    return np.where(np.ptp(matrix, axis=1, keepdims=True) > 1e-12, centred, 0.0)


def _f(sums: Floats, matrix: Floats) -> float:
    """F of the block design; `matrix` has its question means removed, and permuting rows keeps its total."""
    n, k = matrix.shape
    total = float((matrix * matrix).sum())
    between = float(sums @ sums) / n if n else 0.0
    rest = total - between
    if n < 2 or k < 2 or total <= 0:
        return 0.0
    # What is left by rounding is no spread: F would be huge and different on every machine.
    return float("inf") if rest <= 1e-12 * total else between / (k - 1) / (rest / ((n - 1) * (k - 1)))


def _drawn_fs(
    values: Sequence[Floats], rows: Sequence[NDArray[np.bool_]], *, shape: tuple[int, int], draws: int, seed: int
) -> Iterator[Floats]:
    """Return F of each model with the configurations of each question in a random order, once per draw.

    `shape` counts the questions and the configurations of the widest model; `rows` are each model's questions.
    """
    rng = np.random.default_rng(seed)
    for _ in range(draws):
        # Sorting one random number per place gives each question its order; narrower models use its first places.
        keys = rng.random(shape)
        yield np.array([_drawn_f(matrix, keys[here]) for matrix, here in zip(values, rows, strict=True)])


def _drawn_f(matrix: Floats, keys: Floats) -> float:
    order = keys[:, : matrix.shape[1]].argsort(axis=1)
    return _f(np.take_along_axis(matrix, order, axis=1).sum(axis=0), matrix)


class InteractionTest(Frozen):
    """RQ2 between two models at one threshold: does the gain differ?"""

    difference: float | None
    """Mean gain of the first model minus that of the second, over the questions that both have; weighted."""
    n_questions: int
    """Number of questions."""
    p: float | None
    """Sign-flip permutation of the per-question differences of gains."""
    p_max_t: float | None
    """The same, corrected over all thresholds by max-T."""


def interaction_tests(
    first: Floats, second: Floats, *, seed: int, draws: int = DRAWS, weights: Floats | None = None
) -> list[InteractionTest]:
    """RQ2: gains of two models over the same questions, shape (questions, levels), NaN where there is none.

    `weights` are those of the questions, shape (questions,), by default equal.
    """
    differences = first - second
    test = sign_flip_test(differences, seed=seed, draws=draws, weights=weights)
    known = [~np.isnan(column) for column in differences.T]
    return [
        InteractionTest(
            difference=mean_of(column[here], None if weights is None else weights[here]),
            n_questions=int(here.sum()),
            p=test.p[place],
            p_max_t=test.p_max_t[place],
        )
        for place, (column, here) in enumerate(zip(differences.T, known, strict=True))
    ]


def domain_tests(first: Floats, second: Floats, *, seed: int, draws: int = DRAWS) -> LabelTest | None:
    """Test gains in one domain against gains in another for one model (RQ3), unpaired; None below two questions.

    Both hold gains on shared constants, shape (questions, levels), NaN where there is none. A question that lacks a
    level is left out, so that permuting its domain moves all its levels together.
    """
    one, other = (gains[~np.isnan(gains).any(axis=1)] for gains in (first, second))
    if len(one) < 2 or len(other) < 2:
        return None
    return label_test(one, other, seed=seed, draws=draws)
