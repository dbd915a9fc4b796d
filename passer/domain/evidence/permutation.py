"""Sign-flip permutation tests of per-question differences, corrected for several comparisons at once.

Under the null hypothesis a question's difference is as likely with the other sign. All comparisons of a question are
flipped together, so that what they share (the baseline, the question's difficulty) is kept; the largest |t| of each
draw gives the single-step max-T correction (Westfall and Young, 1993).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from passer.domain.statistics import Floats

DRAWS = 10_000
"""Random flips of all questions."""
_BATCH = 4_000_000
"""Signs drawn at a time: bounds memory, whatever the number of questions."""
_BLOCK = 2_000_000
"""Signs of a batch that are converted to floats of eight bytes at a time; products of smaller blocks take longer."""

_ROUNDING = 1e-9
"""Largest difference between equal values of t."""

Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class FlipTest:
    """Permutation p values of several comparisons over the same questions."""

    p: tuple[float | None, ...]
    """p value of each comparison alone, (b + 1) / (m + 1); None where all its differences are 0, or it has none."""
    p_max_t: tuple[float | None, ...]
    """The same, corrected over all comparisons by single-step max-T."""
    draws: int
    """m: random flips."""
    resolution: float
    """The smallest p that these draws can give."""


def sign_flip_test(differences: Floats, *, seed: int, draws: int = DRAWS, weights: Floats | None = None) -> FlipTest:
    """Two-sided test that differences of shape (questions, comparisons) are symmetric about 0; NaN where there is none.

    t = mean / (s / sqrt(n)), over the questions that a comparison has; with `weights`, shape (questions,), the weighted
    mean over its standard error (`statistics.standard_error`). The same seed gives the same p values.
    """
    # Questions without any difference take no random signs, so that they change no p value.
    known = ~np.isnan(differences).all(axis=1)
    flipped = _Flipped.of(differences[known], None if weights is None else weights[known])
    resolution, tested = 1 / (draws + 1), flipped.tested
    if not tested.any():
        nothing = (None,) * len(tested)
        return FlipTest(p=nothing, p_max_t=nothing, draws=draws, resolution=resolution)
    observed = flipped.t_values(np.ones((1, int(known.sum()))))[0]
    # Draws that only differ by rounding from what was observed are as extreme as it.
    bar = observed * (1 - _ROUNDING) - _ROUNDING
    alone, largest = np.zeros(len(bar), dtype=np.int64), np.zeros(len(bar), dtype=np.int64)
    # One draw of signs for all comparisons at once: what they share (baseline, difficulty of the question) stays
    # together.
    for signs in _signs(int(known.sum()), draws, np.random.default_rng(seed)):
        drawn = flipped.t_values(signs)
        alone += (drawn >= bar).sum(axis=0)
        largest += (drawn.max(axis=1, keepdims=True) >= bar).sum(axis=0)
    return FlipTest(
        # The observed signs are one of the draws: without the 1 a p value could be 0 (Phipson and Smyth, 2010).
        p=_spread_out((alone + 1) / (draws + 1), tested),
        p_max_t=_spread_out((largest + 1) / (draws + 1), tested),
        draws=draws,
        resolution=resolution,
    )


@dataclass(frozen=True)
class _Flipped:
    """Sums that the |t| of flipped differences needs, of the comparisons that can be tested.

    With weights w the squared standard error is n / (n - 1) sum (w (s d - mean))^2 / W^2, s the signs: of its three
    sums, sum w^2 d^2 does not change when signs flip, and sum w^2 s d is a second product.
    """

    tested: Mask
    """Comparisons with a difference other than 0 and two questions or more."""
    linear: Floats
    """w d, shape (questions, tested); 0 where a comparison lacks the question."""
    mixed: Floats | None
    """w^2 d, same shape; None without weights, where it is `linear`."""
    squares: Floats
    """Sum of w^2 d^2, shape (tested,)."""
    counts: NDArray[np.int64]
    """Questions of each comparison."""
    totals: Floats
    """Sum of w."""
    total_squares: Floats
    """Sum of w^2."""

    @classmethod
    def of(cls, differences: Floats, weights: Floats | None) -> _Flipped:
        present = ~np.isnan(differences)
        linear = np.where(present, differences, 0.0)
        counts = present.sum(axis=0)
        own = present.astype(np.float64)
        if weights is not None:
            own *= weights[:, None]
            linear *= weights[:, None]
        squares = (linear * linear).sum(axis=0)
        tested = (squares > 0) & (counts > 1)
        return cls(
            tested=tested,
            linear=linear[:, tested],
            mixed=None if weights is None else (linear * own)[:, tested],
            squares=squares[tested],
            counts=counts[tested],
            totals=own.sum(axis=0)[tested],
            total_squares=(own * own).sum(axis=0)[tested],
        )

    def t_values(self, signs: Floats) -> Floats:
        """Return |t| for signs of shape (draws, questions); infinite where there is no spread."""
        sums = signs @ self.linear
        means = sums / self.totals
        crossed = sums if self.mixed is None else signs @ self.mixed
        spread = self.squares - 2 * means * crossed + means * means * self.total_squares
        # Where all flipped differences are equal, rounding can leave a spread just below 0.
        spread = np.maximum(spread, 0.0) / (self.counts - 1)
        rounding = 1e-15 * self.squares
        with np.errstate(divide="ignore"):
            errors = np.sqrt(spread * self.counts) / self.totals
            return np.where(spread <= rounding, np.inf, np.abs(means) / errors)


def _signs(questions: int, draws: int, rng: np.random.Generator) -> Iterator[Floats]:
    """Yield random signs, shape (draws in the block, questions); each array is valid until the next."""
    block = min(draws, max(1, _BLOCK // max(questions, 1)))
    held = np.empty((block, questions))
    batch = max(1, min(draws, _BATCH // max(questions, 1)))
    for start in range(0, draws, batch):
        rows = min(batch, draws - start)
        # One random bit for each sign; integers would take at least eight.
        bits = np.unpackbits(_random_bytes(rng, rows * questions))[: rows * questions].reshape(rows, questions)
        for first in range(0, rows, block):
            signs = np.multiply(bits[first : first + block], 2.0, out=held[: min(block, rows - first)])
            signs -= 1
            yield signs


def _random_bytes(rng: np.random.Generator, bits: int) -> NDArray[np.uint8]:
    return np.frombuffer(rng.bytes((bits + 7) // 8), dtype=np.uint8)


def _spread_out(values: Floats, tested: Mask) -> tuple[float | None, ...]:
    given = iter(values.tolist())
    return tuple(next(given) if here else None for here in tested)


@dataclass(frozen=True)
class LabelTest:
    """Two groups of questions compared, threshold by threshold."""

    differences: tuple[float, ...]
    """Mean of the first group minus mean of the second."""
    t: tuple[float | None, ...]
    """Welch's t; None where neither group spreads."""
    p: tuple[float | None, ...]
    """Two-sided, by Welch's approximation."""
    p_max_t: tuple[float | None, ...]
    """Permutation of the group labels, corrected over all columns by single-step max-T."""
    draws: int
    """Random permutations."""
    resolution: float
    """The smallest permutation p that these draws can give."""


def label_test(first: Floats, second: Floats, *, seed: int, draws: int = DRAWS) -> LabelTest:
    """Test the difference of two unpaired groups, shapes (n1, columns) and (n2, columns), each of at least two rows."""
    from scipy.stats import ttest_ind

    n1, n2 = len(first), len(second)
    both = np.concatenate([first, second])
    # Centred first: squares of values far from 0 would lose the digits in which the groups differ. A shift of all rows
    # changes neither Welch's t nor its permutations.
    both = both - both.mean(axis=0)
    values = np.hstack([both, both * both])
    total = values.sum(axis=0)
    usable = both.any(axis=0)
    t = _welch(values[:n1].sum(axis=0), total, n1, n2)
    p = np.ones(len(t))
    p[t != 0] = ttest_ind(first[:, t != 0], second[:, t != 0], equal_var=False).pvalue
    exceeded = np.zeros(len(t), dtype=np.int64)
    bar = np.abs(t) * (1 - _ROUNDING) - _ROUNDING
    for chosen in _first_groups(n1, n1 + n2, draws, np.random.default_rng(seed)):
        drawn = _welch(chosen @ values, total, n1, n2)
        exceeded += (np.abs(drawn).max(axis=1, keepdims=True) >= bar).sum(axis=0)
    return LabelTest(
        differences=tuple((first.mean(axis=0) - second.mean(axis=0)).tolist()),
        t=_spread_out(t[usable], usable),
        p=_spread_out(p[usable], usable),
        p_max_t=_spread_out(((exceeded + 1) / (draws + 1))[usable], usable),
        draws=draws,
        resolution=1 / (draws + 1),
    )


def _welch(sums: Floats, total: Floats, n1: int, n2: int) -> Floats:
    """Welch's t of many draws at once, 0 without spread; `sums` are the first group's, of values then of squares."""
    half = total.shape[-1] // 2
    rest = total - sums
    v1 = _variance(sums[..., :half], sums[..., half:], n1) / n1
    v2 = _variance(rest[..., :half], rest[..., half:], n2) / n2
    spread = v1 + v2
    safe = np.where(spread > 0, spread, 1.0)
    return np.where(spread > 0, (sums[..., :half] / n1 - rest[..., :half] / n2) / np.sqrt(safe), 0.0)


def _variance(sums: Floats, sums_of_squares: Floats, n: int) -> Floats:
    return np.asarray(np.maximum(sums_of_squares - sums * sums / n, 0.0) / (n - 1))


def _first_groups(size: int, total: int, draws: int, rng: np.random.Generator) -> Iterator[Floats]:
    """Return random choices of `size` of `total` rows as 0 and 1, shape (draws in the batch, total)."""
    batch = max(1, min(draws, _BATCH // 4 // total))
    for start in range(0, draws, batch):
        rows = min(batch, draws - start)
        ranks = rng.random((rows, total)).argpartition(size - 1, axis=1)
        chosen = np.zeros((rows, total))
        np.put_along_axis(chosen, ranks[:, :size], 1.0, axis=1)
        yield chosen
