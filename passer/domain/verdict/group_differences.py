"""Permutation test of the interaction: whether a gain differs between groups of questions.

"Better in one group, not shown in another" is no evidence of a difference: only a test of the difference itself is.
The statistic is Welch's, Q = sum_g (d_g - d)^2 / SE_g^2 with d the mean of the gains d_g weighted by 1 / SE_g^2; groups
may differ in size and spread. Its distribution comes from permuting the differences among the questions (or clusters),
which keeps the level of a studentised statistic for skewed differences, too (Janssen 1997, "Studentized permutation
tests for non-i.i.d. hypotheses and the generalized Behrens-Fisher problem"). With thousands of questions Q follows its
limit, chi-square with one degree of freedom less than there are groups.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from passer.domain.statistics import Floats
from passer.domain.verdict.counter_random import splitmix64

MOST_DRAWS, FEWEST_DRAWS = 1_999, 199
MOST_CELLS = 1_000_000
"""Permuted values of one test: with more questions there are fewer permutations, and beyond 5,025 the limit of Q."""
_TINY = 1e-12


@dataclass(frozen=True)
class _Units:
    """Weighted sums of differences and of weights, by unit: a question, or a cluster of them."""

    sums: Floats
    weights: Floats
    members: Floats
    """1 where a unit belongs to a group, shape (units, groups); each belongs to one."""


def difference_between_groups(
    differences: Floats,
    groups: Sequence[int],
    *,
    clusters: Sequence[int] | None = None,
    weights: Floats | None = None,
    seed: int,
) -> float | None:
    """Return the p value of "the mean difference is the same in all groups".

    `differences` (questions,) is NaN where a pair is missing; `groups` numbers the group of each question, -1 for none;
    `clusters` and `weights` are those of the questions. None with fewer than two groups, where a group has fewer than
    two units or no spread, and where a cluster has questions of several groups.
    """
    units = _units(differences, np.asarray(groups), clusters, weights)
    if units is None:
        return None
    observed = float(_statistic(units, units.sums[None], units.weights[None])[0])
    if not np.isfinite(observed):
        return None
    size = units.sums.size
    if size * FEWEST_DRAWS > MOST_CELLS:
        from scipy.special import chdtrc  # Not with the module, as in sample_size.

        return float(chdtrc(units.members.shape[1] - 1, observed))
    draws = int(np.clip(MOST_CELLS // size, FEWEST_DRAWS, MOST_DRAWS))
    keys = splitmix64(seed, np.arange(draws * size, dtype=np.uint64)).reshape(draws, size)
    order = np.argsort(keys, axis=1)
    permuted = _statistic(units, units.sums[order], units.weights[order])
    # A permutation within the groups gives the same Q except for rounding, and must count as equally large. The
    # observed order counts as one permutation more, so that p is never 0.
    return float((1 + (permuted >= observed * (1 - _TINY)).sum()) / (draws + 1))


def _units(
    differences: Floats, groups: NDArray[np.intp], clusters: Sequence[int] | None, weights: Floats | None
) -> _Units | None:
    used = ~np.isnan(differences) & (groups >= 0)
    own = np.arange(differences.size) if clusters is None else np.asarray(clusters)
    found, unit_of = np.unique(own[used], return_inverse=True)
    labels, group_of = np.unique(groups[used], return_inverse=True)
    if labels.size < 2:
        return None
    members = np.zeros((found.size, labels.size))
    members[unit_of, group_of] = 1.0
    # A cluster of several groups cannot be given to one of them, and splitting it would count it as independent twice.
    if (members.sum(axis=1) > 1).any() or (members.sum(axis=0) < 2).any():
        return None
    w = np.ones(int(used.sum())) if weights is None else weights[used]
    return _Units(
        sums=np.bincount(unit_of, weights=w * differences[used]).astype(np.float64),
        weights=np.bincount(unit_of, weights=w).astype(np.float64),
        members=members,
    )


def _statistic(units: _Units, sums: Floats, weights: Floats) -> Floats:
    """Return Q of each row of (draws, units); infinite where a group has no spread."""
    sizes = units.members.sum(axis=0)
    totals = weights @ units.members
    means = (sums @ units.members) / totals
    squares = (sums**2) @ units.members - 2 * means * ((sums * weights) @ units.members)
    squares += means**2 * ((weights**2) @ units.members)
    errors = sizes / (sizes - 1) * squares / totals**2
    spread = np.where(errors > _TINY**2, errors, np.nan)
    pooled = (means / spread).sum(axis=1) / (1 / spread).sum(axis=1)
    found = ((means - pooled[:, None]) ** 2 / spread).sum(axis=1)
    return np.asarray(np.where(np.isnan(found), np.inf, found))
