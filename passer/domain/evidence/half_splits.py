"""Which threshold to take, and how much of its gain holds: chosen on half of the questions, confirmed on the other.

The best of several thresholds looks better than it is, because chance helped to choose it. Each split chooses on one
half, with constants of that half and this model alone, and measures the gain of what was chosen on the other half
with the same constants. The rule is that of the recommendation: of the thresholds that gain significantly (paired
t-test, Holm over the declared family), the one with the highest T-CPS, and the baseline where none does.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from passer.domain.base import Frozen
from passer.domain.composite import Panel, coefficient_of_variation, tcps
from passer.domain.evidence.permutation import sign_flip_test
from passer.domain.statistics import Floats, Interval, adjusted_p_values, paired_t_test

SPLITS = 200
"""Repeated random halves."""
RULE = "gains significantly (Holm, .05), then highest T-CPS"
"""How a half chooses, and how the recommendation does."""
_LEVEL = 0.05


class SplitChoice(Frozen):
    """What repeated half splits recommend for one model."""

    chosen_share: tuple[float, ...]
    """Of each threshold: share of splits in which it was chosen."""
    baseline_share: float
    """Share of splits in which no threshold gained significantly, so that the baseline was kept."""
    confirmed_gain: float
    """Mean gain of the chosen on the other half."""
    confirmed_range: Interval
    """2.5th and 97.5th percentile of that gain over the splits; splits share questions, so it is no test."""
    optimism: float
    """Mean gain on the choosing half minus that on the other half."""
    best: int | None
    """Place of the threshold that the same rule takes over all these questions; None where none gains significantly."""
    not_told_apart: tuple[int, ...]
    """Places of the best and of all thresholds whose CPS cannot be told from its (sign-flip, max-T, .05)."""
    splits: int
    """How many."""
    n_questions: int
    """Questions that the baseline and all thresholds have."""


def split_choice(
    baseline: Floats,
    thresholds: Sequence[Floats],
    panel: Panel,
    *,
    seed: int,
    splits: int = SPLITS,
    family_size: int | None = None,
) -> SplitChoice:
    """Choose by RULE; equal T-CPS goes to the earlier threshold, no significant gain to the baseline.

    `baseline` and each of `thresholds` hold the panel's columns, shape (questions, metrics), in the same order of at
    least four questions. `family_size` counts the comparisons of all models, by default these alone.
    """
    family = len(thresholds) if family_size is None else family_size
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
        cps = _cps(pool, panel, low, high)
        place = _best(cps[:, here], family=family)
        taken = 0 if place is None else place + 1
        chosen[taken] += 1
        inside[split], outside[split] = ((cps[taken, half] - cps[0, half]).mean() for half in (here, there))
    low, high = pool.min(axis=(0, 1)), pool.max(axis=(0, 1))
    best, alike = _told_apart(_cps(pool, panel, low, high), family=family, seed=seed)
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


def _best(cps: Floats, *, family: int) -> int | None:
    """Place of the threshold that RULE takes; `cps` of shape (1 + thresholds, questions), the baseline first.

    Other comparisons of the family count as larger p values, which is the strictest that Holm can be.
    """
    tests = [paired_t_test(values, cps[0]) for values in cps[1:]]
    corrected = adjusted_p_values([test.p for test in tests], "holm", family_size=family)
    ranked = [
        (float("-inf") if (score := _tcps(cps[1 + place])) is None else round(score, 12), -place)
        for place, (test, p) in enumerate(zip(tests, corrected, strict=True))
        if p is not None and p < _LEVEL and (test.mean_difference or 0.0) > 0
    ]
    return -max(ranked)[1] if ranked else None


def _tcps(values: Floats) -> float | None:
    return tcps(mean=float(values.mean()), cv=coefficient_of_variation(values))


def _told_apart(cps: Floats, *, family: int, seed: int) -> tuple[int | None, tuple[int, ...]]:
    best = _best(cps, family=family)
    if best is None:
        return None, ()
    differences = (cps[1:] - cps[1 + best]).T
    p = sign_flip_test(differences, np.ones(differences.shape, dtype=bool), seed=seed).p_max_t
    return best, tuple(place for place, value in enumerate(p) if value is None or value >= _LEVEL)
