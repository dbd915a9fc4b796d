"""Which threshold to take, and how much of its gain holds: chosen on half of the questions, confirmed on the other.

The best of several thresholds looks better than it is, because chance helped to choose it. Each split chooses on one
half, with constants of that half and this model alone, and measures the gain of what was chosen on the other half
with the same constants.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from passer.domain.base import Frozen
from passer.domain.composite import Panel
from passer.domain.evidence.permutation import sign_flip_test
from passer.domain.statistics import Floats, Interval

SPLITS = 200
"""Repeated random halves."""


class SplitChoice(Frozen):
    """What repeated half splits recommend for one model."""

    chosen_share: tuple[float, ...]
    """Of each threshold: share of splits in which it was chosen."""
    baseline_share: float
    """Share of splits in which no threshold gained, so that the baseline was kept."""
    confirmed_gain: float
    """Mean gain of the chosen on the other half."""
    confirmed_range: Interval
    """2.5th and 97.5th percentile of that gain over the splits; splits share questions, so it is no test."""
    optimism: float
    """Mean gain on the choosing half minus that on the other half."""
    best: int | None
    """Place of the threshold with the largest gain over all questions; None where none gains."""
    not_told_apart: tuple[int, ...]
    """Places of the best and of all thresholds that cannot be told from it (sign-flip, max-T, .05)."""
    splits: int
    """How many."""
    n_questions: int
    """Questions that the baseline and all thresholds have."""


def split_choice(
    baseline: Floats, thresholds: Sequence[Floats], panel: Panel, *, seed: int, splits: int = SPLITS
) -> SplitChoice:
    """Choose by mean gain in CPS; ties go to the earlier threshold, and no gain to the baseline.

    `baseline` and each of `thresholds` hold the panel's columns, shape (questions, metrics), in the same order of at
    least four questions.
    """
    pool = np.stack([baseline, *thresholds])
    n = pool.shape[1]
    lowest, highest = pool.min(axis=0), pool.max(axis=0)
    rng = np.random.default_rng(seed)
    chosen = np.zeros(len(thresholds) + 1, dtype=np.int64)
    inside, outside = np.zeros(splits), np.zeros(splits)
    for split in range(splits):
        order = rng.permutation(n)
        here, there = order[: n // 2], order[n // 2 :]
        low, high = lowest[here].min(axis=0), highest[here].max(axis=0)
        gains = _gains(pool, here, panel, low, high)
        taken = int(gains.argmax())
        chosen[taken] += 1
        inside[split] = gains[taken]
        outside[split] = _gains(pool, there, panel, low, high)[taken]
    low, high = pool.min(axis=(0, 1)), pool.max(axis=(0, 1))
    best, alike = _told_apart(_cps(pool, panel, low, high), seed=seed)
    bounds = np.quantile(outside, (0.025, 0.975))
    return SplitChoice(
        chosen_share=tuple((chosen[1:] / splits).tolist()),
        baseline_share=float(chosen[0] / splits),
        confirmed_gain=float(outside.mean()),
        confirmed_range=Interval(low=float(bounds[0]), high=float(bounds[1])),
        optimism=float((inside - outside).mean()),
        best=best,
        not_told_apart=alike,
        splits=splits,
        n_questions=n,
    )


def _cps(pool: Floats, panel: Panel, low: Floats, high: Floats) -> Floats:
    """CPS from metrics in the last dimension; a constant metric adds the same to all."""
    span = high - low
    distance = np.where([item.higher_is_better for item in panel.metrics], pool - low, high - pool)
    normalised = np.where(span > 0, distance / np.where(span > 0, span, 1.0), 0.5)
    return np.asarray(normalised @ panel.weights)


def _gains(pool: Floats, questions: NDArray[np.intp], panel: Panel, low: Floats, high: Floats) -> Floats:
    """Mean gain of each configuration over the first, which is the baseline's 0."""
    # CPS is linear in the metrics, so that the mean of a half's CPS is the CPS of its mean metrics.
    chosen = np.zeros(pool.shape[1])
    chosen[questions] = 1 / len(questions)
    means = _cps(chosen @ pool, panel, low, high)
    # Rounding must not make a copy of the baseline better than it.
    return np.asarray(np.round(means - means[0], 12))


def _told_apart(cps: Floats, *, seed: int) -> tuple[int | None, tuple[int, ...]]:
    gains = np.round(cps[1:].mean(axis=1) - cps[0].mean(), 12)
    best = int(gains.argmax())
    if gains[best] <= 0:
        return None, ()
    differences = (cps[1:] - cps[1 + best]).T
    p = sign_flip_test(differences, np.ones(differences.shape, dtype=bool), seed=seed).p_max_t
    return best, tuple(place for place, value in enumerate(p) if value is None or value >= 0.05)
