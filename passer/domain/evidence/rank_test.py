"""The Wilcoxon signed-rank test for pairs, zeros ranked and then dropped (Pratt, 1959)."""

from __future__ import annotations

import numpy as np

from passer.domain.base import Frozen
from passer.domain.statistics import Floats, NoTestReason

_DECIMALS = 12
"""Differences that agree to here are ties; what differs beyond is the rounding of a subtraction."""


class RankTest(Frozen):
    """A two-sided Wilcoxon signed-rank test."""

    statistic: float | None = None
    """The smaller of the two rank sums."""
    p: float | None = None
    """Two-sided; exact up to 50 pairs without ties, else by the normal approximation."""
    reason: NoTestReason | None = None
    """Why there is none."""


def wilcoxon_test(values: Floats, baseline: Floats) -> RankTest:
    """Test of `values` against `baseline`, both of shape (n,) and in the same order of questions."""
    differences = np.round(values - baseline, _DECIMALS)
    if differences.size < 2:
        return RankTest(reason="too_few")
    if not differences.any():
        return RankTest(reason="identical")
    from scipy.stats import wilcoxon

    found = wilcoxon(differences, zero_method="pratt")
    return RankTest(statistic=float(found.statistic), p=min(1.0, float(found.pvalue)))
