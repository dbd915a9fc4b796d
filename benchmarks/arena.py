"""Ratings of a tournament of six systems on 200 questions: Davidson with its bootstrap, Elo, all figures of a page.

Goals: Davidson with 1,000 draws of questions within 5 s, 500 Elo tournaments of 3,000 games within 3 s.

    python -m benchmarks.arena [--quick]
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable

import numpy as np

from passer.domain.arena.davidson import Davidson, davidson
from passer.domain.arena.effects import style_effect
from passer.domain.arena.elo import elo
from passer.domain.arena.figures import length_figures
from passer.domain.arena.fragility import fragility
from passer.domain.arena.game import OUTCOMES, Game, Style
from passer.domain.arena.tally import Tally

SYSTEMS = tuple(f"system {n}" for n in range(6))
DAVIDSON_S, ELO_S = 5.0, 3.0


def made_games(questions: int, seed: int = 1) -> list[Game]:
    """Games of systems whose true strengths rise evenly; a quarter of them are ties."""
    rng = np.random.default_rng(seed)
    found = []
    for question in range(questions):
        for a in range(len(SYSTEMS)):
            for b in range(a + 1, len(SYSTEMS)):
                chance = 1 / (1 + np.exp((b - a) * 0.15))
                winner = rng.choice(3, p=[0.75 * chance, 0.75 * (1 - chance), 0.25])
                styles = tuple(Style(words=int(words)) for words in rng.integers(20, 200, 2))
                found.append(
                    Game(
                        question_id=f"q{question}",
                        a=SYSTEMS[a],
                        b=SYSTEMS[b],
                        outcome=OUTCOMES[int(winner)],
                        how="given",
                        styles=(styles[0], styles[1]),
                    )
                )
    return found


def seconds(act: Callable[[], object]) -> float:
    """Return the wall-clock seconds of a call."""
    start = time.perf_counter()
    act()
    return time.perf_counter() - start


def main() -> None:
    """Measure and print each figure beside its goal."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="50 questions instead of 200")
    questions = 50 if parser.parse_args().quick else 200
    games = made_games(questions)
    tally = Tally.of(SYSTEMS, games)
    found = davidson(tally)
    assert isinstance(found, Davidson)
    print(f"{len(games)} games of {questions} questions, {len(found.draws)} draws")
    figures: list[tuple[str, float | None, Callable[[], object]]] = [
        ("Davidson with intervals and ranks", DAVIDSON_S, lambda: davidson(tally)),
        ("500 Elo tournaments", ELO_S, lambda: elo(tally)),
        ("length", None, lambda: length_figures(games)),
        ("length and markup beside the ratings", None, lambda: style_effect(tally, games)),
        ("fewest questions that change the leader", None, lambda: fragility(tally)),
    ]
    for name, goal, act in figures:
        print(f"{name:42} {seconds(act):7.2f} s" + (f"  (goal {goal:.0f} s)" if goal else ""))


if __name__ == "__main__":
    main()
