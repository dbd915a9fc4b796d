"""Paired comparison by question: t-test, effect size, interval, correction for many comparisons."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from passer.domain.base import Frozen

Floats = NDArray[np.float64]
Correction = Literal["holm", "bonferroni", "benjamini-hochberg"]
"""How p values of a family are corrected: the first two bound the chance of any false finding, the last its share."""
NoTestReason = Literal["identical", "no_spread", "too_few"]
"""Why there is no t: all differences are 0; all are the same; fewer than two pairs."""


@dataclass(frozen=True)
class ByQuestion:
    """One value per question, repeated rows averaged."""

    ids: tuple[str, ...]
    """Question ids, in order of first appearance."""
    values: Floats
    """Means, shape (len(ids),)."""
    counts: NDArray[np.intp]
    """Rows behind each mean."""

    @property
    def repeated(self) -> int:
        """Questions that occurred more than once."""
        return int((self.counts > 1).sum())


def average_by_question(ids: Sequence[str], values: Floats) -> ByQuestion:
    """Average rows of the same question; questions keep the order of their first row."""
    places = {question: place for place, question in enumerate(dict.fromkeys(ids))}
    codes = np.fromiter((places[question] for question in ids), dtype=np.intp, count=len(ids))
    counts = np.bincount(codes, minlength=len(places))
    sums = np.bincount(codes, weights=values, minlength=len(places))
    return ByQuestion(ids=tuple(places), values=sums / np.maximum(counts, 1), counts=counts)


@dataclass(frozen=True)
class Pairs:
    """Two configurations side by side, question by question."""

    ids: tuple[str, ...]
    """Questions that both have."""
    values: Floats
    """Of the configuration, shape (len(ids),)."""
    baseline: Floats
    """Of the baseline, same order."""
    only_here: int
    """Questions left out because the baseline lacks them."""
    only_baseline: int
    """Questions left out because the configuration lacks them."""


def pair_by_question(here: ByQuestion, baseline: ByQuestion) -> Pairs:
    """Pair two configurations by question id; what is missing on one side is left out and counted."""
    if here.ids == baseline.ids:
        return Pairs(here.ids, here.values, baseline.values, only_here=0, only_baseline=0)
    places = {question: place for place, question in enumerate(baseline.ids)}
    shared = [(place, places[question]) for place, question in enumerate(here.ids) if question in places]
    left = np.array([place for place, _ in shared], dtype=np.intp)
    right = np.array([place for _, place in shared], dtype=np.intp)
    return Pairs(
        ids=tuple(here.ids[place] for place in left),
        values=here.values[left],
        baseline=baseline.values[right],
        only_here=len(here.ids) - len(shared),
        only_baseline=len(baseline.ids) - len(shared),
    )


class Interval(Frozen):
    """A 95 % confidence interval."""

    low: float
    """Lower end."""
    high: float
    """Upper end."""


class PairedTest(Frozen):
    """A two-sided paired t-test with its effect size."""

    n_pairs: int
    """Questions that both sides have."""
    mean_difference: float | None
    """Configuration minus baseline; None without pairs."""
    ci: Interval | None = None
    """Of the mean difference; None below two pairs."""
    t: float | None = None
    """t statistic with n_pairs - 1 degrees of freedom."""
    p: float | None = None
    """Two-sided p."""
    cohens_d: float | None = None
    """Mean difference / standard deviation of the differences (ddof 1)."""
    reason: NoTestReason | None = None
    """Why t, p and d are None."""


def mean_interval(values: Floats) -> Interval | None:
    """95 % confidence interval of a mean by Student's t; None below two values."""
    if values.size < 2:
        return None
    from scipy.special import stdtrit

    mean = float(values.mean())
    half = float(stdtrit(values.size - 1, 0.975)) * float(values.std(ddof=1)) / float(np.sqrt(values.size))
    return Interval(low=mean - half, high=mean + half)


def paired_t_test(values: Floats, baseline: Floats) -> PairedTest:
    """Two-sided paired t-test of `values` against `baseline`, both of shape (n,) and in the same order of questions."""
    differences = values - baseline
    n = differences.size
    mean = float(differences.mean()) if n else None
    if mean is None or n < 2:
        return PairedTest(n_pairs=n, mean_difference=mean, reason="too_few")
    interval = mean_interval(differences)
    if not differences.any():
        return PairedTest(n_pairs=n, mean_difference=0.0, ci=interval, reason="identical")
    spread = float(differences.std(ddof=1))
    # Equal differences leave only the rounding of the subtraction: a t made of it would be noise.
    rounding = 4 * float(np.finfo(np.float64).eps) * float(np.maximum(abs(values), abs(baseline)).max())
    if spread <= rounding:
        return PairedTest(n_pairs=n, mean_difference=mean, ci=interval, reason="no_spread")
    from scipy.special import stdtr

    d = mean / spread
    t = d * float(np.sqrt(n))
    return PairedTest(
        n_pairs=n, mean_difference=mean, ci=interval, t=t, p=min(1.0, 2 * float(stdtr(n - 1, -abs(t)))), cohens_d=d
    )


def adjusted_p_values(
    p_values: Sequence[float | None], method: Correction = "holm", *, family_size: int | None = None
) -> list[float | None]:
    """p values corrected over their declared family, in the order given; None stays None.

    A comparison without a p (identical answers) still belongs to the family, so that `family_size` defaults to
    len(p_values). Holm: running maximum of (m - i) p_(i); Bonferroni: m p; Benjamini-Hochberg: running minimum of
    m p_(i) / i from the largest.
    """
    known = [place for place, p in enumerate(p_values) if p is not None]
    p = np.array([value for value in p_values if value is not None])
    m = len(p_values) if family_size is None else family_size
    if m < len(known):
        raise ValueError("a family cannot be smaller than the p values in it")
    order = np.argsort(p, kind="stable")
    ranks = np.arange(len(known))
    if method == "bonferroni":
        sorted_adjusted = m * p[order]
    elif method == "holm":
        sorted_adjusted = np.maximum.accumulate((m - ranks) * p[order])
    else:
        sorted_adjusted = np.minimum.accumulate((m / (ranks + 1) * p[order])[::-1])[::-1]
    adjusted: list[float | None] = [None] * len(p_values)
    for place, value in zip(order, np.minimum(1.0, sorted_adjusted), strict=True):
        adjusted[known[place]] = float(value)
    return adjusted


def stars(p: float | None) -> str:
    """`***` below .001, `**` below .01, `*` below .05, else `ns`; empty without a p."""
    if p is None:
        return ""
    return next((mark for bound, mark in ((0.001, "***"), (0.01, "**"), (0.05, "*")) if p < bound), "ns")


def effect_band(d: float | None) -> str:
    """Cohen's bands of |d|: negligible, small from .2, medium from .5, large from .8; empty without a d."""
    if d is None:
        return ""
    size = abs(d)
    return next(
        (band for bound, band in ((0.8, "large"), (0.5, "medium"), (0.2, "small")) if size >= bound), "negligible"
    )


def average_ranks(values: Floats) -> Floats:
    """Ranks from 1, shape (n,); equal values share the mean of their places."""
    _, places, counts = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    return np.asarray((last - (counts - 1) / 2)[places])


def spearman_rho(one: Floats, other: Floats) -> float | None:
    """Spearman's rank correlation of two series of the same length; None below two values or where one is constant."""
    if one.size < 2:
        return None
    left, right = average_ranks(one), average_ranks(other)
    left, right = left - left.mean(), right - right.mean()
    scale = float(np.sqrt((left @ left) * (right @ right)))
    return float(left @ right) / scale if scale else None
