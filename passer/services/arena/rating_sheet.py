"""Blind view of one rater through a link: only the pairs of answers and the choices of this rater."""

from __future__ import annotations

from dataclasses import dataclass

from pydantic import Field

from passer.domain.arena.aspects import GRADES, HIGHEST, Aspect, Grade, aspect_column
from passer.domain.arena.game_recipe import Pairing
from passer.domain.arena.people import (
    CODES,
    GAME,
    GAME_AGAIN,
    Choice,
    GameDraw,
    RatingLink,
    Showing,
    choice_of,
    given_of,
    showings,
)
from passer.domain.arena.tournament import ArenaOptions
from passer.domain.base import Frozen
from passer.domain.judging.marks import Label
from passer.domain.wording.sentence import sentence
from passer.errors import InputError, NotFoundError
from passer.ports import Clock, LabelStore, TournamentStore
from passer.services.arena.game_table import GameTable
from passer.services.arena.pairings import PairingSource
from passer.services.arena.people import digest_of_secret
from passer.services.arena.people_reader import given_grades
from passer.services.judging.reservations import Availability, NextPlace, QueuePlace, Reservations


class SheetPlace(Frozen):
    """A pair of answers in a rater's order."""

    id: str
    """Opaque id of the pair for this rater."""
    is_rated: bool
    """True if the rater has chosen."""
    availability: Availability = "free"
    """Availability for this rater; `reserved` while another rater has the pair open."""


class NextPairRequest(Frozen):
    """A request for the next pair of a sheet."""

    after: str | None = Field(default=None, max_length=64)
    """Id of the pair after which the search begins; None for the beginning."""


class RatingSheet(Frozen):
    """The pairs of one rater, in order; it names neither systems nor models nor other raters."""

    places: tuple[SheetPlace, ...]
    """Pairs in the order of this rater."""


class Grades(Frozen):
    """Grades of both answers by aspect: 0 no, 1 in part, 2 fully."""

    first: dict[Aspect, Grade] = Field(default_factory=dict)
    """Grades of the answer shown first."""
    second: dict[Aspect, Grade] = Field(default_factory=dict)
    """Grades of the answer shown second."""


class ShownPair(Frozen):
    """Two answers to one question, without any sign of their configurations."""

    id: str
    """Opaque id of the pair for this rater."""
    question: str
    """The question."""
    first: str
    """Answer shown first."""
    second: str
    """Answer shown second."""
    passages: tuple[str, ...]
    """Texts that the systems could read for this question, of all systems together."""
    choice: Choice | None
    """Choice of the rater; None before."""
    aspects: tuple[Aspect, ...]
    """Aspects in which the rater grades both answers; empty where only the better one is asked for."""
    grades: Grades
    """Grades that the rater has given."""


class ChoiceRequest(Frozen):
    """A rater's choice."""

    choice: Choice
    """The better answer."""
    grades: Grades = Grades()
    """Grades of both answers, as far as the rater gives any."""


@dataclass(frozen=True)
class RatingSheets:
    """Shows pairs to raters and saves their choices."""

    tournaments: TournamentStore
    labels: LabelStore
    table: GameTable
    source: PairingSource
    clock: Clock

    @property
    def reservations(self) -> Reservations:
        """Hands out the pairs of a draw."""
        return Reservations(self.labels)

    def sheet(self, secret: str) -> RatingSheet:
        """Return the pairs of the rater whose link has this secret; NotFoundError for an invalid link."""
        link, draw = self._opened(secret)
        chosen = self._chosen(link, draw)
        held = self.reservations.of_others(draw.tournament_id, link.rater)
        return RatingSheet(
            places=tuple(
                SheetPlace(
                    id=each.id,
                    is_rated=each.id in chosen,
                    availability="reserved" if each.game.key in held else "free",
                )
                for each in showings(draw, link.rater, link.place)
            )
        )

    def next(self, secret: str, request: NextPairRequest) -> NextPlace:
        """Reserve the next pair without a choice that no other rater has open, for 10 minutes.

        Raises NotFoundError if the tournament does not exist. A pair that comes back with its sides swapped is the same
        for this: both showings are one game.
        """
        link, draw = self._opened(secret)
        chosen = self._chosen(link, draw)
        places = [
            QueuePlace(each.id, each.game.key, each.id not in chosen) for each in showings(draw, link.rater, link.place)
        ]
        return self.reservations.next(draw.tournament_id, places, link.rater, after=request.after)

    def pair(self, secret: str, pair_id: str) -> ShownPair:
        """Return one pair with its texts. Raises NotFoundError if it was not drawn."""
        link, draw = self._opened(secret)
        return self._shown(link, draw, _found(link, draw, pair_id))

    def choose(self, secret: str, pair_id: str, choice: Choice, grades: Grades | None = None) -> ShownPair:
        """Save a choice with its grades, or a correction, and return the pair with it.

        Raises NotFoundError if the pair was not drawn, and InputError for grades in an aspect that the draw does not
        ask for.
        """
        link, draw = self._opened(secret)
        showing = _found(link, draw, pair_id)
        grades = grades or Grades()
        for aspect in (*grades.first, *grades.second):
            if aspect not in draw.aspects:
                raise InputError(sentence("rating.no-aspect", aspect=aspect), field="grades")
        values = self._new_values(link, draw, showing, choice, grades)
        labels = [
            Label(
                item_key=key,
                column=column,
                rater=link.rater,
                value=value,
                draw=draw.tournament_id,
                inclusion=showing.game.inclusion,
                at=self.clock.now(),
            )
            for (key, column), value in values.items()
        ]
        # The same person may have said the same of the same texts in an earlier draw; it is still a choice of this one.
        self.labels.add_labels(labels, keep_repeated=True)
        self.reservations.free(draw.tournament_id, showing.game.key, link.rater)
        return self._shown(link, draw, showing)

    def _opened(self, secret: str) -> tuple[RatingLink, GameDraw]:
        link = self.tournaments.link(digest_of_secret(secret))
        if link is None or link.expires_at <= self.clock.now():
            raise NotFoundError(sentence("rating.no-link"))
        return link, self.tournaments.draw(link.tournament_id)

    def _chosen(self, link: RatingLink, draw: GameDraw) -> dict[str, Choice]:
        """Return this rater's choices, by id of the pair."""
        given = [self.table.given(draw, again=again).get(link.rater, {}) for again in (False, True)]
        return {
            each.id: choice_of(given[each.is_repeated][each.game.key], each.first)
            for each in showings(draw, link.rater, link.place)
            if each.game.key in given[each.is_repeated]
        }

    def _pairing(self, draw: GameDraw, showing: Showing) -> Pairing:
        tournament = self.tournaments.tournament(draw.tournament_id)
        options = ArenaOptions(documents="text")
        pairing = next(self.source.pairings(tournament.entrants, [showing.game.fixture], options), None)
        if pairing is None or pairing.key != showing.game.key:
            raise NotFoundError(sentence("rating.pair-gone"))
        return pairing

    def _grades(self, link: RatingLink, draw: GameDraw, showing: Showing, pairing: Pairing) -> Grades:
        """Return this rater's grades of both answers; those of a game that came back are apart from the first ones."""
        found: tuple[dict[Aspect, Grade], dict[Aspect, Grade]] = ({}, {})
        items = _in_order(pairing.items, showing)
        for aspect in draw.aspects:
            given = given_grades(self.labels, draw, items, aspect, again=showing.is_repeated).get(link.rater, {})
            for item, own in zip(items, found, strict=True):
                if item in given:
                    own[aspect] = GRADES[round(given[item] * HIGHEST)]
        return Grades(first=found[0], second=found[1])

    def _new_values(
        self, link: RatingLink, draw: GameDraw, showing: Showing, choice: Choice, grades: Grades
    ) -> dict[tuple[str, str], float]:
        """Return the values of item and column that a choice and its grades change."""
        pairing = self._pairing(draw, showing)
        values: dict[tuple[str, str], float] = {}
        if self._chosen(link, draw).get(showing.id) != choice:
            column = GAME_AGAIN if showing.is_repeated else GAME
            values[showing.game.key, column] = CODES[given_of(choice, showing.first)]
        before = self._grades(link, draw, showing, pairing)
        items = _in_order(pairing.items, showing)
        sides = ((items[0], grades.first, before.first), (items[1], grades.second, before.second))
        for item, given, earlier in sides:
            for aspect, grade in given.items():
                if earlier.get(aspect) != grade:
                    values[item, aspect_column(aspect, again=showing.is_repeated)] = grade / HIGHEST
        return values

    def _shown(self, link: RatingLink, draw: GameDraw, showing: Showing) -> ShownPair:
        pairing = self._pairing(draw, showing)
        first, second = _in_order(pairing.answers, showing)
        return ShownPair(
            id=showing.id,
            question=pairing.question,
            first=first,
            second=second,
            passages=pairing.documents,
            choice=self._chosen(link, draw).get(showing.id),
            aspects=draw.aspects,
            grades=self._grades(link, draw, showing, pairing),
        )


def _in_order(sides: tuple[str, str], showing: Showing) -> tuple[str, str]:
    """Return what belongs to a and b in the order of showing."""
    return sides if showing.first == "a" else (sides[1], sides[0])


def _found(link: RatingLink, draw: GameDraw, pair_id: str) -> Showing:
    for showing in showings(draw, link.rater, link.place):
        if showing.id == pair_id:
            return showing
    raise NotFoundError(sentence("rating.pair-gone"))
