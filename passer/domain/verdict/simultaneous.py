"""Simultaneous intervals for the gains of a family of configurations: a studentised bootstrap of whole questions.

Differences between thresholds are skewed: most questions change little, a few lose their gold passage and fall by .3.
In simulated sweeps without any true gain, t-tests with Holm's correction and sign flips call something better in up to
a third of the sweeps; this bootstrap does so in .02 to .05 (`benchmarks/verdict.py`). All configurations share the same
draws, so the interval covers the whole family, and interval and adjusted p value always agree.

Draw G clusters with replacement, B times. With the gain d_c, its standard error SE_c and both of a resample marked *,
t*_c = (d*_c - d_c) / SE*_c. u is the k-th smallest of max over c of t*_c, l the k-th largest of min over c,
k = ceil((1 - alpha / 2)(B + 1)). The interval is [d_c - u SE_c, d_c - l SE_c] (Efron and Tibshirani 1993, chapter 12;
Romano and Wolf 2005 for the maximum over a family; Davison and Hinkley 1997, 5.2.1, for the ranks).

Until version 3 of verdict.json l was the (k - 1)-th largest: with B = 9,999 the error was .0501 instead of .05. Such
documents are verified with it (`old_rank`).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from passer.domain.defaults import ALPHA
from passer.domain.lru_cache import LruCache
from passer.domain.statistics import Floats
from passer.domain.verdict.cluster_sums import ClusterSums
from passer.domain.verdict.counter_random import drawn_indices

DRAWS = 9_999
"""Resamples; with one more, alpha (B + 1) is a whole number for the usual alphas."""
_CELLS = 1_000_000
"""Counts of one chunk of resamples, and sums or t* of one block of configurations; bounds memory."""
_ONE_THREAD = 2**18 - 1
"""Multiplications of a product that OpenBLAS does not divide among threads."""
_FEW_COLUMNS = 64
"""Columns of a product that is cut into pieces; wider ones are worth several threads."""
_TERMS = 128
"""Clusters of a piece at least, so that it is more than a few sums."""
_IN_CACHE = 16_384
"""Counters that are filled at once."""
_Counts = NDArray[np.unsignedinteger[Any]]
_TALLIED: LruCache[tuple[int, int, int, int], _Counts] = LruCache(20_000_000, weigh=lambda counts: counts.nbytes)
"""Resamples by their place: the families of one comparison have the same questions and thus the same resamples. One
byte a count, which is an eighth of what products need; the tied set of 10,000 questions fits."""
_NO_SPREAD = 1e-12
"""SE*^2 up to this share of SE^2 counts as 0: it is rounding."""
_SNAP = 2.0**30
"""Statistics are compared on a grid of 2^-30, so that ties are ties whatever the order of a sum was."""


@dataclass(frozen=True)
class Simultaneous:
    """Gains of a family with simultaneous intervals and adjusted p values, each of shape (configurations,)."""

    gains: Floats
    standard_errors: Floats
    upper: float
    """u: quantile of the largest t*; infinite where resamples without spread are too frequent."""
    lower: float
    """l: quantile of the smallest t*."""
    p_values: Floats
    """Two-sided, adjusted for the family: at most alpha exactly where the interval excludes 0."""
    resamples: int
    """Number of resamples; all of them where they could be enumerated."""

    @property
    def low(self) -> Floats:
        """Return the lower ends of the intervals; -inf where u is infinite."""
        return self.gains - self.upper * self.standard_errors

    @property
    def high(self) -> Floats:
        """Return the upper ends of the intervals; inf where l is infinite."""
        return self.gains - self.lower * self.standard_errors


def simultaneous(
    family: ClusterSums,
    *,
    seed: int,
    alpha: float = ALPHA,
    draws: int = DRAWS,
    both_ways: bool = False,
    old_rank: bool = False,
) -> Simultaneous:
    """Return simultaneous intervals and adjusted p values for a family.

    With `both_ways` the family also contains every configuration with the opposite sign: differences between pairs are
    then given once, and count for both orders.

    Every configuration needs two clusters or more and a standard error above 0 (ValueError). With up to five clusters
    all resamples are enumerated instead of drawn.
    """
    return concluded([resampled(family, seed=seed, draws=draws)], alpha=alpha, both_ways=both_ways, old_rank=old_rank)


@dataclass(frozen=True)
class Resampled:
    """Some configurations of a family with the extremes of their t*."""

    gains: Floats
    standard_errors: Floats
    largest: Floats
    """Largest t* of each resample, shape (resamples,)."""
    smallest: Floats
    """Smallest t* of each resample."""
    is_enumerated: bool
    """True if these are all resamples."""


def resampled(family: ClusterSums, *, seed: int, draws: int) -> Resampled:
    """Return the extremes of some configurations over all resamples; ValueError for one without spread."""
    errors, (size, width) = family.standard_errors, family.sums.shape
    if not (errors > 0).all():
        raise ValueError("a configuration without spread has no place in a family")
    is_enumerated = size**size <= draws
    high, low = [], []
    # Blocks of columns outside, chunks of resamples inside: the columns of a block are made once. Only a very large
    # family has several blocks; its resamples are then read from the cache, or drawn again.
    step = max(1, _CELLS // max(size, min(draws, chunk_size(size))))
    for first in range(0, width, step):
        block = slice(first, first + step)
        moments = Moments.of(family, block)
        found = [moments.extremes(counts, errors[block]) for counts in _counts(size, seed, draws, all_=is_enumerated)]
        high.append(np.concatenate([each for each, _ in found]))
        low.append(np.concatenate([each for _, each in found]))
    return Resampled(family.gains, errors, np.max(high, axis=0), np.min(low, axis=0), is_enumerated)


def concluded(
    parts: Sequence[Resampled], *, alpha: float, both_ways: bool = False, old_rank: bool = False
) -> Simultaneous:
    """Return the intervals and p values of one family that was resampled in parts, from the same seed and draws."""
    largest = np.max([part.largest for part in parts], axis=0)
    smallest = np.min([part.smallest for part in parts], axis=0)
    if both_ways:
        # The opposite sign of a column has the same t* with the opposite sign, so half of the columns need not be
        # computed.
        largest = np.maximum(largest, -smallest)
        smallest = -largest
    gains = np.concatenate([part.gains for part in parts])
    errors = np.concatenate([part.standard_errors for part in parts])
    is_enumerated = parts[0].is_enumerated
    return of_extremes(gains, errors, largest, smallest, alpha=alpha, is_enumerated=is_enumerated, old_rank=old_rank)


def of_extremes(
    gains: Floats,
    errors: Floats,
    largest: Floats,
    smallest: Floats,
    *,
    alpha: float,
    is_enumerated: bool = False,
    old_rank: bool = False,
) -> Simultaneous:
    """Return intervals and p values of gains from the largest and smallest t* of each resample."""
    resamples = len(largest)
    # An enumeration contains the observed sample already; random draws count it as one resample more (Davison and
    # Hinkley 1997, 4.2.5).
    total = resamples if is_enumerated else resamples + 1
    k = rank_of(1 - alpha / 2, total, resamples)
    statistics = snapped(gains / errors)
    above = (largest[:, None] >= statistics).sum(axis=0) + (total - resamples)
    below = (smallest[:, None] <= statistics).sum(axis=0) + (total - resamples)
    return Simultaneous(
        gains=gains,
        standard_errors=errors,
        upper=float(np.sort(largest)[k - 1]),
        lower=float(np.sort(smallest)[(total if old_rank else resamples) - k]),
        p_values=np.minimum(1.0, 2 * np.minimum(above, below) / total),
        resamples=resamples,
    )


def rank_of(level: float, total: int, resamples: int) -> int:
    """Return the rank, from 1, of a quantile of `resamples` that count as `total`."""
    # Rounded first: with alpha .118 and 999 draws the product is 941.0000000000001, whose ceiling is one rank too far.
    return min(resamples, math.ceil(round(level * total, 9)))


def _counts(size: int, seed: int, draws: int, *, all_: bool) -> Iterator[Floats]:
    """Yield how often each cluster is drawn, in chunks of shape (resamples, clusters)."""
    if all_:
        yield tallied(np.array(list(product(range(size), repeat=size)), dtype=np.intp), size)
        return
    chunk = chunk_size(size)
    for first in range(0, draws, chunk):
        place = (size, seed, first, min(chunk, draws - first))
        yield _TALLIED.get_or_compute(place, partial(_drawn, *place)).astype(np.float64)


def _drawn(size: int, seed: int, first: int, draws: int) -> _Counts:
    # No count is larger than the number of clusters.
    counts = tallied(drawn_indices(seed, first=first, draws=draws, size=size), size, np.min_scalar_type(size))
    return counts.astype(np.min_scalar_type(int(counts.max())))


def chunk_size(size: int) -> int:
    """Return the number of resamples that are drawn at once for this number of clusters."""
    return max(1, _CELLS // size)


def tallied(indices: NDArray[np.intp], size: int, kind: DTypeLike = np.float64) -> NDArray[Any]:
    """Return how often each cluster occurs in each row, shape (rows, size), as numbers of this kind."""
    counts = np.empty((len(indices), size), dtype=kind)
    # A few rows at a time: the counters of all rows together are more than the processor's cache holds.
    height = max(1, _IN_CACHE // max(1, size))
    offsets = np.arange(height, dtype=np.intp)[:, None] * size
    for first in range(0, len(indices), height):
        rows = indices[first : first + height]
        placed = rows[0] if height == 1 else (offsets[: len(rows)] + rows).ravel()
        counts[first : first + height] = np.bincount(placed, minlength=rows.size).reshape(rows.shape)
    return counts


@dataclass(frozen=True)
class Moments:
    """Columns whose products with the counts of resamples give the moments of each: made once for all resamples."""

    columns: Floats
    """Columns one after the other, shape (clusters, columns)."""
    ends: NDArray[np.intp]
    """Column at which each kind ends, except the last."""
    sizes: NDArray[np.intp]
    """Clusters with a value, by configuration."""

    @classmethod
    def of(cls, family: ClusterSums, block: slice = slice(None)) -> Moments:
        """Return the columns of a block of configurations.

        The spread around a resample's own mean, sum of (w (d - shift))^2, expands into sums over clusters: products
        with the counts, so that no resample ever exists as rows of questions.
        """
        weights = family.weights[:, block]
        centred = family.sums[:, block] - weights * family.gains[block]
        # Configurations usually have the same questions: then one column of weights serves all of them.
        weights = weights[:, :1] if (weights == weights[:, :1]).all() else weights
        parts = [weights, centred, centred**2]
        # Where every weight is 1, its square and its product with the differences are columns that are there already.
        parts += [] if (weights == 1).all() else [weights**2, centred * weights]
        # One product, which reads the counts once: as five thin ones it took several times as long.
        return cls(np.hstack(parts), np.cumsum([part.shape[1] for part in parts])[:-1], family.sizes[block])

    def shifts(self, counts: Floats) -> tuple[Floats, Floats]:
        """Return the mean of centred sums and its variance in each resample, shape (resamples, configurations)."""
        total, moved, square, *weighted = np.split(_product(counts, self.columns), self.ends, axis=1)
        weight, mixed = weighted or (total, moved)
        with np.errstate(divide="ignore", invalid="ignore"):
            shift = moved / total
            factor = self.sizes / (self.sizes - 1)
            return shift, factor * (square - 2 * shift * mixed + shift**2 * weight) / total**2

    def extremes(self, counts: Floats, errors: Floats) -> tuple[Floats, Floats]:
        """Return the largest and the smallest t* of each resample, on the grid."""
        return extremes_of_shifts(*self.shifts(counts), errors)


def _product(counts: Floats, columns: Floats) -> Floats:
    """Return counts @ columns; of few columns in pieces, each small enough that OpenBLAS leaves it to one thread.

    It gives larger ones to a thread for each processor, which wait for each other in busy loops: beside other work a
    product of 25 resamples of 20,000 questions took 7 ms of a processor, in pieces .7.
    """
    rows, width = counts.shape[0], columns.shape[1]
    if width > _FEW_COLUMNS:
        return np.asarray(counts @ columns)
    # A piece of one row would be a product with a vector, which has a lower limit.
    height = min(rows, max(2, _ONE_THREAD // (_TERMS * width)))
    terms = max(1, _ONE_THREAD // (height * width))
    found = np.zeros((rows, width))
    for first in range(0, rows, height):
        here = slice(first, first + height)
        for start in range(0, len(columns), terms):
            found[here] += counts[here, start : start + terms] @ columns[start : start + terms]
    return found


def extremes_of_shifts(shift: Floats, variance: Floats, errors: Floats) -> tuple[Floats, Floats]:
    """Return the largest and the smallest t* of each resample, on the grid."""
    with np.errstate(divide="ignore", invalid="ignore"):
        t = shift / np.sqrt(variance)
    # A resample without spread has an infinite t* on the side of its shift. It is kept: dropping it would drop just the
    # resamples that miss the few questions with a loss, and narrow the interval where it is least certain.
    has_none = ~(variance > _NO_SPREAD * errors**2)
    still = has_none & ~(np.abs(shift) > math.sqrt(_NO_SPREAD) * errors)
    t = np.where(has_none, np.copysign(np.inf, shift), t)
    # 0 / 0 is undefined: it counts against both sides, which can only widen the interval.
    return snapped(np.where(still, np.inf, t).max(axis=1)), snapped(np.where(still, -np.inf, t).min(axis=1))


def snapped(values: Floats) -> Floats:
    """Return values on the grid on which statistics are compared."""
    return np.asarray(np.floor(values * _SNAP + 0.5) / _SNAP)
