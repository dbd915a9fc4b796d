"""Two tournaments of the same runs: by two judges, two seeds, or with and without documents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from passer.domain.agreement_measures import RankCorrelation, cohen_kappa, kendall_tau_b
from passer.domain.arena.game import OUTCOMES, SWAPPED, Game, Outcome
from passer.domain.base import Frozen


class TournamentComparison(Frozen):
    """Agreement of two tournaments."""

    runs: int
    """Runs that both have rated."""
    tau: RankCorrelation | None
    """Kendall's tau-b of the ratings; None with fewer than two runs or equal ratings."""
    games: int
    """Games that both have decided."""
    same: int
    """Number of these games with the same outcome."""
    kappa: float | None
    """Cohen's kappa of the outcomes a, b and tie; None where chance cannot disagree."""


def compare(
    one: Sequence[Game], other: Sequence[Game], ratings: Mapping[str, float], other_ratings: Mapping[str, float]
) -> TournamentComparison:
    """Compare the games of two tournaments, joined by question and pair, and their ratings by run."""
    runs = [run for run in ratings if run in other_ratings]
    mine, theirs = _outcomes(one), _outcomes(other)
    both = [game for game in mine if game in theirs]
    said = [mine[game] for game in both], [theirs[game] for game in both]
    return TournamentComparison(
        runs=len(runs),
        tau=kendall_tau_b(np.array([ratings[run] for run in runs]), np.array([other_ratings[run] for run in runs])),
        games=len(both),
        same=sum(first == second for first, second in zip(*said, strict=True)),
        kappa=cohen_kappa(*said, OUTCOMES, weights="none"),
    )


def _outcomes(games: Sequence[Game]) -> dict[tuple[str, str, str], Outcome]:
    """Outcomes by question and pair; the pair sorted, because tournaments may order their runs differently."""
    found: dict[tuple[str, str, str], Outcome] = {}
    for game in games:
        if game.outcome is None:
            continue
        is_sorted = game.a < game.b
        pair = (game.a, game.b) if is_sorted else (game.b, game.a)
        found[game.question_id, *pair] = game.outcome if is_sorted else SWAPPED[game.outcome]
    return found
