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
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from passer.domain.defaults import ALPHA
from passer.domain.lru_cache import LruCache
from passer.domain.statistics import Floats
from passer.domain.verdict.cluster_sums import ClusterSums
from passer.domain.verdict.counter_random import drawn_indices

DRAWS = 9_999
"""Resamples; with one more, alpha (B + 1) is a whole number for the usual alphas."""
_CELLS = 500_000
"""Counts of one chunk of resamples; bounds memory."""
_ONE_THREAD = 2**18 - 1
"""Multiplications of a product that OpenBLAS does not divide among threads."""
_FEW_COLUMNS = 64
"""Columns of a product that is cut into pieces; wider ones are worth several threads."""
_TERMS = 128
"""Clusters of a piece at least, so that it is more than a few sums."""
_Counts = NDArray[np.unsignedinteger[Any]]
_TALLIED: LruCache[tuple[int, int, int, int], _Counts] = LruCache(4_000_000, weigh=lambda counts: counts.nbytes)
"""Resamples by their place: the families of one comparison have the same questions and thus the same resamples. One
byte a count, which is an eighth of what products need."""
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
    errors = family.standard_errors
    if not (errors > 0).all():
        raise ValueError("a configuration without spread has no place in a family")
    is_enumerated = family.sums.shape[0] ** family.sums.shape[0] <= draws
    largest, smallest = extremes(family, errors, _counts(family.sums.shape[0], seed, draws, all_=is_enumerated))
    if both_ways:
        # The opposite sign of a column has the same t* with the opposite sign, so half of the columns need not be
        # computed.
        largest = np.maximum(largest, -smallest)
        smallest = -largest
    known = {"alpha": alpha, "is_enumerated": is_enumerated, "old_rank": old_rank}
    return of_extremes(family.gains, errors, largest, smallest, **known)


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
    # Rounded first: with alpha .118 and 999 draws the product is 941.0000000000001, whose ceiling is one rank too far.
    k = min(resamples, math.ceil(round((1 - alpha / 2) * total, 9)))
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
    counts = tallied(drawn_indices(seed, first=first, draws=draws, size=size), size)
    return counts.astype(np.min_scalar_type(int(counts.max())))


def chunk_size(size: int) -> int:
    """Return the number of resamples that are drawn at once for this number of clusters."""
    return max(1, _CELLS // size)


def tallied(indices: np.ndarray[tuple[int, int], np.dtype[np.intp]], size: int) -> Floats:
    """Return how often each cluster occurs in each row, shape (rows, size)."""
    rows = np.arange(len(indices), dtype=np.intp)[:, None] * size
    return np.bincount((rows + indices).ravel(), minlength=len(indices) * size).reshape(-1, size).astype(np.float64)


def extremes(family: ClusterSums, errors: Floats, chunks: Iterator[Floats]) -> tuple[Floats, Floats]:
    """Return the largest and the smallest t* of each resample, on the grid."""
    centred = family.sums - family.weights * family.gains
    # Configurations usually have the same questions: then one column of weights serves all of them.
    weights = family.weights[:, :1] if (family.weights == family.weights[:, :1]).all() else family.weights
    largest, smallest = [], []
    for counts in chunks:
        high, low = np.full(len(counts), -np.inf), np.full(len(counts), np.inf)
        # The pairs of a large family are too many columns to hold for every resample at once.
        width = max(1, _CELLS // len(counts))
        for first in range(0, centred.shape[1], width):
            block = slice(first, first + width)
            given = weights if weights.shape[1] == 1 else weights[:, block]
            above, below = _extremes_of(counts, centred[:, block], given, family.sizes[block], errors[block])
            high, low = np.maximum(high, above), np.minimum(low, below)
        largest.append(high)
        smallest.append(low)
    return np.concatenate(largest), np.concatenate(smallest)


def _extremes_of(
    counts: Floats, centred: Floats, weights: Floats, sizes: NDArray[np.intp], errors: Floats
) -> tuple[Floats, Floats]:
    """Return the largest and the smallest t* over some columns, by resample."""
    return extremes_of_shifts(*shifts_of(counts, centred, weights, sizes), errors)


def shifts_of(counts: Floats, centred: Floats, weights: Floats, sizes: NDArray[np.intp]) -> tuple[Floats, Floats]:
    """Return the mean of centred sums and its variance in each resample, shape (resamples, columns)."""
    factor = sizes / (sizes - 1)
    # The spread around a resample's own mean, sum of (w (d - shift))^2, expands into sums over clusters: products with
    # the counts, so that no resample ever exists as rows of questions. They are columns of one product, which reads the
    # counts once: as five thin products it took several times as long.
    parts = (weights, weights**2, centred, centred**2, centred * weights)
    ends = np.cumsum([part.shape[1] for part in parts])[:-1]
    total, weight, moved, square, mixed = np.split(_product(counts, np.hstack(parts)), ends, axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        shift = moved / total
        return shift, factor * (square - 2 * shift * mixed + shift**2 * weight) / total**2


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
