"""Games counted by question, pair and outcome: all that ratings need, so that a bootstrap draw is one sum."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from passer.domain.arena.game import OUTCOMES, SWAPPED, Game, Outcome
from passer.domain.statistics import Floats

Ints = NDArray[np.int64]
Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class Tally:
    """Decided games of a tournament."""

    runs: tuple[str, ...]
    """Runs in the tournament's order."""
    questions: tuple[str, ...]
    """Questions in order of first occurrence."""
    pairs: Ints
    """Places of a and b in `runs`, shape (pairs, 2), a < b; pairs that have played."""
    counts: Floats
    """Wins of a, wins of b, ties: shape (questions, pairs, 3)."""

    @classmethod
    def of(cls, runs: Sequence[str], games: Sequence[Game]) -> Tally:
        """Count the games that have an outcome; ValueError for a run that is not listed."""
        place = {run: number for number, run in enumerate(runs)}
        decided = list(_decided(games, place))
        questions = dict.fromkeys(question for question, _, _ in decided)
        question_place = {question: number for number, question in enumerate(questions)}
        pairs = sorted({pair for _, pair, _ in decided})
        pair_place = {pair: number for number, pair in enumerate(pairs)}
        counts = np.zeros((len(questions), len(pairs), len(OUTCOMES)))
        for question, pair, outcome in decided:
            counts[question_place[question], pair_place[pair], OUTCOMES.index(outcome)] += 1
        return cls(tuple(runs), tuple(questions), np.array(pairs, np.int64).reshape(-1, 2), counts)

    @cached_property
    def total(self) -> Floats:
        """Counts over all questions, shape (pairs, 3)."""
        total: Floats = self.counts.sum(axis=0)
        return total

    @cached_property
    def design(self) -> Floats:
        """+1 for a and -1 for b of each pair, shape (pairs, runs)."""
        design = np.zeros((len(self.pairs), len(self.runs)))
        rows = np.arange(len(self.pairs))
        design[rows, self.pairs[:, 0]] = 1
        design[rows, self.pairs[:, 1]] = -1
        return design

    @cached_property
    def is_connected(self) -> bool:
        """Return whether games join all runs, directly or through others."""
        joined = np.eye(len(self.runs), dtype=bool)
        joined[self.pairs[:, 0], self.pairs[:, 1]] = True
        joined[self.pairs[:, 1], self.pairs[:, 0]] = True
        return bool(reachable(joined[None])[0].all())

    def weighted(self, weights: Floats) -> Floats:
        """Return counts of samples of questions, shape (samples, pairs, 3): a question comes with its games.

        `weights` of shape (samples, questions) says how often each question occurs.
        """
        flat = self.counts.reshape(len(self.questions), -1)
        return (weights @ flat).reshape(len(weights), len(self.pairs), len(OUTCOMES))


def question_weights(questions: int, draws: int, seed: int) -> Floats:
    """Return how often each question occurs in each of the samples with replacement, shape (draws, questions)."""
    rng = np.random.default_rng(seed)
    return rng.multinomial(questions, np.full(questions, 1 / questions), size=draws).astype(np.float64)


def reachable(edges: Mask) -> Mask:
    """Return which node reaches which, for graphs of shape (graphs, n, n) with loops at each node."""
    found = edges
    for _ in range(max(1, int(np.ceil(np.log2(edges.shape[-1]))))):
        found = (found.astype(np.float32) @ found.astype(np.float32)) > 0
    return found


def _decided(games: Sequence[Game], place: Mapping[str, int]) -> Iterator[tuple[str, tuple[int, int], Outcome]]:
    """Yield question, pair and outcome of each game that has one. Imported games may name a pair in either order."""
    for game in games:
        if game.outcome is None:
            continue
        if game.a not in place or game.b not in place:
            raise ValueError(f"{game.a} or {game.b} is not among the runs")
        a, b = place[game.a], place[game.b]
        yield game.question_id, *(((a, b), game.outcome) if a < b else ((b, a), SWAPPED[game.outcome]))
