"""Random numbers by place: SplitMix64 with random access.

The verdict must be the same in every version of numpy and in TypeScript, so its resampling cannot depend on a
library's generator. SplitMix64 (Steele, Lea and Flood 2014, "Fast splittable pseudorandom number generators") needs
only additions, shifts and products modulo 2^64, and its n-th output follows from the seed and n alone.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_STEPS = (
    (np.uint64(30), np.uint64(0xBF58476D1CE4E5B9)),
    (np.uint64(27), np.uint64(0x94D049BB133111EB)),
)
_LAST_SHIFT = np.uint64(31)
_PIECE = 16_384
"""Outputs that are made at once: pieces stay in the processor's cache. Pages of new memory took two thirds of the time
where half a million were made at once."""
_STATES = np.arange(1, _PIECE + 1, dtype=np.uint64) * _GOLDEN
"""States of the first piece with seed 0; other states differ by a constant."""


def splitmix64(seed: int, places: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return the outputs of SplitMix64 at these places, from 0, for a seed in [0, 2^64)."""
    state = places + np.uint64(1)
    state *= _GOLDEN
    state += np.uint64(seed)
    return _mixed(state)


def _mixed(state: NDArray[np.uint64]) -> NDArray[np.uint64]:
    # In place: new arrays for the steps between take longer than the arithmetic.
    shifted = np.empty_like(state)
    for shift, factor in _STEPS:
        state ^= np.right_shift(state, shift, out=shifted)
        state *= factor
    state ^= np.right_shift(state, _LAST_SHIFT, out=shifted)
    return state


def drawn_indices(seed: int, *, first: int, draws: int, size: int) -> NDArray[np.intp]:
    """Return `size` indices in [0, size) for each of `draws` draws from number `first`, shape (draws, size).

    Index i of draw b takes output b * size + i. The upper 32 bits times `size`, shifted by 32, favour no index by more
    than size / 2^32, and are exact in a double as well, so that TypeScript needs no wider integers here.
    """
    begin, total = first * size, draws * size
    found = np.empty(total, dtype=np.uint64)
    for start in range(0, total, _PIECE):
        piece = found[start : start + _PIECE]
        upper = _mixed(_STATES[: len(piece)] + np.uint64((seed + (begin + start) * int(_GOLDEN)) % 2**64))
        upper >>= np.uint64(32)
        upper *= np.uint64(size)
        np.right_shift(upper, np.uint64(32), out=piece)
    return found.view(np.intp).reshape(draws, size)


def shuffled_folds(seed: int, *, size: int, folds: int) -> NDArray[np.intp]:
    """Return a fold in [0, folds) for each of `size` values: in turn by the upper 32 bits of their outputs."""
    upper = splitmix64(seed, np.arange(size, dtype=np.uint64)) >> np.uint64(32)
    found = np.empty(size, dtype=np.intp)
    found[np.argsort(upper, kind="stable")] = np.arange(size) % folds
    return found
