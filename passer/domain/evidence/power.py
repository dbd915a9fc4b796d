"""Smallest detectable difference, and the number of questions that detects a given one, by the noncentral t."""

from __future__ import annotations

from bisect import bisect_left

import numpy as np

from passer.domain.base import Frozen
from passer.domain.verdict.sample_size import POWER

GAINS = (0.005, 0.01, 0.02, 0.05)
"""Gains that a study is planned for, in CPS: half a point to five points."""
REPEATS = (1, 3, 5)
"""Repetitions of each question in a planned study."""
_MOST_QUESTIONS = 10_000_000


class PlannedQuestions(Frozen):
    """Number of questions needed to detect gains of .5, 1, 2 and 5 points with this number of repetitions."""

    repeats: int
    """Answers to each question, averaged."""
    spread: float
    """Standard deviation of the per-question differences to be expected, in CPS."""
    questions: tuple[int | None, ...]
    """Number of questions for each of these gains; None where there is no spread, or beyond ten million."""


def power_of_paired_t(*, effect: float, n: int, alpha: float) -> float:
    """Return the power of a two-sided paired t-test of n >= 2 pairs at level alpha for an effect in SD units."""
    from scipy.special import nctdtr, stdtrit

    freedom = n - 1
    critical = float(stdtrit(freedom, 1 - alpha / 2))
    shift = abs(effect) * float(np.sqrt(n))
    # The wrong tail is NaN where it is too small for the library to compute: it counts as 0.
    wrong_side = float(np.nan_to_num(nctdtr(freedom, shift, -critical)))
    return float(1 - nctdtr(freedom, shift, critical)) + wrong_side


def minimum_detectable_difference(*, spread: float, n: int, alpha: float) -> float | None:
    """Return the smallest mean difference that n pairs detect with power POWER, in units of `spread`; None if n < 2.

    `spread` is the standard deviation of the differences (ddof 1), `alpha` the level after correction for the family.
    """
    if n < 2:
        return None
    from scipy.optimize import brentq

    def lacking(effect: float) -> float:
        return power_of_paired_t(effect=effect, n=n, alpha=alpha) - POWER

    # No upper bound is known: with two pairs and a strict level the difference may be many standard deviations.
    high = 1.0
    while lacking(high) < 0:
        high *= 2
    return float(brentq(lacking, 0.0, high, xtol=1e-14)) * spread


def questions_needed(*, gain: float, spread: float, alpha: float) -> int | None:
    """Return the smallest number of questions that detect a gain with power POWER; None if above ten million."""
    if not gain or spread <= 0:
        return None
    effect = abs(gain) / spread

    def is_enough(n: int) -> bool:
        return power_of_paired_t(effect=effect, n=n, alpha=alpha) >= POWER

    high = 2
    # Power grows with n: the answer lies between the last two doublings, and is found there by bisection.
    while not is_enough(high):
        high *= 2
        if high > _MOST_QUESTIONS:
            return None
    low = max(2, high // 2)
    return low + bisect_left(range(low, high), True, key=is_enough)


def spread_with_repeats(*, spread: float, noise: float, repeats: int) -> float:
    """Return the SD of the differences if both sides are averages of `repeats` repetitions.

    `spread` is that of single answers; `noise` the standard deviation of one configuration's CPS over repetitions of
    a question. The variance between questions stays, 2 noise^2 of it is divided by the repetitions.
    """
    between = max(spread * spread - 2 * noise * noise, 0.0)
    return float(np.sqrt(between + 2 * noise * noise / repeats))


def spread_of_single_answers(*, spread: float, noise: float, averaged: float) -> float:
    """Return the SD that the differences would have with one repetition on both sides.

    `spread` is that of averages, `noise` as for spread_with_repeats; `averaged` is the mean of 1 / repetitions, 0 to 1.
    """
    between = max(spread * spread - 2 * noise * noise * averaged, 0.0)
    return float(np.sqrt(between + 2 * noise * noise))


def planned_questions(
    *, spread: float, noise: float | None, averaged: float, alpha: float
) -> tuple[PlannedQuestions, ...]:
    """Return the plan for all REPEATS and GAINS from a pilot's differences; without its noise, for one repetition.

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
            questions=tuple(questions_needed(gain=gain, spread=value, alpha=alpha) for gain in GAINS),
        )
        for times, value in expected.items()
    )
