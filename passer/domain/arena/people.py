"""Games that people decide: which are drawn, in what order and on which side each rater sees them, what follows."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime
from hashlib import sha256
from math import ceil
from typing import Literal, NamedTuple

import numpy as np
from pydantic import Field

from passer.domain.arena.aspects import Aspect
from passer.domain.arena.game import Decided, Game, Outcome, Shown, Side, Style, Verdict
from passer.domain.arena.schedule import Fixture
from passer.domain.base import Frozen

Choice = Literal["first", "second", "tie", "both_bad", "cannot_tell"]
"""A rater's choice between two answers: the first or the second is better, both are equally good, both are bad, or the
rater cannot tell. Both bad is a tie for ratings; a rater who cannot tell does not decide the game."""
Given = Literal["a", "b", "tie", "both_bad", "cannot_tell"]
CODES: Mapping[Given, float] = {"tie": 0.0, "a": 1.0, "b": 2.0, "both_bad": 3.0, "cannot_tell": 4.0}
"""Values of labels in the columns of games; names of a nominal scale, not quantities."""
_BY_CODE: Mapping[float, Given] = {code: given for given, code in CODES.items()}
GAME, GAME_AGAIN = "game", "game, repeated"
"""Columns of labels of games, and of those that the same person gives when the game comes back."""
REPEATED = 0.1
"""Share of the games that each rater sees a second time, with the sides swapped."""


class DrawnGame(Frozen):
    """A game that a draw chose for people."""

    question_id: str
    """The question."""
    a: str
    """Id of a run."""
    b: str
    """Id of the other."""
    key: str
    """Content address of the question with both answers, under which the game is labelled."""
    inclusion: float = Field(gt=0, le=1)
    """Probability with which the draw includes this game of its pair."""
    styles: tuple[Style, Style] | None = None
    """Length and markup of both answers."""

    @property
    def fixture(self) -> Fixture:
        """Return question and runs."""
        return Fixture(self.question_id, self.a, self.b)


class GameDraw(Frozen):
    """A random draw of games for people, stratified by pair of runs."""

    tournament_id: str
    """Id of the tournament of people that it makes."""
    of: str | None
    """Id of the tournament whose games were drawn; None for a draw of all pairs that some runs can play."""
    seed: int
    """Seed of the draw, of the orders and of the sides."""
    games: tuple[DrawnGame, ...]
    """Drawn games by question and runs."""
    aspects: tuple[Aspect, ...] = ()
    """Aspects in which raters also grade each answer."""


class RatingLink(Frozen):
    """A person who rates the games of a draw, and the link that opens them."""

    tournament_id: str
    """Id of the tournament of people."""
    rater: str = Field(min_length=1, max_length=100)
    """Pseudonym."""
    place: int = Field(ge=0)
    """Number of the rater, from 0: even and odd ones see opposite sides."""
    digest: str
    """SHA-256 of the secret in the link; the secret itself is not stored."""
    expires_at: datetime
    """Time from which the link is invalid, in UTC."""


class Showing(NamedTuple):
    """One showing of a drawn game to one rater."""

    id: str
    """Opaque: it tells neither the game nor whether it is a repetition."""
    game: DrawnGame
    first: Side
    """Answer that is shown first."""
    is_repeated: bool


def draw_games(games: Sequence[Game], *, count: int, seed: int) -> tuple[DrawnGame, ...]:
    """Return `count` of these games, drawn so that the numbers of two pairs of runs differ by 1 at most.

    Games between equal answers are left out, and so are games whose texts are not known. Where a pair has too few
    games, the others get more.
    """
    rng = np.random.default_rng(seed)
    strata: dict[tuple[str, str], list[Game]] = defaultdict(list)
    for game in games:
        if game.key and game.how != "same_answer":
            strata[game.a, game.b].append(game)
    sizes = _shares([len(stratum) for stratum in strata.values()], count, rng)
    drawn = []
    for stratum, size in zip(strata.values(), sizes, strict=True):
        for place in rng.permutation(len(stratum))[:size]:
            game = stratum[place]
            drawn.append(
                DrawnGame(
                    question_id=game.question_id,
                    a=game.a,
                    b=game.b,
                    key=game.key,
                    inclusion=size / len(stratum),
                    styles=game.styles,
                )
            )
    return tuple(sorted(drawn, key=lambda each: each.fixture))


def _shares(available: Sequence[int], count: int, rng: np.random.Generator) -> list[int]:
    """Distribute `count` in rounds, each in a new random order, among the pairs that have games left."""
    dealt = [0] * len(available)
    left = min(count, sum(available))
    while left:
        for place in rng.permutation(len(available)):
            if left and dealt[place] < available[place]:
                dealt[place] += 1
                left -= 1
    return dealt


def showings(draw: GameDraw, rater: str, place: int) -> tuple[Showing, ...]:
    """Return what one rater sees, in order; the same after a reload.

    A tenth of the games of the first third comes back in the last third with the sides swapped. Games of equal texts
    are shown once.
    """
    games = list({game.key: game for game in draw.games}.values())
    rng = np.random.default_rng(int.from_bytes(_hash(draw.seed, rater)[:8]))
    order = [games[number] for number in rng.permutation(len(games))]
    shown = [_showing(draw, game, rater, place, is_repeated=False) for game in order]
    third = ceil(len(order) / 3)
    repeated = rng.permutation(third)[: ceil(REPEATED * len(order))] if len(order) > 1 else ()
    for number in repeated:
        again = _showing(draw, order[number], rater, place, is_repeated=True)
        shown.insert(int(rng.integers(max(len(order) - third, third), len(shown) + 1)), again)
    return tuple(shown)


def _showing(draw: GameDraw, game: DrawnGame, rater: str, place: int, *, is_repeated: bool) -> Showing:
    some_id = _hash(draw.tournament_id, draw.seed, rater, game.key, is_repeated).hex()[:16]
    return Showing(some_id, game, side_of(draw, game, place, is_repeated=is_repeated), is_repeated)


def side_of(draw: GameDraw, game: DrawnGame, place: int, *, is_repeated: bool = False) -> Side:
    """Return which answer is first: a random side per game, swapped for every second rater and for repetitions."""
    coin = _hash(draw.seed, game.key)[0]
    return "a" if (coin + place + is_repeated) % 2 else "b"


def _hash(*parts: object) -> bytes:
    return sha256(":".join(map(str, parts)).encode()).digest()


def given_of(choice: Choice, first: Side) -> Given:
    """Return the verdict on the answers a and b that a choice means."""
    if choice in ("tie", "both_bad", "cannot_tell"):
        return choice
    return "a" if (choice == "first") == (first == "a") else "b"


def choice_of(given: Given, first: Side) -> Choice:
    """Return the choice that means this verdict, given the sides on which the answers are shown."""
    if given in ("tie", "both_bad", "cannot_tell"):
        return given
    return "first" if given == first else "second"


def given_by_code(code: float) -> Given:
    """Return the verdict that a label stores; ValueError for a value that is no code."""
    if code not in _BY_CODE:
        raise ValueError(f"{code} is not the code of a game's label")
    return _BY_CODE[code]


def outcome_of(given: Given) -> Outcome | None:
    """Return the better answer; None from a rater who cannot tell."""
    if given == "cannot_tell":
        return None
    return "tie" if given == "both_bad" else given


def decided_games(draw: GameDraw, links: Sequence[RatingLink], given: Mapping[str, Mapping[str, Given]]) -> list[Game]:
    """Return the drawn games that at least one rater has decided; `given` has the verdicts by rater and key.

    Raters who prefer the same answer decide the game, and so does a single rater; if they differ it is a tie,
    `inconsistent`.
    """
    found = []
    for game in draw.games:
        verdicts = tuple(
            _shown(side_of(draw, game, link.place), link.rater, given[link.rater][game.key])
            for link in sorted(links, key=lambda each: each.place)
            if game.key in given.get(link.rater, {})
        )
        result = _decided([shown.outcome for shown in verdicts if shown.outcome is not None])
        if result is not None:
            found.append(
                Game(
                    question_id=game.question_id,
                    a=game.a,
                    b=game.b,
                    key=game.key,
                    outcome=result.outcome,
                    how=result.how,
                    source="person",
                    verdicts=verdicts,
                    styles=game.styles,
                )
            )
    return found


def _shown(first: Side, rater: str, given: Given) -> Shown:
    outcome = outcome_of(given)
    verdict: Verdict | None = None
    if outcome is not None:
        verdict = "tie" if outcome == "tie" else "first" if outcome == first else "second"
    return Shown(first=first, verdict=verdict, rater=rater)


def _decided(outcomes: Sequence[Outcome]) -> Decided | None:
    if not outcomes:
        return None
    if len(outcomes) == 1:
        return Decided(outcome=outcomes[0], how="given")
    if len(set(outcomes)) == 1:
        return Decided(outcome=outcomes[0], how="agreed")
    return Decided(outcome="tie", how="inconsistent")
