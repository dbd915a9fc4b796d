"""Paired comparison by question: t-test, effect size, interval, correction for many comparisons."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from passer.domain.base import Frozen

Floats = NDArray[np.float64]
Levels = NDArray[np.intp]
Correction = Literal["holm", "bonferroni", "benjamini-hochberg"]
"""Correction of p values in a family: the first two bound the chance of any false finding, the last its share."""
NoTestReason = Literal["identical", "no_spread", "too_few"]
"""Reasons why there is no t: all differences are 0; all are the same; fewer than two pairs."""
DECIMALS = 12
"""Decimals to which differences are compared; smaller ones are rounding of the subtraction."""
Z = 1.959963984540054
"""Quantile .975 of the normal distribution."""
FEWEST_DRAWN = 5
"""Values below which no interval of a mean is shown."""
Bounds = tuple[float | None, float | None]
"""Smallest and largest possible value of a metric; None where there is none."""
UNBOUNDED: Bounds = (None, None)
SHARE: Bounds = (0.0, 1.0)


class Interval(Frozen):
    """A 95 % confidence interval."""

    low: float
    """Lower end."""
    high: float
    """Upper end."""


def wilson_interval(successes: float, n: float) -> Interval | None:
    """Return the 95 % interval of a share by Wilson's score (1927); None without observations.

    Unlike mean and standard error it stays within 0 and 1, and is not empty where all observations agree.
    """
    if n < 1:
        return None
    share, scale = successes / n, 1 + Z * Z / n
    centre, half = share + Z * Z / (2 * n), Z * float(np.sqrt(share * (1 - share) / n + Z * Z / (4 * n * n)))
    # Where none or all succeed, an end is 0 or 1 exactly, except for rounding.
    return Interval(low=max(0.0, (centre - half) / scale), high=min(1.0, (centre + half) / scale))


class PairedTest(Frozen):
    """A two-sided paired t-test with its effect size."""

    n_pairs: int
    """Questions that both sides have."""
    mean_difference: float | None
    """Configuration minus baseline; None without pairs."""
    ci: Interval | None = None
    """Interval of the mean difference; None below two pairs."""
    t: float | None = None
    """t statistic with n_pairs - 1 degrees of freedom."""
    p: float | None = None
    """Two-sided p."""
    cohens_d: float | None = None
    """Mean difference / standard deviation of the differences (ddof 1)."""
    reason: NoTestReason | None = None
    """Reason why t, p and d are None."""


def mean_of(values: Floats, weights: Floats | None = None) -> float | None:
    """Return the mean, weighted if weights are given; None for an empty array."""
    if not values.size:
        return None
    return float(values.mean()) if weights is None else float(weights @ values / weights.sum())


def spread_of(values: Floats, weights: Floats | None = None) -> float:
    """Return the standard deviation of two or more values with ddof 1.

    With weights sqrt(sum w (x - mean)^2 / (sum w - sum w^2 / sum w)), the unbiased estimate where a weight says how
    important a value is, as `numpy.cov(values, aweights=weights)`.
    """
    if weights is None:
        return float(values.std(ddof=1))
    total = float(weights.sum())
    squares = float(weights @ (values - float(weights @ values) / total) ** 2)
    return float(np.sqrt(squares / (total - float(weights @ weights) / total)))


def standard_error(values: Floats, weights: Floats) -> float:
    """Return the standard error of the weighted mean of two or more values.

    sqrt(n / (n - 1) sum (w (x - mean))^2) / sum w, as in the verdict (`verdict.cluster_sums`); equal weights give
    SD / sqrt(n).
    """
    n = values.size
    influence = weights * (values - float(weights @ values / weights.sum())) / weights.sum()
    return float(np.sqrt(n / (n - 1) * (influence @ influence)))


def effective_size(weights: Floats) -> float:
    """Return how many equally weighted values are as informative: (sum w)^2 / sum w^2 (Kish 1965)."""
    return float(weights.sum() ** 2 / (weights @ weights))


def mean_interval(values: Floats, weights: Floats | None = None, bounds: Bounds = UNBOUNDED) -> Interval | None:
    """Return the 95 % confidence interval of a mean by Student's t, cut at bounds; None with fewer than two values.

    A mean cannot lie beyond the bounds of its values, so that the cut interval covers it as often.
    """
    if values.size < 2:
        return None
    if weights is None:
        found = interval_of(mean=float(values.mean()), spread=float(values.std(ddof=1)), n=values.size)
    else:
        spread = standard_error(values, weights) * float(np.sqrt(values.size))
        found = interval_of(mean=mean_of(values, weights), spread=spread, n=values.size)
    return None if found is None else _within(found, bounds)


def _within(interval: Interval, bounds: Bounds) -> Interval:
    lowest, highest = bounds
    return Interval(
        low=interval.low if lowest is None else max(lowest, interval.low),
        high=interval.high if highest is None else min(highest, interval.high),
    )


def drawn_interval(values: Floats, weights: Floats | None = None, *, is_bounded: bool) -> Interval | None:
    """Return the interval of a mean as it is shown: of five values or more, and within 0 and 1 where these bound it."""
    return mean_interval(values, weights, SHARE if is_bounded else UNBOUNDED) if values.size >= FEWEST_DRAWN else None


def interval_of(*, mean: float | None, spread: float | None, n: int) -> Interval | None:
    """Return the 95 % confidence interval of a mean from the SD (ddof 1) of n values; None if n < 2."""
    if mean is None or spread is None or n < 2:
        return None
    # scipy.special, not scipy.stats: the distributions there take a hundred times as long for one quantile.
    from scipy.special import stdtrit

    half = float(stdtrit(n - 1, 0.975)) * spread / float(np.sqrt(n))
    return Interval(low=mean - half, high=mean + half)


def paired_t_test(values: Floats, baseline: Floats, weights: Floats | None = None) -> PairedTest:
    """Return the two-sided paired t-test of `values` against `baseline`, both (n,) in the same order of questions.

    With weights t is the weighted mean difference over its `standard_error`, with n - 1 degrees of freedom.
    """
    differences = values - baseline
    n = differences.size
    mean = mean_of(differences, weights)
    if mean is None or n < 2:
        return PairedTest(n_pairs=n, mean_difference=mean, reason="too_few")
    interval = mean_interval(differences, weights)
    if not differences.any():
        return PairedTest(n_pairs=n, mean_difference=0.0, ci=interval, reason="identical")
    t, p = _paired_t(values[None], baseline, weights)
    if p[0] is None:
        return PairedTest(n_pairs=n, mean_difference=mean, ci=interval, reason="no_spread")
    d = mean / spread_of(differences, weights)
    return PairedTest(n_pairs=n, mean_difference=mean, ci=interval, t=float(t[0]), p=p[0], cohens_d=d)


def paired_p_values(values: Floats, baseline: Floats) -> list[float | None]:
    """Return p of paired t-tests of configurations, shape (k, n >= 2), against one baseline, shape (n,).

    None where the differences do not vary.
    """
    return _paired_t(values, baseline)[1]


def _paired_t(values: Floats, baseline: Floats, weights: Floats | None = None) -> tuple[Floats, list[float | None]]:
    # scipy.special, not scipy.stats.ttest_1samp: its checks cost milliseconds a call, and half splits make thousands.
    from scipy.special import stdtr

    differences = values - baseline
    n = differences.shape[1]
    # Equal differences leave only the rounding of the subtraction: their t would be noise.
    rounding = 4 * float(np.finfo(np.float64).eps) * np.maximum(abs(values), abs(baseline)).max(axis=1)
    spread = differences.std(axis=1, ddof=1)
    varies = spread > rounding
    if weights is None:
        ratios = differences.mean(axis=1) / np.where(varies, spread, 1.0) * np.sqrt(n)
    else:
        errors = np.array([standard_error(row, weights) for row in differences])
        ratios = differences @ weights / weights.sum() / np.where(varies, errors, 1.0)
    t = np.where(varies, ratios, 0.0)
    p = np.minimum(1.0, 2 * stdtr(n - 1, -np.abs(t)))
    return t, [float(value) if there else None for value, there in zip(p, varies, strict=True)]


class RankTest(Frozen):
    """A two-sided Wilcoxon signed-rank test."""

    statistic: float | None = None
    """The smaller of the two rank sums."""
    p: float | None = None
    """Two-sided; exact up to 50 pairs without ties, else by the normal approximation."""
    reason: NoTestReason | None = None
    """Reason why there is no p."""


def wilcoxon_test(values: Floats, baseline: Floats) -> RankTest:
    """Return the Wilcoxon signed-rank test of paired values (n,); zeros are ranked, then dropped (Pratt, 1959)."""
    # Ranks see a difference of 1e-17 where the t-test does not: the rounding of the subtraction must become a tie.
    differences = np.round(values - baseline, DECIMALS)
    if differences.size < 2:
        return RankTest(reason="too_few")
    if not differences.any():
        return RankTest(reason="identical")
    from scipy.stats import wilcoxon

    found = wilcoxon(differences, zero_method="pratt")
    return RankTest(statistic=float(found.statistic), p=min(1.0, float(found.pvalue)))


def adjusted_p_values(
    p_values: Sequence[float | None], method: Correction = "holm", *, family_size: int | None = None
) -> list[float | None]:
    """Return p values adjusted for their family, in the same order; None stays None.

    A comparison without a p (identical answers) still belongs to the family, so that `family_size` defaults to
    len(p_values). Holm: running maximum of (m - i) p_(i); Bonferroni: m p; Benjamini-Hochberg: running minimum of
    m p_(i) / i from the largest.
    """
    known = [place for place, p in enumerate(p_values) if p is not None]
    m = len(p_values) if family_size is None else family_size
    if m < len(known):
        raise ValueError("a family cannot be smaller than its number of p values")
    # Comparisons without a p count as p = 1: they only enlarge the family.
    p = np.ones(m)
    p[: len(known)] = [value for value in p_values if value is not None]
    adjusted: list[float | None] = [None] * len(p_values)
    for place, value in zip(known, _corrected(p, method).tolist(), strict=False):
        adjusted[place] = value
    return adjusted


def adjusted_by_each(p_values: Sequence[float | None]) -> dict[Correction, list[float | None]]:
    """Return the adjusted p values by every method."""
    return {method: adjusted_p_values(p_values, method) for method in get_args(Correction)}


def _corrected(p: Floats, method: Correction) -> Floats:
    if method == "bonferroni":
        return np.minimum(1.0, p.size * p)
    order = np.argsort(p, kind="stable")
    ranks, ordered = np.arange(1, p.size + 1), p[order]
    if method == "holm":
        ordered = np.maximum.accumulate((p.size - ranks + 1) * ordered)
    else:
        ordered = np.minimum.accumulate((p.size / ranks * ordered)[::-1])[::-1]
    adjusted = np.empty_like(p)
    adjusted[order] = np.minimum(1.0, ordered)
    return adjusted


def stars(p: float | None) -> str:
    """Return `***` below .001, `**` below .01, `*` below .05, else `ns`; empty without a p."""
    if p is None:
        return ""
    return next((mark for bound, mark in ((0.001, "***"), (0.01, "**"), (0.05, "*")) if p < bound), "ns")


def effect_band(d: float | None) -> str:
    """Return Cohen's band of |d|: negligible, small from .2, medium from .5, large from .8; empty without a d."""
    if d is None:
        return ""
    size = abs(d)
    return next(
        (band for bound, band in ((0.8, "large"), (0.5, "medium"), (0.2, "small")) if size >= bound), "negligible"
    )


def spearman_rho(one: Floats, other: Floats) -> float | None:
    """Return Spearman's rank correlation of two series; None with fewer than two values or a constant series."""
    return spearman_of_levels(levels_of(one), levels_of(other))


def levels_of(values: Floats) -> Levels:
    """Return the place of each value among the different ones in ascending order, from 0."""
    return np.unique(values, return_inverse=True)[1]


def spearman_of_levels(one: Levels, other: Levels) -> float | None:
    """Return Spearman's rho of two series by their levels; a resample uses the levels of the whole, without sorting."""
    if one.size < 2 or np.ptp(one) == 0 or np.ptp(other) == 0:
        return None
    # Without scipy.stats: loading it takes longer than the first analysis of a process, which needs only this.
    return float(np.corrcoef(_ranks(one), _ranks(other))[1, 0])


def _ranks(levels: Levels) -> Floats:
    """Return ranks from 1; equal values share the mean of theirs."""
    counts = np.bincount(levels)
    return np.asarray((np.cumsum(counts) - (counts - 1) / 2)[levels])
