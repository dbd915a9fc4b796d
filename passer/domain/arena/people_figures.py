"""Quality of people's games: each rater's consistency, the raters' agreement, and that of judge and people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

import numpy as np

from passer.domain.agreement_measures import cohen_kappa
from passer.domain.arena.game import OUTCOMES, Game, Outcome
from passer.domain.arena.people import GameDraw, Given, RatingLink, choice_of, outcome_of, showings
from passer.domain.base import Frozen
from passer.domain.judging.agreement import Agreement, Ceiling, agreement, ceiling
from passer.domain.share_intervals import clustered_share
from passer.domain.statistics import Interval

SCALE: Mapping[Outcome, float] = {"a": 1.0, "tie": 0.0, "b": -1.0}
"""Outcomes as numbers, so that a tie lies between two winners: rank correlations and quadratic kappa use them."""
GivenByRater = Mapping[str, Mapping[str, Given]]
"""Ratings by rater and key of the game."""


class RaterFigures(Frozen):
    """One rater."""

    rater: str
    """Pseudonym."""
    total: int
    """Pairs to rate, repetitions among them."""
    rated: int
    """Pairs with a choice."""
    cannot_tell: int
    """Number of the games that the rater could not decide."""
    both_bad: int
    """Number of the games whose answers are both bad, which count as ties."""
    decided: int
    """Choices of one of the answers, repetitions among them."""
    first: int
    """Number of these choices for the answer shown first."""
    first_interval: Interval | None
    """95 % interval of first / decided by whole questions; None below six questions."""
    repeated: int
    """Games that came back with the sides swapped and were decided both times."""
    consistent: int
    """Number of these games with the same outcome both times."""
    consistent_interval: Interval | None
    """95 % interval of consistent / repeated by whole questions; None below six questions."""


class RaterPair(Frozen):
    """Two raters on the games that both have decided."""

    one: str
    """Pseudonym of the first rater."""
    other: str
    """Pseudonym of the second rater."""
    games: int
    """Number of games."""
    same: int
    """Number of these games with the same outcome."""
    interval: Interval | None
    """95 % interval of same / games by whole questions; None below six questions."""
    kappa: float | None
    """Cohen's kappa of the outcomes a, b and tie; None where chance cannot disagree."""


class PeopleFigures(Frozen):
    """Raters, their agreement, and the agreement of the judge with them."""

    of: str | None
    """Id of the tournament whose games were drawn; None without one."""
    games: int
    """Number of drawn games."""
    decided: int
    """Number of these games that people have decided."""
    raters: tuple[RaterFigures, ...]
    """Raters in the order of their links."""
    pairs: tuple[RaterPair, ...]
    """Pairs of raters with games that both have decided."""
    judge: Agreement | None
    """The drawn tournament against the people, with a winning as 1, a tie as 0, b winning as -1; None without games
    that both have decided."""
    ceiling: Ceiling | None
    """Kappa of the drawn tournament with each rater, and of the raters with each other; None below two raters."""


def people_figures(
    draw: GameDraw,
    links: Sequence[RatingLink],
    given: GivenByRater,
    again: GivenByRater,
    people: Sequence[Game],
    judged: Sequence[Game],
) -> PeopleFigures:
    """Return the figures of a draw; `given` and `again` by rater and key, `people` and `judged` its two tournaments."""
    outcomes = {link.rater: _outcomes(given.get(link.rater, {})) for link in links}
    question = {game.key: game.question_id for game in draw.games}
    by_judge = {game.key: SCALE[game.outcome] for game in judged if game.key and game.outcome is not None}
    by_people = {game.key: (game.question_id, SCALE[game.outcome]) for game in people if game.outcome is not None}
    both = [key for key in by_people if key in by_judge]
    return PeopleFigures(
        of=draw.of,
        games=len(draw.games),
        decided=len(people),
        raters=tuple(_rater(draw, link, given.get(link.rater, {}), again.get(link.rater, {})) for link in links),
        pairs=tuple(pair for pair in _pairs(outcomes, question) if pair.games),
        judge=agreement(
            np.array([by_people[key][1] for key in both]),
            np.array([by_judge[key] for key in both]),
            [by_people[key][0] for key in both],
            labelled=len(by_people),
        ),
        ceiling=ceiling(
            {rater: {key: SCALE[value] for key, value in own.items()} for rater, own in outcomes.items()}, by_judge
        ),
    )


def _outcomes(given: Mapping[str, Given]) -> dict[str, Outcome]:
    found = ((key, outcome_of(value)) for key, value in given.items())
    return {key: outcome for key, outcome in found if outcome is not None}


def _rater(draw: GameDraw, link: RatingLink, given: Mapping[str, Given], again: Mapping[str, Given]) -> RaterFigures:
    shown = showings(draw, link.rater, link.place)
    question = {game.key: game.question_id for game in draw.games}
    said = [(each, (again if each.is_repeated else given).get(each.game.key)) for each in shown]
    choices = [(choice_of(value, each.first), each.game.key) for each, value in said if value is not None]
    sides = [(choice == "first", question[key]) for choice, key in choices if choice in ("first", "second")]
    before, after = _outcomes(given), _outcomes(again)
    repeated = [key for key in after if key in before]
    consistent = [before[key] == after[key] for key in repeated]
    return RaterFigures(
        rater=link.rater,
        total=len(shown),
        rated=len(choices),
        cannot_tell=sum(value == "cannot_tell" for value in given.values()),
        both_bad=sum(value == "both_bad" for value in given.values()),
        decided=len(sides),
        first=sum(is_first for is_first, _ in sides),
        first_interval=clustered_share([is_first for is_first, _ in sides], [each for _, each in sides]),
        repeated=len(repeated),
        consistent=sum(consistent),
        consistent_interval=clustered_share(consistent, [question[key] for key in repeated]),
    )


def _pairs(outcomes: Mapping[str, Mapping[str, Outcome]], question: Mapping[str, str]) -> list[RaterPair]:
    found = []
    for (one, mine), (other, theirs) in combinations(outcomes.items(), 2):
        both = [key for key in mine if key in theirs]
        said = [mine[key] for key in both], [theirs[key] for key in both]
        same = [first == second for first, second in zip(*said, strict=True)]
        found.append(
            RaterPair(
                one=one,
                other=other,
                games=len(both),
                same=sum(same),
                interval=clustered_share(same, [question[key] for key in both]),
                kappa=cohen_kappa(*said, OUTCOMES, weights="none") if both else None,
            )
        )
    return found
