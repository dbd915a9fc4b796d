"""Elo ratings, averaged over tournaments that play the same games in other orders."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from passer.domain.arena.tally import Ints, Tally
from passer.domain.defaults import ELO_ORDERS
from passer.domain.statistics import Floats

K, START = 32.0, 1000.0


@dataclass(frozen=True)
class Elo:
    """Ratings of runs, each of shape (runs,)."""

    ratings: Floats
    """Mean over tournaments."""
    spread: Floats
    """Standard deviation (ddof 1) over tournaments: of the order of games alone, not of the questions."""


def elo(tally: Tally, *, k: float = K, tournaments: int = ELO_ORDERS, seed: int = 1) -> Elo:
    """Return Elo ratings (Elo, 1978) of a tournament.

    The expected score of a is 1 / (1 + 10^((R_b - R_a) / 400)); after a game R_a grows by k (score - expected) and R_b
    loses as much. Ratings are never rounded, so their sum stays. All tournaments are played side by side.
    """
    a, b, scores = _games(tally)
    rng = np.random.default_rng(seed)
    order = rng.permuted(np.tile(np.arange(len(a)), (tournaments, 1)), axis=1)
    ratings = play(a, b, scores, order, np.full(len(tally.runs), START), k=k)
    spread = ratings.std(axis=0, ddof=1) if tournaments > 1 else np.zeros(len(tally.runs))
    return Elo(ratings.mean(axis=0), spread)


def play(a: Ints, b: Ints, scores: Floats, order: Ints, start: Floats, *, k: float = K) -> Floats:
    """Return the ratings after all games, shape (tournaments, runs).

    `a`, `b` and `scores` (1 if a wins, 0 if b does, .5 for a tie) have one entry a game; `order` has shape
    (tournaments, games) and says which game is played when.
    """
    ratings = np.tile(start, (len(order), 1))
    rows = np.arange(len(order))
    for game in order.T:
        one, other = a[game], b[game]
        gap = ratings[rows, other] - ratings[rows, one]
        change = k * (scores[game] - 1 / (1 + 10 ** (gap / 400)))
        ratings[rows, one] += change
        ratings[rows, other] -= change
    return ratings


def _games(tally: Tally) -> tuple[Ints, Ints, Floats]:
    """Places of a and b and the score of a, of each game."""
    counts = tally.total.astype(np.int64)
    pair = np.repeat(np.arange(len(tally.pairs)), counts.sum(axis=1))
    scores = np.concatenate([np.repeat([1.0, 0.0, 0.5], row) for row in counts]) if len(counts) else np.zeros(0)
    return tally.pairs[pair, 0], tally.pairs[pair, 1], scores
