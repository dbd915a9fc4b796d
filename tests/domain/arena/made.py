"""Games and tallies by hand, and by chance."""

from __future__ import annotations

import numpy as np

from passer.domain.arena.davidson import Davidson, davidson
from passer.domain.arena.game import OUTCOMES, Game, Outcome
from passer.domain.arena.tally import Tally


def a_game(question: int, a: str, b: str, outcome: Outcome) -> Game:
    return Game(question_id=f"q{question}", a=a, b=b, outcome=outcome, how="given", source="import")


def rated(tally: Tally, **options: int) -> Davidson:
    found = davidson(tally, **options)
    assert isinstance(found, Davidson)
    return found


def random_tally(seed: int, *, runs: int = 5, number: int = 120) -> Tally:
    rng = np.random.default_rng(seed)
    names = [f"r{n}" for n in range(runs)]
    found = []
    for n in range(number):
        a, b = sorted(rng.choice(runs, 2, replace=False).tolist())
        found.append(a_game(n // 4, names[a], names[b], OUTCOMES[int(rng.integers(3))]))
    return Tally.of(names, found)
