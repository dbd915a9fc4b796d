"""Ratings of a tournament of six systems: seconds of all figures of a page, whether rank intervals hold, a real judge.

    python -m benchmarks.arena [--quick]

- Seconds: 200 questions, all 15 pairs (3,000 games); 50 questions with `--quick`.
- `rank intervals hold`: share of simulated tournaments of six equal systems in which no system is ranked above another.
  The intervals are simultaneous at 95 %; the simulation's own error (two standard errors) is allowed for in the goal.
- The built-in model decides pairs of a reference answer and the reference of another question, in both orders; these
  figures are left out where it is not installed, and with `--quick`. They describe that judge and have no goal.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable

import numpy as np

from benchmarks.report import Figure, report
from passer.adapters.generators.local.models import built_in_weights
from passer.bootstrap.home import open_home
from passer.domain.arena.davidson import Davidson, davidson
from passer.domain.arena.effects import style_effect
from passer.domain.arena.elo import elo
from passer.domain.arena.figures import length_figures
from passer.domain.arena.fragility import fragility
from passer.domain.arena.game import OUTCOMES, Game, Style
from passer.domain.arena.tally import Tally
from passer.domain.models.model import Model
from passer.domain.statistics import Floats
from passer.services.arena.arenas import ArenaRequest
from passer.services.work.kinds import AssessSpec

SYSTEMS = tuple(f"system {n}" for n in range(6))
DAVIDSON_S, ELO_S, LEVEL = 5.0, 3.0, 0.95
SIMULATED, QUICK_SIMULATED = 400, 100
PAIRS = 20
JUDGE = Model(provider="local", name="smollm2-135m")
EXAMPLE = "organic-farming"


def made_games(questions: int, strengths: Floats, seed: int = 1) -> list[Game]:
    """Games of systems with these log strengths; a quarter of them are ties."""
    rng = np.random.default_rng(seed)
    found = []
    for question in range(questions):
        for a in range(len(SYSTEMS)):
            for b in range(a + 1, len(SYSTEMS)):
                chance = 1 / (1 + np.exp(strengths[b] - strengths[a]))
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


def time_figures(questions: int) -> dict[str, Figure]:
    """Return the seconds of the figures of a page, for systems whose strengths rise evenly."""
    games = made_games(questions, np.linspace(0, -0.75, len(SYSTEMS)))
    tally = Tally.of(SYSTEMS, games)
    acts: dict[str, tuple[float | None, Callable[[], object]]] = {
        "Davidson with intervals and ranks": (DAVIDSON_S, lambda: ranks_of(tally)),
        "500 Elo tournaments": (ELO_S, lambda: elo(tally)),
        "length": (None, lambda: length_figures(games)),
        "length and markup beside the ratings": (None, lambda: style_effect(tally, games)),
        "fewest questions that change the leader": (None, lambda: fragility(tally)),
    }
    return {name: Figure(seconds(act), "lower", "s", goal) for name, (goal, act) in acts.items()}


def ranks_of(tally: Tally, *, draws: int = 1_000, seed: int = 1) -> tuple[np.ndarray, np.ndarray]:
    """Return the best and the worst rank of each system."""
    found = davidson(tally, draws=draws, seed=seed)
    assert isinstance(found, Davidson)
    assert found.ranks is not None
    return found.ranks


def rank_figures(tournaments: int) -> dict[str, Figure]:
    """Return the share of tournaments of equal systems whose rank intervals all reach from the first to the last."""
    goal = LEVEL - 2 * (LEVEL * (1 - LEVEL) / tournaments) ** 0.5
    found = {}
    for questions in (10, 20, 60):
        hold = 0
        for seed in range(tournaments):
            tally = Tally.of(SYSTEMS, made_games(questions, np.zeros(len(SYSTEMS)), seed))
            best, worst = ranks_of(tally, draws=400, seed=seed)
            hold += bool((best == 1).all() and (worst == len(SYSTEMS)).all())
        name = f"rank intervals hold, {questions} questions"
        found[name] = Figure(hold / tournaments, "higher", "share of tournaments", goal)
    return found


def judge_figures() -> dict[str, Figure]:
    """Return how far the built-in model agrees with itself when the order of the answers changes."""
    with tempfile.TemporaryDirectory() as folder, open_home(folder, encoder="none", concurrency=2) as home:
        home.example(EXAMPLE)
        asked = home.services.adapters.datasets.load_dataset(EXAMPLE).questions[:PAIRS]
        right = {each.text: each.reference for each in asked}
        unrelated = {each.text: other.reference for each, other in zip(asked, (*asked[1:], asked[0]), strict=True)}
        systems = {"reference": right.__getitem__, "unrelated": unrelated.__getitem__}
        sweep = home.evaluate(systems, EXAMPLE, questions=PAIRS)
        made = home.services.arena.arenas.create(ArenaRequest(runs=(sweep,), judge=JUDGE, num_ctx=2048))
        began = time.perf_counter()
        home.services.work.queue.run_here(AssessSpec.of(made))
        took = time.perf_counter() - began
        found = home.services.arena.standings.standings(made.id)
        wins = next(row.record.wins for row in found.rows if row.entrant.name == "reference")
    swap = found.swap
    assert swap is not None, "the model decided no pair"
    return {
        "built-in model: pairs read in both orders": Figure(swap.asked_twice / PAIRS, "higher", "share"),
        "built-in model: pairs that agree": Figure(swap.consistent / max(1, swap.asked_twice), "higher", "share"),
        "built-in model: verdicts for the first": Figure(swap.first / max(1, swap.decided), "lower", "share"),
        "built-in model: pairs won by the reference": Figure(wins / PAIRS, "higher", "share"),
        "built-in model: seconds per pair": Figure(took / PAIRS, "lower", "s"),
    }


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true")
    is_quick = parser.parse_args().quick
    figures = time_figures(50 if is_quick else 200) | rank_figures(QUICK_SIMULATED if is_quick else SIMULATED)
    if built_in_weights() is not None and not is_quick:
        figures |= judge_figures()
    report("arena", figures)


if __name__ == "__main__":
    main()
