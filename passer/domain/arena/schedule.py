"""Schedule: the pairs of runs that play on each question."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np
from pydantic import Field

from passer.domain.base import Frozen


class Fixture(NamedTuple):
    """One game to be played."""

    question_id: str
    a: str
    b: str


class Schedule(Frozen):
    """All pairs of each question, or a balanced draw of them; the same for the same values."""

    runs: tuple[str, ...] = Field(min_length=2)
    """Runs in the tournament's order; the earlier one of a pair is a."""
    per_question: int | None = Field(default=None, ge=1)
    """Most games of a question; None plays all pairs."""
    seed: int = Field(default=1, ge=0)
    """Seed of the draw."""

    def fixtures(self, answered: Mapping[str, Sequence[str]]) -> list[Fixture]:
        """Return the games of questions in their order; `answered` gives the runs that answered each question.

        With a limit, each question plays the pairs that have played least so far, ties drawn at random: where all runs
        answered all questions, the games of two pairs differ by 1 at most.
        """
        rng = np.random.default_rng(self.seed)
        played = dict.fromkeys(combinations(self.runs, 2), 0)
        found = []
        for question_id, runs in answered.items():
            there = set(runs)
            pairs = [pair for pair in played if pair[0] in there and pair[1] in there]
            for pair in self._chosen(pairs, played, rng):
                played[pair] += 1
                found.append(Fixture(question_id, *pair))
        return found

    def _chosen(
        self, pairs: list[tuple[str, str]], played: Mapping[tuple[str, str], int], rng: np.random.Generator
    ) -> list[tuple[str, str]]:
        """Return the pairs that play a question, in their order."""
        if self.per_question is None or len(pairs) <= self.per_question:
            return pairs
        drawn = rng.permutation(len(pairs))
        least = sorted(range(len(pairs)), key=lambda n: (played[pairs[n]], drawn[n]))[: self.per_question]
        return [pairs[n] for n in sorted(least)]
