"""What one rater sees through a link: pairs of answers, blind, and the own choices; nothing else is shown."""

from __future__ import annotations

from dataclasses import dataclass

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
from passer.errors import NotFoundError
from passer.ports import Clock, LabelStore, TournamentStore
from passer.services.arena.game_table import GameTable
from passer.services.arena.pairings import PairingSource
from passer.services.arena.people import digest_of_secret


class SheetPlace(Frozen):
    """A pair of answers in a rater's order."""

    id: str
    """Opaque id of the pair for this rater."""
    is_rated: bool
    """Whether the rater has chosen."""


class RatingSheet(Frozen):
    """The pairs of one rater, in order; it names neither systems nor models nor other raters."""

    places: tuple[SheetPlace, ...]
    """Pairs in the order of this rater."""


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
    """What the rater has chosen; None before."""


class ChoiceRequest(Frozen):
    """A rater's choice."""

    choice: Choice
    """Which answer is better."""


@dataclass(frozen=True)
class RatingSheets:
    """Shows pairs to raters and saves their choices."""

    tournaments: TournamentStore
    labels: LabelStore
    table: GameTable
    source: PairingSource
    clock: Clock

    def sheet(self, secret: str) -> RatingSheet:
        """Return the pairs of the rater whose link has this secret; NotFoundError for a link that opens nothing."""
        link, draw = self._opened(secret)
        chosen = self._chosen(link, draw)
        return RatingSheet(
            places=tuple(
                SheetPlace(id=each.id, is_rated=each.id in chosen) for each in showings(draw, link.rater, link.place)
            )
        )

    def pair(self, secret: str, pair_id: str) -> ShownPair:
        """Return one pair with its texts; NotFoundError."""
        link, draw = self._opened(secret)
        return self._shown(link, draw, _found(link, draw, pair_id))

    def choose(self, secret: str, pair_id: str, choice: Choice) -> ShownPair:
        """Save a choice, or a correction of one, and return the pair with it; NotFoundError."""
        link, draw = self._opened(secret)
        showing = _found(link, draw, pair_id)
        if self._chosen(link, draw).get(pair_id) == choice:
            return self._shown(link, draw, showing)
        label = Label(
            item_key=showing.game.key,
            column=GAME_AGAIN if showing.is_repeated else GAME,
            rater=link.rater,
            value=CODES[given_of(choice, showing.first)],
            draw=draw.tournament_id,
            inclusion=showing.game.inclusion,
            at=self.clock.now(),
        )
        # The same person may have said the same of the same texts in an earlier draw; it is still a choice of this one.
        self.labels.add_labels([label], keep_repeated=True)
        return self._shown(link, draw, showing)

    def _opened(self, secret: str) -> tuple[RatingLink, GameDraw]:
        link = self.tournaments.link(digest_of_secret(secret))
        if link is None or link.expires_at <= self.clock.now():
            raise NotFoundError(sentence("rating.no-link"))
        return link, self.tournaments.draw(link.tournament_id)

    def _chosen(self, link: RatingLink, draw: GameDraw) -> dict[str, Choice]:
        """What this rater has chosen, by id of the pair."""
        given = [self.table.given(draw, again=again).get(link.rater, {}) for again in (False, True)]
        return {
            each.id: choice_of(given[each.is_repeated][each.game.key], each.first)
            for each in showings(draw, link.rater, link.place)
            if each.game.key in given[each.is_repeated]
        }

    def _shown(self, link: RatingLink, draw: GameDraw, showing: Showing) -> ShownPair:
        tournament = self.tournaments.tournament(draw.tournament_id)
        options = ArenaOptions(documents="text")
        pairing = next(self.source.pairings(tournament.ids, [showing.game.fixture], options), None)
        if pairing is None or pairing.key != showing.game.key:
            raise NotFoundError(sentence("rating.pair-gone"))
        first, second = pairing.answers if showing.first == "a" else pairing.answers[::-1]
        return ShownPair(
            id=showing.id,
            question=pairing.question,
            first=first,
            second=second,
            passages=pairing.documents,
            choice=self._chosen(link, draw).get(showing.id),
        )


def _found(link: RatingLink, draw: GameDraw, pair_id: str) -> Showing:
    for showing in showings(draw, link.rater, link.place):
        if showing.id == pair_id:
            return showing
    raise NotFoundError(sentence("rating.pair-gone"))
