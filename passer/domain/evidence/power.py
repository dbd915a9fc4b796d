"""How large a difference must be to be found, and how many questions find a given one; by the noncentral t."""

from __future__ import annotations

import numpy as np

from passer.domain.base import Frozen

POWER = 0.8
"""Chance of finding the difference that is asked for."""
GAINS = (0.005, 0.01, 0.02, 0.05)
"""Gains that a study is planned for, in CPS: half a point to five points."""
REPEATS = (1, 3, 5)
"""How often a planned study asks each question."""
_MOST_QUESTIONS = 10_000_000


class PlannedQuestions(Frozen):
    """How many questions find each of GAINS when all are asked so often."""

    repeats: int
    """Answers to each question, averaged."""
    spread: float
    """Standard deviation of the per-question differences to be expected, in CPS."""
    questions: tuple[int | None, ...]
    """By GAINS; None where there is no spread, or beyond ten million."""


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


def spread_of_single_answers(*, spread: float, noise: float, averaged: float) -> float:
    """Standard deviation of the differences had each question been asked once on both sides.

    `spread` is that of averages, `noise` as for spread_with_repeats; `averaged` is the mean of 1 / repetitions, 0 to 1.
    """
    between = max(spread * spread - 2 * noise * noise * averaged, 0.0)
    return float(np.sqrt(between + 2 * noise * noise))


def planned_questions(
    *, spread: float, noise: float | None, averaged: float, alpha: float, power: float = POWER
) -> tuple[PlannedQuestions, ...]:
    """The grid of REPEATS and GAINS from a pilot's differences; without its noise (None) only for asking once.

    `spread` is of the pilot's averages, `averaged` its mean of 1 / repetitions, `alpha` the level after correction.
    """
    if noise is None:
        expected = {1: spread}
    else:
        single = spread_of_single_answers(spread=spread, noise=noise, averaged=averaged)
        expected = {times: spread_with_repeats(spread=single, noise=noise, repeats=times) for times in REPEATS}
    return tuple(
        PlannedQuestions(
            repeats=times,
            spread=value,
            questions=tuple(questions_needed(gain=gain, spread=value, alpha=alpha, power=power) for gain in GAINS),
        )
        for times, value in expected.items()
    )
