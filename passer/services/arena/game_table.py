"""Games of any tournament: stored ones of judges, rules and imports, those of people, and one with its texts."""

from __future__ import annotations

from dataclasses import dataclass

from passer.domain.arena.game import Game
from passer.domain.arena.people import GAME, GAME_AGAIN, GameDraw, Given, decided_games, given_by_code
from passer.domain.arena.people_figures import GivenByRater
from passer.domain.arena.schedule import Fixture
from passer.domain.arena.tournament import ArenaOptions
from passer.domain.base import Frozen
from passer.domain.wording.sentence import sentence
from passer.errors import NotFoundError
from passer.ports import JudgementStore, LabelStore, TournamentStore
from passer.services.arena.pairings import PairingSource
from passer.services.judging.results import AssessmentResults, ReadJudgement


@dataclass(frozen=True)
class GameTable:
    """Reads games. Games of people are derived from their labels on every read, so they are never stale."""

    tournaments: TournamentStore
    labels: LabelStore

    def games(self, tournament_id: str) -> list[Game]:
        """Return the games of a tournament by question and systems. Raises NotFoundError if it does not exist."""
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
        """Return the verdicts of a draw's raters, or with `again` those on its repeated games.

        The newest label counts: unlike in calibration, a rater sees no further information after saving, so a later
        label is a correction.
        """
        found: dict[str, dict[str, Given]] = {}
        keys = sorted({game.key for game in draw.games})
        for label in self.labels.labels(keys, column=GAME_AGAIN if again else GAME):
            if label.draw == draw.tournament_id:
                found.setdefault(label.rater, {})[label.item_key] = given_by_code(label.value)
        return found


class ReadGame(Frozen):
    """A game with its texts; those of imported games are not known."""

    game: Game
    """Entrants and outcome."""
    question: str | None
    """The question as it was asked."""
    answers: tuple[str, str] | None
    """Answers of a and b."""
    documents: tuple[str, ...]
    """Texts that the judge or the raters could read, the best ranked first."""
    judgements: tuple[ReadJudgement, ...]
    """Prompt and verbatim replies of each showing."""


@dataclass(frozen=True)
class GameReader:
    """Reads games."""

    tournaments: TournamentStore
    table: GameTable
    judgements: JudgementStore
    source: PairingSource
    results: AssessmentResults

    def read(self, tournament_id: str, fixture: Fixture) -> ReadGame:
        """Return a game with its texts; NotFoundError if it was not played."""
        tournament = self.tournaments.tournament(tournament_id)
        game = self.table.game(tournament_id, fixture)
        if tournament.source == "import":
            return ReadGame(game=game, question=None, answers=None, documents=(), judgements=())
        options = ArenaOptions(documents="none")
        if tournament.source == "judge":
            options = self.judgements.assessment(tournament_id).spec.arena or options
        elif tournament.source == "person":
            options = ArenaOptions(documents="text")
        pairing = next(self.source.pairings(tournament.entrants, [fixture], options), None)
        if pairing is None:
            raise NotFoundError(sentence("arena.no-game", tournament=tournament_id))
        # A judge that gave no reply leaves no judgement behind.
        keys = [shown.judgement_key for shown in game.verdicts if shown.judgement_key]
        known = self.judgements.judgements(keys)
        return ReadGame(
            game=game,
            question=pairing.question,
            answers=pairing.answers,
            documents=pairing.documents,
            judgements=tuple(self.results.judgement(key) for key in keys if key in known),
        )
