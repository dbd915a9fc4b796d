"""Agreement of two raters: rank correlation, chance-corrected agreement, and limits of agreement.

For calibration of judges, for two raters of the same games, and for tournaments of two judges. All functions return
None where the measure is not defined, such as the correlation of a constant series.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

import numpy as np

from passer.domain.base import Frozen
from passer.domain.statistics import Floats, Interval, PairedTest, paired_t_test

LIMIT = 1.96
"""Standard deviations from the bias to each limit of agreement."""
ROUNDING = 1e-12
"""Difference below which two correlations or kappas are equal; 1 is often computed as 0.9999999999999998."""


class RankCorrelation(Frozen):
    """Kendall's tau-b, which corrects for ties."""

    tau: float
    """Kendall's tau-b, -1 to 1."""
    p: float | None
    """Two-sided; exact for small series without ties, else by the normal approximation."""


class Limits(Frozen):
    """Limits of agreement of two raters (Bland and Altman, 1986)."""

    bias: float
    """Mean of the differences."""
    low: float | None
    """Bias - 1.96 standard deviations (ddof 1) of the differences; None below two differences."""
    high: float | None
    """Bias + 1.96 standard deviations."""


def spearman_interval(rho: float, n: int) -> Interval | None:
    """Return the 95 % interval tanh(atanh(rho) -+ 1.96 sqrt((1 + rho^2 / 2) / (n - 3))) of Spearman's rho.

    None below four pairs, and for a rho of -1 or 1. It assumes that there are no ties; published correlations of judges
    state it. Bonett, D. G., Wright, T. A. (2000), Sample size requirements for estimating Pearson, Kendall and Spearman
    correlations, Psychometrika 65.
    """
    if n < 4 or abs(rho) >= 1 - ROUNDING:
        return None
    half = LIMIT * np.sqrt((1 + rho**2 / 2) / (n - 3))
    low, high = np.tanh(np.arctanh(rho) + np.array([-half, half]))
    return Interval(low=float(low), high=float(high))


def kendall_tau_b(one: Floats, other: Floats) -> RankCorrelation | None:
    """Return tau-b of two series of shape (n,); None with fewer than two values or a constant series."""
    if one.size < 2 or np.ptp(one) == 0 or np.ptp(other) == 0:
        return None
    from scipy.stats import kendalltau

    found = kendalltau(one, other)
    p = float(found.pvalue)
    return RankCorrelation(tau=float(found.statistic), p=p if np.isfinite(p) else None)


def cohen_kappa(
    one: Sequence[object],
    other: Sequence[object],
    categories: Sequence[object],
    *,
    weights: Literal["none", "quadratic"],
) -> float | None:
    """Return Cohen's kappa of two raters' categories, n each: 1 - weighted disagreement / that expected by chance.

    Quadratic weights (Cohen, 1968) are the squared differences of `categories`, which are numbers then: grades that
    nobody gave do not bring their neighbours together. None without items, or where chance alone would never disagree.
    ValueError for a category that is not listed.
    """
    if not one:
        return None
    place = {category: number for number, category in enumerate(categories)}
    unknown = {category for category in (*one, *other) if category not in place}
    if unknown:
        raise ValueError(f"not among the categories: {unknown}")
    table = np.zeros((len(place), len(place)))
    for mine, theirs in zip(one, other, strict=True):
        table[place[mine], place[theirs]] += 1
    return kappa_of(table, np.array(categories, dtype=float) if weights == "quadratic" else None)


def kappa_of(table: Floats, values: Floats | None) -> float | None:
    """Return Cohen's kappa of a confusion table of counts, shape (k, k); None where chance alone never disagrees.

    `values` are the numbers of the categories for quadratic weights; None counts each disagreement as 1.
    """
    cost = 1 - np.eye(len(table)) if values is None else np.subtract.outer(values, values) ** 2
    expected = np.outer(table.sum(axis=1), table.sum(axis=0)) / table.sum()
    by_chance = float((cost * expected).sum())
    return None if by_chance == 0 else 1 - float((cost * table).sum()) / by_chance


def krippendorff_alpha(
    raters: Iterable[Mapping[str, float]], *, level: Literal["nominal", "ordinal", "interval"]
) -> float | None:
    """Return Krippendorff's alpha of any number of raters, who may have left out items; values by item for each rater.

    1 - observed / expected disagreement (Krippendorff, 2004); only items with two values or more count. None without
    any, or where all of them have the same value.
    """
    items: dict[str, list[float]] = {}
    for rater in raters:
        for item, value in rater.items():
            items.setdefault(item, []).append(round(value, 6))
    units = [values for values in items.values() if len(values) > 1]
    counts = Counter(value for values in units for value in values)
    levels = sorted(counts)
    if len(levels) < 2:
        return None
    totals = np.array([counts[each] for each in levels], dtype=float)
    place = {value: number for number, value in enumerate(levels)}
    distance = _distances(np.array(levels), totals, level)
    observed = 0.0
    for values in units:
        own = np.bincount([place[value] for value in values], minlength=len(levels)).astype(float)
        observed += float(own @ distance @ own) / (len(values) - 1)
    n = float(totals.sum())
    return 1 - (n - 1) * observed / float(totals @ distance @ totals)


def _distances(levels: Floats, totals: Floats, level: Literal["nominal", "ordinal", "interval"]) -> Floats:
    """Return the squared differences of all pairs of values, shape (k, k)."""
    if level == "nominal":
        return 1 - np.eye(len(levels))
    # Ordinal: how many values lie between two, both of them counting half.
    places = levels if level == "interval" else np.cumsum(totals) - totals / 2
    squared: Floats = np.subtract.outer(places, places) ** 2
    return squared


def bias_test(judge: Floats, human: Floats) -> PairedTest:
    """Return the paired test of judge minus people, both (n,).

    Equal differences have no interval: one from 0 to 0 would claim that the bias is known without error.
    """
    found = paired_t_test(judge, human)
    return found.model_copy(update={"ci": None}) if found.reason in ("identical", "no_spread") else found


def bland_altman(differences: Floats) -> Limits | None:
    """Return bias and limits of agreement of differences, shape (n,); None without any."""
    if not differences.size:
        return None
    bias = float(differences.mean())
    if differences.size < 2:
        return Limits(bias=bias, low=None, high=None)
    half = LIMIT * float(differences.std(ddof=1))
    return Limits(bias=bias, low=bias - half, high=bias + half)
