"""How far two raters agree: rank correlation, chance-corrected agreement, and limits of agreement.

For calibration of judges, for two raters of the same games, and for tournaments of two judges. All functions return
None where the measure is not defined, such as the correlation of a constant series.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np

from passer.domain.base import Frozen
from passer.domain.statistics import Floats

LIMIT = 1.96
"""Standard deviations from the bias to each limit of agreement."""


class RankCorrelation(Frozen):
    """Kendall's tau-b, which corrects for ties."""

    tau: float
    """From -1 to 1."""
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

    Quadratic weights (Cohen, 1968) take `categories` as ordered and equally spaced. None without items, or where chance
    alone would never disagree. ValueError for a category that is not listed.
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
    steps = np.subtract.outer(np.arange(len(place)), np.arange(len(place)))
    cost = (steps != 0).astype(float) if weights == "none" else steps.astype(float) ** 2
    expected = np.outer(table.sum(axis=1), table.sum(axis=0)) / table.sum()
    by_chance = float((cost * expected).sum())
    return None if by_chance == 0 else 1 - float((cost * table).sum()) / by_chance


def bland_altman(differences: Floats) -> Limits | None:
    """Return bias and limits of agreement of differences, shape (n,); None without any."""
    if not differences.size:
        return None
    bias = float(differences.mean())
    if differences.size < 2:
        return Limits(bias=bias, low=None, high=None)
    half = LIMIT * float(differences.std(ddof=1))
    return Limits(bias=bias, low=bias - half, high=bias + half)
