"""Effects on verdicts other than quality: order of showing, length and markup of answers, modelled with the ratings."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from passer.domain.arena.davidson import rating_of
from passer.domain.arena.game import OUTCOMES, Game, Style
from passer.domain.arena.paired_logit import fit, one_step
from passer.domain.arena.tally import Tally, question_weights
from passer.domain.base import Frozen
from passer.domain.share_intervals import FEWEST_CLUSTERS, resampled_interval
from passer.domain.statistics import Floats, Interval

DRAWS = 1_000
FEWEST_GAMES = 20
"""Games below which no effects are estimated."""
FARTHEST = 1_000.0
"""Odds beyond which, or below whose inverse, no size is estimated: where all verdicts point one way, the fit stops only
at its own limits."""
_STYLES: tuple[tuple[str, Callable[[Style], int]], ...] = (
    ("words", lambda style: style.words),
    ("headings", lambda style: style.headings),
    ("items", lambda style: style.items),
    ("bold", lambda style: style.bold),
)


class Effect(Frozen):
    """Effect of one property on verdicts."""

    name: str
    """`order`: being shown first. `words`, `headings`, `items`, `bold`: one unit (root mean square) more of it."""
    odds: float
    """Factor on the odds of winning against losing; 1 is no effect. Beyond 1000 only its side is known."""
    interval: Interval | None
    """95 % interval over samples of whole questions; None below six questions, or for odds beyond 1000."""


class Adjusted(Frozen):
    """Ratings adjusted for an effect."""

    effects: tuple[Effect, ...]
    """Effects that were estimated together with the ratings."""
    ratings: dict[str, float]
    """Rating of each run at equal order, or at equal length and markup."""


class _Row(NamedTuple):
    """One comparison: who stands first, what else is known of it, and its outcome for the first."""

    question: str
    first: str
    second: str
    covariates: tuple[float, ...]
    outcome: int


def order_effect(runs: Sequence[str], games: Sequence[Game], *, seed: int = 1) -> Adjusted | None:
    """Return ratings from single verdicts with an effect of being shown first.

    None below 20 readable verdicts, or if the games do not connect all runs.

    Davidson's model with order (Davidson and Beaver, 1977): first : second : tie = p_f e^(d/2) : p_s e^(-d/2) : nu
    sqrt(p_f p_s). Odds are e^d. Every verdict counts, while the headline makes a tie of an inconsistent pair.
    """
    random = [game for game in games if game.has_random_order]
    rows = []
    for game in random:
        for shown in game.verdicts:
            if shown.verdict is None:
                continue
            first, second = (game.a, game.b) if shown.first == "a" else (game.b, game.a)
            outcome = ("first", "second", "tie").index(shown.verdict)
            rows.append(_Row(game.question_id, first, second, (1.0,), outcome))
    return _adjusted(Tally.of(runs, random), rows, ("order",), seed)


def style_effect(tally: Tally, games: Sequence[Game], *, seed: int = 1) -> Adjusted | None:
    """Return ratings at equal length and markup; None below 20 games with an outcome and known lengths.

    Covariates are (x_a - x_b) / (x_a + x_b) of words, headings, list items and bold passages, in units of their root
    mean square; those that never differ are left out.
    """
    played = [game for game in games if game.styles is not None and game.outcome is not None]
    if len(played) < FEWEST_GAMES:
        return None
    values = np.array([[_difference(game, of) for _, of in _STYLES] for game in played])
    # The root mean square, not the deviation from the mean: which run is a must not matter.
    scale = np.sqrt((values**2).mean(axis=0))
    used = [n for n in range(len(_STYLES)) if scale[n] > 0]
    rows = [
        _Row(
            game.question_id,
            game.a,
            game.b,
            tuple(values[n, used] / scale[used]),
            OUTCOMES.index(game.outcome or "tie"),
        )
        for n, game in enumerate(played)
    ]
    return _adjusted(tally, rows, tuple(_STYLES[n][0] for n in used), seed) if used else None


def _difference(game: Game, of: Callable[[Style], int]) -> float:
    assert game.styles is not None, "games without texts are left out"
    one, other = map(of, game.styles)
    return (one - other) / (one + other) if one + other else 0.0


@dataclass(frozen=True)
class _Sample:
    design: Floats
    counts: Floats
    questions: list[int]


def _adjusted(tally: Tally, rows: Sequence[_Row], names: Sequence[str], seed: int) -> Adjusted | None:
    if len(rows) < FEWEST_GAMES or not tally.is_connected:
        return None
    sample = _sample(tally, rows, len(names))
    runs = len(tally.runs)
    # A phantom tie a run: weak, and finite ratings whoever is unbeaten among the verdicts.
    fitted = fit(sample.design, sample.counts[None], runs=runs, prior=np.ones(1, bool))
    found = fitted.parameters[0]
    intervals: list[Interval | None] = [None] * len(names)
    size = max(sample.questions) + 1
    if size >= FEWEST_CLUSTERS:
        weights = question_weights(size, DRAWS, seed)
        groups = np.array(sample.questions)
        drawn = one_step(sample.design, sample.counts, fitted, runs=runs, groups=groups, weights=weights)
        logs = [resampled_interval(own, value, size) for own, value in zip(drawn.T[runs:], found[runs:], strict=True)]
        intervals = [Interval(low=float(np.exp(each.low)), high=float(np.exp(each.high))) for each in logs]
    effects = [
        Effect(name=name, odds=float(np.exp(value)), interval=interval if abs(value) <= np.log(FARTHEST) else None)
        for name, value, interval in zip(names, found[runs:], intervals, strict=True)
    ]
    ratings = dict(zip(tally.runs, rating_of(found[:runs]).tolist(), strict=True))
    return Adjusted(effects=tuple(effects), ratings=ratings)


def _sample(tally: Tally, rows: Sequence[_Row], covariates: int) -> _Sample:
    place = {run: number for number, run in enumerate(tally.runs)}
    questions = {row.question: None for row in rows}
    number = {question: n for n, question in enumerate(questions)}
    design = np.zeros((len(rows), len(tally.runs) + covariates))
    counts = np.zeros((len(rows), 3))
    for n, row in enumerate(rows):
        design[n, place[row.first]], design[n, place[row.second]] = 1, -1
        design[n, len(tally.runs) :] = row.covariates
        counts[n, row.outcome] = 1
    return _Sample(design, counts, [number[row.question] for row in rows])
