"""Store of tournaments with their games."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from passer.domain.arena.game import Game
from passer.domain.arena.people import GameDraw, RatingLink
from passer.domain.arena.schedule import Fixture
from passer.domain.arena.tournament import Entrant, Tournament


@dataclass(frozen=True)
class GameFact:
    """A game was played."""

    tournament_id: str
    game: Game


class TournamentStore(Protocol):
    """Tournaments and their games; games of judges are written by `EvaluationStore.record`."""

    def add_tournament(self, tournament: Tournament, games: Sequence[Game] = ()) -> None:
        """Save a new tournament, with its games if they are known, in one commit; ConflictError if its id exists."""

    def add_entrant(self, tournament_id: str, entrant: Entrant) -> None:
        """Add a system to a tournament.

        Raises ConflictError if it plays there already, and NotFoundError if the tournament does not exist.
        """

    def tournament(self, tournament_id: str) -> Tournament:
        """Return a tournament; NotFoundError if there is none."""

    def tournaments(self, sweep_id: str | None = None) -> list[Tournament]:
        """Return all tournaments, or those of a sweep, the newest first."""

    def games(self, tournament_id: str) -> list[Game]:
        """Return the games of a tournament by question and systems."""

    def game(self, tournament_id: str, fixture: Fixture) -> Game:
        """Return one game; NotFoundError if it was not played."""

    def played(self, tournament_id: str) -> set[Fixture]:
        """Return which games are stored."""

    def delete_failed_games(self, tournament_id: str) -> int:
        """Delete the games whose judge gave no reply, so that it is asked again; returns their number."""

    def add_draw(self, tournament: Tournament, draw: GameDraw, links: Sequence[RatingLink]) -> None:
        """Save a new tournament of people with its drawn games and raters, in one commit.

        Raises ConflictError if its id exists.
        """

    def draw(self, tournament_id: str) -> GameDraw:
        """Return the games that people rate; NotFoundError for a tournament that people do not decide."""

    def draws_of(self, tournament_id: str) -> list[str]:
        """Return the ids of the tournaments of people whose games were drawn from this one."""

    def links(self, tournament_id: str) -> list[RatingLink]:
        """Return the raters of a tournament of people with their links, by place."""

    def put_link(self, link: RatingLink) -> None:
        """Replace the link of a rater; a new rater gets the next free place, whatever the link says.

        Two raters that are added at the same time get different places, so that they see opposite sides.
        """

    def link(self, digest: str) -> RatingLink | None:
        """Return the rater whose link has a secret with this digest; None if there is none."""

    def delete_tournament(self, tournament_id: str) -> None:
        """Delete a tournament with its games and links; judgements and labels stay."""
