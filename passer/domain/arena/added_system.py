"""Adds one system to a finished tournament by few games, chosen to be most informative.

The choice depends on earlier outcomes, which biases a fit of all games. So these games do not enter the ratings of the
tournament: the new system is rated with the existing ratings fixed.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from pydantic import Field

from passer.domain.arena.davidson import CENTRE, SCALE, Davidson
from passer.domain.arena.figures import PairCell
from passer.domain.arena.game import OUTCOMES, Game
from passer.domain.arena.schedule import Fixture
from passer.domain.arena.tournament import Entrant
from passer.domain.base import Count, Frozen
from passer.domain.defaults import GAMES_ADDED
from passer.domain.share_intervals import clustered_share
from passer.domain.statistics import Interval, wilson_interval

NEAREST = 3
"""Opponents of a round: those whose ratings are nearest to that of the new system so far."""
NARROW = 0.30
"""Width of the Wilson 95 % interval of the share of wins, of games as if independent, at which no further game is
needed."""


class Addition(Frozen):
    """A system that joins a tournament after its games were played."""

    tournament: str = Field(min_length=1, max_length=48)
    """Id of the tournament."""
    run: str = Field(min_length=1, max_length=100)
    """Id of the run that joins."""
    most: int = Field(default=GAMES_ADDED, ge=1, le=1000)
    """Most games that it plays."""


class AddedStanding(Frozen):
    """A system with few games, outside the ratings of its tournament."""

    entrant: Entrant
    """The system."""
    games: Count
    """Games with an outcome."""
    wins: Count
    """Games that it won."""
    losses: Count
    """Games that it lost."""
    ties: Count
    """Games without a winner."""
    interval: Interval | None
    """95 % interval of wins / games by whole questions; None below six questions."""
    rating: float | None
    """Rating with one imaginary tie and fixed ratings of its opponents; None without games or ratings."""
    opponents: tuple[PairCell, ...]
    """Its games by opponent."""


@dataclass(frozen=True)
class Opponents:
    """The ratings of a tournament, and its questions."""

    ratings: Mapping[str, float]
    """Rating of each system, in the tournament's order."""
    nu: float
    """Davidson's weight of a tie."""
    questions: tuple[str, ...]
    """Questions, those that split the systems most first."""

    @classmethod
    def of(cls, runs: Sequence[str], rated: Davidson, games: Sequence[Game]) -> Opponents:
        """Return the opponents with their ratings from the games of a tournament."""
        ratings = dict(zip(runs, rated.ratings.tolist(), strict=True))
        return cls(ratings, rated.nu, by_split(games, ratings))


def by_split(games: Sequence[Game], ratings: Mapping[str, float]) -> tuple[str, ...]:
    """Return the questions by the entropy of their outcomes, the highest first.

    The outcomes are: the higher rated system won, the lower rated one won, or a tie. If the same one always wins, a
    further game is hardly informative.
    """
    from scipy.stats import entropy

    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for game in games:
        if game.outcome is not None:
            is_upset = game.outcome != "tie" and (game.outcome == "a") != (ratings[game.a] >= ratings[game.b])
            counts[game.question_id]["tie" if game.outcome == "tie" else "b" if is_upset else "a"] += 1
    split = {question: float(entropy([found[each] for each in OUTCOMES])) for question, found in counts.items()}
    return tuple(sorted(split, key=lambda question: -round(split[question], 9)))


def next_games(
    adding: Addition, opponents: Opponents, possible: Collection[Fixture], played: Mapping[Fixture, Game]
) -> list[Fixture]:
    """Return the games of the next round that are not played yet; none at the end.

    Rounds follow from the outcomes of earlier ones, so that they are the same after a restart.
    """
    done: list[Game] = []
    known: set[Fixture] = set()
    while chosen := _round(adding, opponents, possible, done, known):
        missing = [fixture for fixture in chosen if fixture not in played]
        if missing:
            return missing
        done += [played[fixture] for fixture in chosen]
        known |= set(chosen)
    return []


def _round(
    adding: Addition, opponents: Opponents, possible: Collection[Fixture], done: Sequence[Game], known: set[Fixture]
) -> list[Fixture]:
    wins, losses, ties = record_of(adding.run, done)
    interval = wilson_interval(wins, wins + losses + ties)
    if len(done) >= adding.most or (interval is not None and interval.high - interval.low <= NARROW):
        return []
    rating = rating_among(adding.run, done, opponents)
    found: list[Fixture] = []
    for opponent in sorted(opponents.ratings, key=lambda each: abs(opponents.ratings[each] - rating)):
        free = (Fixture(question, opponent, adding.run) for question in opponents.questions)
        fixture = next((each for each in free if each in possible and each not in known), None)
        if fixture is not None:
            found.append(fixture)
        if len(found) == min(NEAREST, adding.most - len(done)):
            break
    return found


def record_of(run: str, games: Sequence[Game]) -> tuple[int, int, int]:
    """Return wins, losses and ties of a run."""
    said = [(game.a if game.outcome == "a" else game.b) for game in games if game.outcome in ("a", "b")]
    ties = sum(game.outcome == "tie" for game in games)
    return said.count(run), len(said) - said.count(run), ties


def rating_among(run: str, games: Sequence[Game], opponents: Opponents) -> float:
    """Return the rating of a run among fixed ones; 1000 without games.

    The maximum of Davidson's likelihood over one strength; half a win and half a loss against a phantom of rating 1000
    keep it finite.
    """
    from scipy.optimize import brentq

    decided = [game for game in games if game.outcome is not None]
    other = np.array([(opponents.ratings[_opponent(run, game)] - CENTRE) / SCALE for game in decided])
    wins, losses, _ = record_of(run, decided)

    def slope(strength: float) -> float:
        gaps = strength - other
        expected = np.sinh(gaps / 2) / (2 * np.cosh(gaps / 2) + opponents.nu)
        return float((wins - losses) / 2 - expected.sum() + 0.5 - 1 / (1 + np.exp(-strength)))

    return float(CENTRE + SCALE * brentq(slope, -100.0, 100.0))


def added_rating(entrant: Entrant, games: Sequence[Game], opponents: Opponents | None) -> AddedStanding:
    """Return the rating of a system by few games."""
    own = [game for game in games if entrant.id in (game.a, game.b) and game.outcome is not None]
    wins, losses, ties = record_of(entrant.id, own)
    against: dict[str, list[Game]] = defaultdict(list)
    for game in own:
        against[_opponent(entrant.id, game)].append(game)
    cells = []
    for opponent, met in against.items():
        won, lost, tied = record_of(entrant.id, met)
        cells.append(PairCell(run=entrant.id, opponent=opponent, wins=won, losses=lost, ties=tied))
    return AddedStanding(
        entrant=entrant,
        games=len(own),
        wins=wins,
        losses=losses,
        ties=ties,
        interval=clustered_share(
            [record_of(entrant.id, [game])[0] == 1 for game in own], [game.question_id for game in own]
        ),
        rating=rating_among(entrant.id, own, opponents) if own and opponents is not None else None,
        opponents=tuple(sorted(cells, key=lambda cell: cell.opponent)),
    )


def _opponent(run: str, game: Game) -> str:
    return game.b if game.a == run else game.a
