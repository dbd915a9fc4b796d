"""The games of any tournament: stored ones of judges, rules and imports, and those that ratings by people decide."""

from __future__ import annotations

from dataclasses import dataclass

from passer.domain.arena.game import Game
from passer.domain.arena.people import GAME, GAME_AGAIN, GameDraw, Given, decided_games, given_by_code
from passer.domain.arena.people_figures import GivenByRater
from passer.domain.arena.schedule import Fixture
from passer.domain.wording.sentence import sentence
from passer.errors import NotFoundError
from passer.ports import LabelStore, TournamentStore


@dataclass(frozen=True)
class GameTable:
    """Reads games; changes nothing. Games of people follow from their labels each time, so they are never stale."""

    tournaments: TournamentStore
    labels: LabelStore

    def games(self, tournament_id: str) -> list[Game]:
        """Return the games of a tournament by question and systems; NotFoundError."""
        if self.tournaments.tournament(tournament_id).source != "person":
            return self.tournaments.games(tournament_id)
        draw = self.tournaments.draw(tournament_id)
        return decided_games(draw, self.tournaments.links(tournament_id), self.given(draw))

    def game(self, tournament_id: str, fixture: Fixture) -> Game:
        """Return one game; NotFoundError if it was not played."""
        if self.tournaments.tournament(tournament_id).source != "person":
            return self.tournaments.game(tournament_id, fixture)
        for game in self.games(tournament_id):
            if (game.question_id, game.a, game.b) == fixture:
                return game
        raise NotFoundError(sentence("arena.no-game", tournament=tournament_id))

    def given(self, draw: GameDraw, *, again: bool = False) -> GivenByRater:
        """Return what the raters of a draw said of its games, or with `again` of those that came back.

        The newest label counts: unlike in calibration, a rater sees nothing new after saving, so a later label is a
        correction of a slip.
        """
        found: dict[str, dict[str, Given]] = {}
        keys = sorted({game.key for game in draw.games})
        for label in self.labels.labels(keys, column=GAME_AGAIN if again else GAME):
            if label.draw == draw.tournament_id:
                found.setdefault(label.rater, {})[label.item_key] = given_by_code(label.value)
        return found
