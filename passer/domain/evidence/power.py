"""How large a difference must be to be found, and how many questions find a given one; by the noncentral t."""

from __future__ import annotations

import numpy as np

POWER = 0.8
"""Chance of finding the difference that is asked for."""
_MOST_QUESTIONS = 10_000_000


def power_of_paired_t(*, effect: float, n: int, alpha: float) -> float:
    """Chance that a two-sided paired t-test of n >= 2 pairs at level alpha finds an effect of `effect` deviations."""
    from scipy.special import nctdtr, stdtrit

    freedom = n - 1
    critical = float(stdtrit(freedom, 1 - alpha / 2))
    shift = abs(effect) * float(np.sqrt(n))
    return float(1 - nctdtr(freedom, shift, critical) + nctdtr(freedom, shift, -critical))


def minimum_detectable_difference(*, spread: float, n: int, alpha: float, power: float = POWER) -> float | None:
    """Smallest mean difference that n pairs find with this power, in the unit of `spread`; None below two pairs.

    `spread` is the standard deviation of the differences (ddof 1), `alpha` the level after correction for the family.
    """
    if n < 2:
        return None
    low, high = 0.0, 1.0
    while power_of_paired_t(effect=high, n=n, alpha=alpha) < power:
        low, high = high, 2 * high
    for _ in range(80):
        middle = (low + high) / 2
        if power_of_paired_t(effect=middle, n=n, alpha=alpha) < power:
            low = middle
        else:
            high = middle
    return high * spread


def questions_needed(*, gain: float, spread: float, alpha: float, power: float = POWER) -> int | None:
    """Fewest questions that find a mean gain with this power; None for no gain, or beyond ten million."""
    if not gain or spread <= 0:
        return None
    effect = abs(gain) / spread
    high = 2
    while power_of_paired_t(effect=effect, n=high, alpha=alpha) < power:
        high *= 2
        if high > _MOST_QUESTIONS:
            return None
    low = max(2, high // 2)
    while low < high:
        middle = (low + high) // 2
        if power_of_paired_t(effect=effect, n=middle, alpha=alpha) < power:
            low = middle + 1
        else:
            high = middle
    return high


def spread_with_repeats(*, spread: float, noise: float, repeats: int) -> float:
    """Standard deviation of the differences when both sides are asked `repeats` times and averaged.

    `spread` is that of single answers; `noise` the standard deviation of one configuration's CPS over repetitions of
    a question. The variance between questions stays, 2 noise^2 of it is divided by the repetitions.
    """
    between = max(spread * spread - 2 * noise * noise, 0.0)
    return float(np.sqrt(between + 2 * noise * noise / repeats))
