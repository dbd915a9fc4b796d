"""Tournaments of people: games are drawn from a tournament, and each rater gets a link."""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Annotated

from pydantic import AfterValidator, Field, StringConstraints

from passer.domain.arena.aspects import ASPECTS, Aspect
from passer.domain.arena.people import DrawnGame, GameDraw, RatingLink, draw_games
from passer.domain.arena.schedule import Fixture
from passer.domain.arena.tournament import ArenaOptions, Tournament
from passer.domain.base import Frozen
from passer.domain.defaults import GAMES_RATED, LINK_DAYS
from passer.domain.sweeps.run import sweep_id_of
from passer.domain.wording.sentence import sentence
from passer.errors import InputError, NotFoundError
from passer.ports import Clock, TournamentStore
from passer.services.arena.arenas import Runs, unanswered
from passer.services.arena.pairings import PairingSource

SECRET_BYTES = 16
"""Random bytes in a link: 128 bits cannot be guessed."""
PAGE = "/rate"
"""Address of the page that a link opens. The secret comes after a #, which browsers send to no server: it is in no log
and in no referrer."""


def _different(raters: tuple[str, ...]) -> tuple[str, ...]:
    if len(set(raters)) != len(raters):
        raise ValueError(sentence("arena.rater-twice"))
    return raters


def _in_order(aspects: tuple[Aspect, ...]) -> tuple[Aspect, ...]:
    return tuple(aspect for aspect in ASPECTS if aspect in aspects)


Rater = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=100)]
Days = Annotated[int, Field(ge=1, le=366)]


class PeopleRequest(Frozen):
    """A request to have people decide games of a tournament."""

    games: int = Field(default=GAMES_RATED, ge=1, le=10_000)
    """Number of games to draw; every rater rates all of them."""
    raters: Annotated[tuple[Rater, ...], AfterValidator(_different), Field(min_length=1, max_length=20)]
    """Pseudonyms of the raters; every second one sees the sides opposite to those of the others."""
    days: Days = LINK_DAYS
    """Days for which the links are valid."""
    seed: int = Field(default=1, ge=0, le=2**31 - 1)
    """Seed of the draw, of the orders and of the sides."""
    aspects: Annotated[tuple[Aspect, ...], AfterValidator(_in_order)] = ()
    """Aspects in which raters also grade each answer with 0, 1 or 2."""


class PeopleOfRunsRequest(PeopleRequest):
    """A request to have people decide games of runs that no judge or score has decided."""

    runs: Runs
    """Ids of runs of sweeps with the same questions; the id of a sweep means all of its runs."""


class LinkRequest(Frozen):
    """A request for a link: of a new rater, or in place of the one that a rater has."""

    rater: Rater
    """Pseudonym."""
    days: Days = LINK_DAYS
    """Days for which the link is valid."""


class NewLink(Frozen):
    """A link with its secret, which is shown once: only a digest of it is stored."""

    rater: str
    """Pseudonym."""
    path: str
    """Path of the link, with the prefix of the project."""
    expires_at: datetime
    """Time from which it is invalid, in UTC."""


class NewPeople(Frozen):
    """A new tournament of people."""

    tournament: Tournament
    """Its systems."""
    games: int
    """Number of drawn games."""
    links: tuple[NewLink, ...]
    """One for each rater."""


@dataclass(frozen=True)
class PeopleGames:
    """Draws games for people, and makes and revokes links."""

    tournaments: TournamentStore
    source: PairingSource
    clock: Clock

    def start(self, tournament_id: str, request: PeopleRequest) -> NewPeople:
        """Draw games of a tournament and save them as one that people decide.

        Raises NotFoundError if it does not exist, and InputError for an imported tournament, whose texts are not known,
        and for one without games between different answers.
        """
        of = self.tournaments.tournament(tournament_id)
        if of.source in ("import", "person"):
            raise InputError(sentence("arena.no-texts"), field="tournament")
        # Games of systems that joined later were chosen by their outcomes, so a draw of them would not be fair.
        games = [game for game in self.tournaments.games(tournament_id) if {game.a, game.b} <= set(of.ids)]
        if of.source == "rule":
            # A score decides between equal answers too, such as those from different passages; people cannot.
            played = [Fixture(game.question_id, game.a, game.b) for game in games]
            pairings = self.source.pairings(of.entrants, played, ArenaOptions(documents="none"))
            same = {each.key for each in pairings if each.is_same_answer}
            games = [game for game in games if game.key not in same]
        drawn = draw_games(games, count=request.games, seed=request.seed)
        if not drawn:
            # A score has decided all games at once; a judge may still have to.
            code = "arena.all-same" if of.source == "rule" else "arena.nothing-to-draw"
            raise InputError(sentence(code), field="games")
        people = of.model_copy(
            update={
                "id": secrets.token_hex(8),
                "source": "person",
                "entrants": tuple(each for each in of.entrants if each.added_by is None),
                "rule": None,
                "created_at": self.clock.now(),
            }
        )
        return self._started(people, of.id, drawn, request)

    def start_of_runs(self, request: PeopleOfRunsRequest) -> NewPeople:
        """Draw from all pairs that runs can play; no judge or score needs to have decided them.

        Raises NotFoundError if a run does not exist, and InputError for runs with different questions, and where no two
        runs have different answers.
        """
        entrants = self.source.entrants(self.source.run_ids(request.runs))
        ids = [each.id for each in entrants]
        keys = self.source.keys(ids)
        fixtures = self.source.fixtures(ids, ArenaOptions(), keys)
        pairings = self.source.pairings(entrants, fixtures, ArenaOptions(documents="none"))
        drawn = draw_games([each.undecided() for each in pairings], count=request.games, seed=request.seed)
        if not drawn:
            raise InputError(sentence("arena.all-same"), field="runs")
        tournament = Tournament(
            id=secrets.token_hex(8),
            name=self.source.sweep_name(ids)[:200],
            source="person",
            entrants=entrants,
            sweep_id=sweep_id_of(ids[0]),
            unanswered=unanswered(keys),
            created_at=self.clock.now(),
        )
        return self._started(tournament, None, drawn, request)

    def _started(
        self, tournament: Tournament, of: str | None, drawn: tuple[DrawnGame, ...], request: PeopleRequest
    ) -> NewPeople:
        some_id = tournament.id
        draw = GameDraw(tournament_id=some_id, of=of, seed=request.seed, games=drawn, aspects=request.aspects)
        made = [self._made(some_id, rater, place, request.days) for place, rater in enumerate(request.raters)]
        self.tournaments.add_draw(tournament, draw, [link for link, _ in made])
        return NewPeople(tournament=tournament, games=len(drawn), links=tuple(new for _, new in made))

    def add_link(self, tournament_id: str, request: LinkRequest) -> NewLink:
        """Make a link for a new rater, or a new one for a known rater, which invalidates the earlier link."""
        self.tournaments.draw(tournament_id)
        link, new = self._made(tournament_id, request.rater, 0, request.days)
        self.tournaments.put_link(link)
        return new

    def revoke(self, tournament_id: str, rater: str) -> None:
        """Invalidate the link of a rater; ratings are kept. Raises NotFoundError if there is no such link."""
        self.tournaments.draw(tournament_id)
        for link in self.tournaments.links(tournament_id):
            if link.rater == rater:
                # The rater stays, so that a new link shows the same sides.
                self.tournaments.put_link(link.model_copy(update={"expires_at": self.clock.now()}))
                return
        raise NotFoundError(sentence("arena.no-rater", rater=rater))

    def _made(self, tournament_id: str, rater: str, place: int, days: int) -> tuple[RatingLink, NewLink]:
        secret = secrets.token_urlsafe(SECRET_BYTES)
        expires = self.clock.now() + timedelta(days=days)
        link = RatingLink(
            tournament_id=tournament_id, rater=rater, place=place, digest=digest_of_secret(secret), expires_at=expires
        )
        return link, NewLink(rater=rater, path=f"{PAGE}#{secret}", expires_at=expires)


def digest_of_secret(secret: str) -> str:
    """Return what is stored of the secret of a link; it is random, so that a fast hash is enough."""
    return hashlib.sha256(secret.encode()).hexdigest()
