"""Random numbers by place: SplitMix64 with random access.

The verdict must be the same in every version of numpy and in TypeScript, so its resampling cannot depend on a
library's generator. SplitMix64 (Steele, Lea and Flood 2014, "Fast splittable pseudorandom number generators") needs
only additions, shifts and products modulo 2^64, and its n-th output follows from the seed and n alone.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_FIRST = np.uint64(0xBF58476D1CE4E5B9)
_SECOND = np.uint64(0x94D049BB133111EB)


def splitmix64(seed: int, places: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return the outputs of SplitMix64 at these places, from 0, for a seed in [0, 2^64)."""
    state = (places + np.uint64(1)) * _GOLDEN + np.uint64(seed)
    state = (state ^ (state >> np.uint64(30))) * _FIRST
    state = (state ^ (state >> np.uint64(27))) * _SECOND
    return state ^ (state >> np.uint64(31))


def drawn_indices(seed: int, *, first: int, draws: int, size: int) -> NDArray[np.intp]:
    """Return `size` indices in [0, size) for each of `draws` draws from number `first`, shape (draws, size).

    Index i of draw b takes output b * size + i. The upper 32 bits times `size`, shifted by 32, favour no index by more
    than size / 2^32, and are exact in a double as well, so that TypeScript needs no wider integers here.
    """
    places = np.arange(first * size, (first + draws) * size, dtype=np.uint64)
    upper = splitmix64(seed, places) >> np.uint64(32)
    return ((upper * np.uint64(size)) >> np.uint64(32)).astype(np.intp).reshape(draws, size)


def shuffled_folds(seed: int, *, size: int, folds: int) -> NDArray[np.intp]:
    """Return a fold in [0, folds) for each of `size` values: in turn by the upper 32 bits of their outputs."""
    upper = splitmix64(seed, np.arange(size, dtype=np.uint64)) >> np.uint64(32)
    found = np.empty(size, dtype=np.intp)
    found[np.argsort(upper, kind="stable")] = np.arange(size) % folds
    return found
