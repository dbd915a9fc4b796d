"""Adds one run to a played tournament: few games against the nearest opponents, on the questions that split most."""

from __future__ import annotations

import secrets
from contextlib import closing
from dataclasses import dataclass

from pydantic import Field

from passer.domain.arena.added_system import Addition, Opponents, next_games
from passer.domain.arena.davidson import Davidson, davidson
from passer.domain.arena.game import Game
from passer.domain.arena.game_recipe import arena_tasks
from passer.domain.arena.schedule import Fixture
from passer.domain.arena.tally import Tally
from passer.domain.arena.tournament import Entrant, Tournament
from passer.domain.base import Frozen
from passer.domain.defaults import GAMES_ADDED
from passer.domain.judging.assessment import Assessment
from passer.domain.sweeps.budget import Budget, GivenBudget
from passer.domain.wording.sentence import sentence
from passer.errors import ConflictError, InputError
from passer.ports import Clock, JudgementStore, TournamentStore
from passer.services.arena.arenas import ArenaPlan, Arenas, unanswered
from passer.services.arena.pairings import PairingSource
from passer.services.arena.runner import ArenaRunner, options_of
from passer.services.judging.runner import AssessmentReport, AssessmentRunner, Meter, Report, check_unchanged


class AddRequest(Frozen):
    """A request to add a run to a tournament, with the judge and the options of the tournament."""

    run: str = Field(min_length=1, max_length=100)
    """Id of a run that asked the same questions; it may belong to another sweep."""
    most: int = Field(default=GAMES_ADDED, ge=1, le=1000)
    """Most games that it plays; fewer if the interval of its share of wins is narrow before."""
    budget: GivenBudget = Budget()
    """Limits after which it pauses."""


@dataclass(frozen=True)
class Additions:
    """Creates and runs additions to tournaments."""

    tournaments: TournamentStore
    judgements: JudgementStore
    source: PairingSource
    arenas: Arenas
    runner: ArenaRunner
    clock: Clock

    def create(self, tournament_id: str, request: AddRequest) -> Assessment:
        """Save the run as a system with few games; its work is still to be queued.

        Raises NotFoundError if run or tournament do not exist; InputError for a tournament that no judge decides and
        for other questions; ConflictError for a tournament that is not played to its end, has no ratings, or has this
        run already.
        """
        assessment, _, entrant = self._made(tournament_id, request)
        # Create the work first: a system without work could neither be played nor added again.
        self.judgements.add_assessment(assessment)
        self.tournaments.add_entrant(tournament_id, entrant.model_copy(update={"added_by": assessment.id}))
        return assessment

    def plan(self, tournament_id: str, request: AddRequest) -> ArenaPlan:
        """Count the most games and requests of an addition. Errors are those of `create`.

        Which games it plays depends on their outcomes, so the count is extrapolated from all possible ones.
        """
        assessment, tournament, entrant = self._made(tournament_id, request)
        possible = self._possible(tournament, request.run)
        return self.arenas.counted(
            assessment,
            (*tournament.entrants, entrant),
            sorted(possible),
            games=min(request.most, len(possible)),
            unanswered=unanswered(self.source.keys((request.run,))),
        )

    def _made(self, tournament_id: str, request: AddRequest) -> tuple[Assessment, Tournament, Entrant]:
        tournament = self.tournaments.tournament(tournament_id)
        if tournament.source != "judge":
            raise InputError(sentence("arena.add-judge"), field="tournament")
        if request.run in {each.id for each in tournament.entrants}:
            raise ConflictError(sentence("arena.add-known", run=request.run, tournament=tournament_id))
        base = self.judgements.assessment(tournament_id)
        entrants = self.source.entrants((*tournament.ids, request.run))
        self._check_played(tournament, base)
        assessment = Assessment(
            id=secrets.token_hex(8),
            sweep_id=base.sweep_id,
            spec=base.spec.model_copy(
                update={
                    "runs": (*tournament.ids, request.run),
                    "adding": Addition(tournament=tournament_id, run=request.run, most=request.most),
                }
            ),
            tasks=base.tasks,
            budget=request.budget.priced(base.spec.judge.price),
            created_at=self.clock.now(),
        )
        [entrant] = [each for each in entrants if each.id == request.run]
        return assessment, tournament, entrant

    def run(self, assessment_id: str, report: Report) -> AssessmentReport:
        """Play round by round until the interval is narrow or the most games are played; WorkPaused by its budget."""
        assessment = self.judgements.assessment(assessment_id)
        adding = assessment.spec.adding
        assert adding is not None, "only additions are run here"
        tournament = self.tournaments.tournament(adding.tournament)
        check_unchanged(assessment, arena_tasks(options_of(assessment)))
        self.tournaments.delete_failed_games(tournament.id)
        opponents, games = self._opponents(tournament)
        if opponents is None:
            raise ConflictError(sentence("arena.add-unrated", tournament=tournament.id))
        possible = self._possible(tournament, adding.run)
        with closing(self.runner.tools.engine()) as engine:
            while True:
                played = {Fixture(game.question_id, game.a, game.b): game for game in games if game.b == adding.run}
                left = next_games(adding, opponents, possible, played)
                if not left:
                    break
                meter = Meter(report, len(played), adding.most)
                # Read again: what earlier rounds have spent counts for the budget.
                self.runner.play(self.judgements.assessment(assessment_id), tournament, left, engine, meter)
                games = self.tournaments.games(tournament.id)
        own = [game for game in games if game.b == adding.run]
        return self.runner.report(assessment_id, own, of=len(own))

    def _opponents(self, tournament: Tournament) -> tuple[Opponents | None, list[Game]]:
        games = self.tournaments.games(tournament.id)
        own = [game for game in games if {game.a, game.b} <= set(tournament.ids)]
        rated = davidson(Tally.of(tournament.ids, own), draws=2)
        return (Opponents.of(tournament.ids, rated, own) if isinstance(rated, Davidson) else None), games

    def _possible(self, tournament: Tournament, run: str) -> set[Fixture]:
        answered: dict[str, set[str]] = {}
        for found in self.source.keys((*tournament.ids, run)):
            if found.key is not None:
                answered.setdefault(found.place.question_id, set()).add(found.place.run_id)
        return {
            Fixture(question, opponent, run)
            for question, runs in answered.items()
            if run in runs
            for opponent in runs - {run}
        }

    def _check_played(self, tournament: Tournament, base: Assessment) -> None:
        fixtures = self.source.fixtures(tournament.ids, options_of(base), self.source.keys(tournament.ids))
        if set(fixtures) - self.tournaments.played(tournament.id):
            raise ConflictError(sentence("arena.add-unfinished", tournament=tournament.id))
        if self._opponents(tournament)[0] is None:
            raise ConflictError(sentence("arena.add-unrated", tournament=tournament.id))


@dataclass(frozen=True)
class AnyAssessmentRunner:
    """Runs an assessment of any kind."""

    marks: AssessmentRunner
    arenas: ArenaRunner
    additions: Additions

    def run(self, assessment_id: str, report: Report) -> AssessmentReport:
        """Run what is left of an assessment; WorkPaused where its budget is used up or its judge keeps failing."""
        spec = self.marks.tools.judgements.assessment(assessment_id).spec
        runner = self.additions if spec.adding is not None else self.arenas if spec.arena is not None else self.marks
        return runner.run(assessment_id, report)
