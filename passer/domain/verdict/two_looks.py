"""Two looks at a sweep: questions are added after a first look without spending the error twice.

A first look that was planned spends alpha(t) = 2 (1 - Phi(z_(1 - alpha/2) / sqrt t)) of alpha, t = n_1 / n_2 (O'Brien
and Fleming 1979, in the form of Lan and DeMets 1983). The bound of the second look follows from the same resamples,
drawn within the questions of the first look and within the others: no table, and any correlation of the comparisons.
A first look that was not planned has spent all of alpha: then only the new questions may be tested.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, model_validator

from passer.domain.base import Frozen
from passer.domain.statistics import Floats
from passer.domain.verdict.cluster_sums import ClusterSums
from passer.domain.verdict.counter_random import drawn_indices
from passer.domain.verdict.simultaneous import Moments, Simultaneous, chunk_size, of_extremes, rank_of, tallied

FIRST_DRAWS = 99_999
"""Resamples of a planned first look: its tail is far out."""
_OTHER_STREAM = 0x5EED_0F_10_0C
"""Keeps the draws of the two groups of questions apart."""


class Looks(Frozen):
    """Planned looks at the results of a sweep."""

    first: int = Field(ge=1)
    """Questions of the first look: the first ones of the dataset."""
    second: int = Field(ge=2)
    """Questions of the second look, those of the first included."""
    is_planned: bool = True
    """True if the second look was declared before the first one."""

    @model_validator(mode="after")
    def _grows(self) -> Looks:
        if self.second <= self.first:
            raise ValueError("the second look must have more questions than the first")
        return self


def spent_alpha(alpha: float, share: float) -> float:
    """Return the error that a planned first look spends, for its share t of all questions."""
    from scipy.special import ndtr, ndtri

    return float(2 * (1 - ndtr(ndtri(1 - alpha / 2) / math.sqrt(share))))


def alpha_of_spent(spent: float, share: float) -> float:
    """Return the error of both looks together from that which the first one spends."""
    from scipy.special import ndtr, ndtri

    return float(2 * (1 - ndtr(ndtri(1 - spent / 2) * math.sqrt(share))))


def second_look(
    family: ClusterSums, in_first: NDArray[np.bool_], *, seed: int, alpha: float, draws: int, share: float
) -> Simultaneous:
    """Return intervals and p values of a planned second look.

    `in_first` marks the clusters of the first look; each part needs two or more. A configuration that did not vary
    in the first look could not be judged there, and spends nothing. The upper bound is the smallest u
    with P(max t*_1 > u_1 or max t*_2 > u) <= alpha / 2, and likewise the lower one.
    """
    errors = family.standard_errors
    if not (errors > 0).all():
        raise ValueError("a configuration without spread has no place in a family")
    first = ClusterSums(family.sums[in_first], family.weights[in_first])
    with np.errstate(divide="ignore", invalid="ignore"):
        first = first.of(np.flatnonzero(first.standard_errors > 0).tolist())
    high, low, high_first, low_first = _both(family, first, in_first, seed=seed, draws=draws)
    spent = spent_alpha(alpha, share) / 2
    # Strictly beyond: the bound itself is the largest value with which the first look would have gone on.
    stopped_high = high_first > _quantile(high_first, 1 - spent)
    stopped_low = low_first < -_quantile(-low_first, 1 - spent)
    # Resamples that the first look stopped count as beyond every bound of the second.
    upper = np.where(stopped_high, np.inf, high)
    lower = np.where(stopped_low, -np.inf, low)
    return of_extremes(family.gains, errors, upper, lower, alpha=alpha)


def _quantile(values: Floats, level: float) -> float:
    """Return the k-th smallest value, k = ceil(level (B + 1)), as in `simultaneous`."""
    return float(np.sort(values)[rank_of(level, len(values) + 1, len(values)) - 1])


def _both(
    family: ClusterSums, first: ClusterSums, in_first: NDArray[np.bool_], *, seed: int, draws: int
) -> tuple[Floats, Floats, Floats, Floats]:
    """Return the largest and smallest t* of the whole and of the first look, from the same draws."""
    sizes = int(in_first.sum()), int((~in_first).sum())
    nothing = np.full(draws, -np.inf), np.full(draws, np.inf)
    whole, once = Moments.of(family), Moments.of(first)
    chunk, parts = chunk_size(sum(sizes)), []
    for start in range(0, draws, chunk):
        n = min(chunk, draws - start)
        # The two groups are resampled apart: their sizes were fixed by the plan, and the first look must see its own
        # questions.
        early = tallied(drawn_indices(seed, first=start, draws=n, size=sizes[0]), sizes[0])
        late = tallied(drawn_indices(seed ^ _OTHER_STREAM, first=start, draws=n, size=sizes[1]), sizes[1])
        counts = np.empty((n, sum(sizes)))
        counts[:, in_first], counts[:, ~in_first] = early, late
        seen = once.extremes(early, first.standard_errors) if first.sums.shape[1] else nothing
        parts.append((*whole.extremes(counts, family.standard_errors), *(side[:n] for side in seen)))
    high, low, high_first, low_first = (np.concatenate(part) for part in zip(*parts, strict=True))
    return high, low, high_first, low_first
