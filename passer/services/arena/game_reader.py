"""One game with its texts: question, answers, documents, and what the judge replied."""

from __future__ import annotations

from dataclasses import dataclass

from passer.domain.arena.game import Game
from passer.domain.arena.schedule import Fixture
from passer.domain.arena.tournament import ArenaOptions
from passer.domain.base import Frozen
from passer.domain.wording.sentence import sentence
from passer.errors import NotFoundError
from passer.ports import JudgementStore, TournamentStore
from passer.services.arena.game_table import GameTable
from passer.services.arena.pairings import PairingSource
from passer.services.judging.results import AssessmentResults, ReadJudgement


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
    """Reads games; changes nothing."""

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
