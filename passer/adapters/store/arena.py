"""Tournaments and their games on SQL."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Connection, RowMapping, delete, func, select, update
from sqlalchemy.exc import IntegrityError

from passer.adapters.store.database import Database
from passer.adapters.store.judging import ASKED_AGAIN
from passer.adapters.store.judging_tables import game_draws, games, rating_links, tournaments
from passer.adapters.store.run_names import names_of_runs
from passer.domain.arena.game import Game, Source
from passer.domain.arena.people import GameDraw, RatingLink
from passer.domain.arena.schedule import Fixture
from passer.domain.arena.tournament import Entrant, Tournament
from passer.domain.sweeps.run_names import name_among_sweeps
from passer.domain.wording.sentence import sentence
from passer.errors import ConflictError, NotFoundError
from passer.ports.arena import GameFact


class DatabaseTournaments:
    """ports.TournamentStore on SQL."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add_tournament(self, tournament: Tournament, played: Sequence[Game] = ()) -> None:
        with self._adding(tournament) as connection:
            if played:
                rows = [game_row(GameFact(tournament.id, game)) for game in played]
                connection.execute(games.insert(), rows)

    def add_entrant(self, tournament_id: str, entrant: Entrant) -> None:
        with self._database.begin() as connection:
            # Locked: two processes that add a run at once would each write a list without the other's.
            query = select(tournaments.c.entrants).where(tournaments.c.id == tournament_id).with_for_update()
            entrants = connection.execute(query).scalar()
            if entrants is None:
                raise NotFoundError(sentence("arena.none", tournament=tournament_id))
            if entrant.id in {each["id"] for each in entrants}:
                raise ConflictError(sentence("arena.add-known", run=entrant.id, tournament=tournament_id))
            changed = update(tournaments).where(tournaments.c.id == tournament_id)
            connection.execute(changed.values(entrants=[*entrants, entrant.model_dump()]))

    def tournament(self, tournament_id: str) -> Tournament:
        query = select(tournaments).where(tournaments.c.id == tournament_id)
        row = self._database.row(query)
        if row is None:
            raise NotFoundError(sentence("arena.none", tournament=tournament_id))
        [found] = self._loaded([row])
        return found

    def tournaments(self, sweep_id: str | None = None) -> list[Tournament]:
        query = select(tournaments).order_by(tournaments.c.created_at.desc(), tournaments.c.id)
        found = self._loaded(self._database.rows(query))
        # A tournament may have runs of several sweeps.
        return found if sweep_id is None else [each for each in found if sweep_id in each.sweeps]

    def games(self, tournament_id: str) -> list[Game]:
        order = games.c.question_id, games.c.a, games.c.b
        query = select(games).where(games.c.tournament_id == tournament_id).order_by(*order)
        with self._database.connect() as connection:
            source = _source(connection, tournament_id)
            return [_game(row, source) for row in connection.execute(query).mappings()]

    def game(self, tournament_id: str, fixture: Fixture) -> Game:
        query = select(games).where(
            games.c.tournament_id == tournament_id,
            games.c.question_id == fixture.question_id,
            games.c.a == fixture.a,
            games.c.b == fixture.b,
        )
        with self._database.connect() as connection:
            source = _source(connection, tournament_id)
            row = connection.execute(query).mappings().one_or_none()
        if row is None:
            raise NotFoundError(sentence("arena.no-game", tournament=tournament_id))
        return _game(row, source)

    def played(self, tournament_id: str) -> set[Fixture]:
        query = select(games.c.question_id, games.c.a, games.c.b).where(games.c.tournament_id == tournament_id)
        with self._database.connect() as connection:
            return {Fixture(*row) for row in connection.execute(query)}

    def delete_failed_games(self, tournament_id: str) -> int:
        failed = delete(games).where(games.c.tournament_id == tournament_id, games.c.reason == ASKED_AGAIN)
        return self._database.change(failed)

    def add_draw(self, tournament: Tournament, draw: GameDraw, links: Sequence[RatingLink]) -> None:
        with self._adding(tournament) as connection:
            connection.execute(game_draws.insert().values(**draw.model_dump(mode="json")))
            connection.execute(rating_links.insert(), [dict(link) for link in links])

    def draw(self, tournament_id: str) -> GameDraw:
        query = select(game_draws).where(game_draws.c.tournament_id == tournament_id)
        row = self._database.row(query)
        if row is None:
            raise NotFoundError(sentence("arena.not-people", tournament=tournament_id))
        return GameDraw.model_validate(dict(row))

    def draws_of(self, tournament_id: str) -> list[str]:
        query = select(game_draws.c.tournament_id).where(game_draws.c.of == tournament_id)
        return list(self._database.values(query.order_by(game_draws.c.tournament_id)))

    def links(self, tournament_id: str) -> list[RatingLink]:
        query = select(rating_links).where(rating_links.c.tournament_id == tournament_id)
        rows = self._database.rows(query.order_by(rating_links.c.place))
        return [RatingLink.model_validate(dict(row)) for row in rows]

    def put_link(self, link: RatingLink) -> None:
        mine = rating_links.c.tournament_id == link.tournament_id, rating_links.c.rater == link.rater
        taken = select(func.max(rating_links.c.place)).where(rating_links.c.tournament_id == link.tournament_id)
        tournament = select(tournaments.c.id).where(tournaments.c.id == link.tournament_id)
        with self._database.begin() as connection:
            # The row of the tournament is the lock: without it, two servers would give the same place twice.
            connection.execute(tournament.with_for_update())
            place = connection.execute(select(rating_links.c.place).where(*mine)).scalar()
            if place is None:
                last = connection.execute(taken).scalar()
                place = 0 if last is None else last + 1
            connection.execute(delete(rating_links).where(*mine))
            connection.execute(rating_links.insert().values(**{**dict(link), "place": place}))

    def link(self, digest: str) -> RatingLink | None:
        row = self._database.row(select(rating_links).where(rating_links.c.digest == digest))
        return None if row is None else RatingLink.model_validate(dict(row))

    def delete_tournament(self, tournament_id: str) -> None:
        with self._database.begin() as connection:
            # Judgements and ratings stay: they are stored by content, and other tournaments may use them.
            for table in (games, game_draws, rating_links):
                connection.execute(delete(table).where(table.c.tournament_id == tournament_id))
            connection.execute(delete(tournaments).where(tournaments.c.id == tournament_id))

    def _loaded(self, rows: Sequence[RowMapping]) -> list[Tournament]:
        """Return tournaments whose systems have the names of their runs; an imported system has the one of its file."""
        found = [Tournament.model_validate(dict(row)) for row in rows]
        with self._database.connect() as connection:
            names = names_of_runs(connection, {each.id for one in found for each in one.entrants})
        return [
            one.model_copy(update={"entrants": tuple(_named(each, names.get(each.id, "")) for each in one.entrants)})
            for one in found
        ]

    @contextmanager
    def _adding(self, tournament: Tournament) -> Iterator[Connection]:
        """A commit that adds a tournament and what belongs to it."""
        # Not as JSON, which would be in the language of the reader.
        row = tournament.model_dump(exclude={"created_at"})
        with self._database.begin() as connection:
            try:
                connection.execute(tournaments.insert().values(**row, created_at=tournament.created_at))
            except IntegrityError as exc:
                raise ConflictError(sentence("arena.known", tournament=tournament.id)) from exc
            yield connection


def _named(entrant: Entrant, name: str) -> Entrant:
    for known in (name, name_among_sweeps(entrant.name.removesuffix(f": {name}"), name)):
        if known == entrant.name:
            return entrant.model_copy(update={"name": known})
    return entrant


def game_row(fact: GameFact) -> dict[str, Any]:
    """Return the columns of a game."""
    return {**fact.game.model_dump(mode="json", exclude={"source"}), "tournament_id": fact.tournament_id}


def _source(connection: Connection, tournament_id: str) -> Source:
    source = connection.execute(select(tournaments.c.source).where(tournaments.c.id == tournament_id)).scalar()
    if source is None:
        raise NotFoundError(sentence("arena.none", tournament=tournament_id))
    found: Source = source
    return found


def _game(row: Mapping[Any, Any], source: Source) -> Game:
    plain = {name: value for name, value in dict(row).items() if name != "tournament_id"}
    return Game.model_validate({**plain, "source": source})
