"""Runs arenas to their end, also after an earlier process died: games that are stored are not played again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass

from passer.domain.arena.game import Decided, Game
from passer.domain.arena.game_recipe import Pairing, arena_tasks, play
from passer.domain.arena.schedule import Fixture
from passer.domain.arena.tournament import ArenaOptions, Tournament
from passer.domain.judging.assessment import Assessment
from passer.ports import Engine, GameFact, TournamentStore
from passer.services.arena.pairings import PairingSource
from passer.services.judging.asker import JudgeContext
from passer.services.judging.driver import Ended, Started
from passer.services.judging.runner import AssessmentReport, Meter, Report, check_unchanged, run_recipes
from passer.services.judging.tools import JudgingTools


@dataclass(frozen=True)
class ArenaRunner:
    """Runs one arena at a time."""

    tools: JudgingTools
    tournaments: TournamentStore
    source: PairingSource

    def run(self, assessment_id: str, report: Report) -> AssessmentReport:
        """Play what is left of an arena; WorkPaused where its budget is used up or its judge keeps failing."""
        assessment = self.tools.judgements.assessment(assessment_id)
        options = options_of(assessment)
        check_unchanged(assessment, arena_tasks(options))
        self.tournaments.delete_failed_games(assessment_id)
        runs = assessment.spec.runs
        fixtures = self.source.fixtures(runs, options, self.source.keys(runs))
        played = self.tournaments.played(assessment_id)
        left = [fixture for fixture in fixtures if fixture not in played]
        meter = Meter(report, len(fixtures) - len(left), len(fixtures))
        tournament = self.tournaments.tournament(assessment_id)
        with closing(self.tools.engine()) as engine:
            self.play(assessment, tournament, left, engine, meter)
        games = [game for game in self.tournaments.games(assessment_id) if {game.a, game.b} <= set(runs)]
        return self.report(assessment_id, games, of=len(fixtures))

    def play(
        self, assessment: Assessment, tournament: Tournament, left: Sequence[Fixture], engine: Engine, meter: Meter
    ) -> None:
        """Play these games of a tournament; WorkPaused where the budget is used up or the judge keeps failing."""
        run_recipes(
            assessment,
            self.tools,
            engine,
            arena_context(assessment),
            meter,
            self._recipes(tournament, left, options_of(assessment)),
            facts=lambda ended: [GameFact(tournament.id, _game(ended))],
        )

    def report(self, assessment_id: str, games: Sequence[Game], *, of: int) -> AssessmentReport:
        """Return how an assessment of `of` games ended."""
        ran = self.tools.judgements.assessment(assessment_id)
        return AssessmentReport.of(ran, [game.reason for game in games], items=of)

    def _recipes(
        self, tournament: Tournament, left: Sequence[Fixture], options: ArenaOptions
    ) -> Iterator[Started[Pairing, Game]]:
        for pairing in self.source.pairings(tournament.entrants, left, options):
            yield Started(pairing, play(pairing, options))


def options_of(assessment: Assessment) -> ArenaOptions:
    """Return how the pairs of an arena are compared; ValueError for an assessment that makes marks."""
    if assessment.spec.arena is None:
        raise ValueError(f"assessment {assessment.id} is not an arena")
    return assessment.spec.arena


def arena_context(assessment: Assessment) -> JudgeContext:
    """Return the judge of an arena with its tasks."""
    return JudgeContext.of(assessment.spec, arena_tasks(options_of(assessment)))


def _game(ended: Ended[Pairing, Game]) -> Game:
    if ended.result is not None:
        return ended.result
    return ended.key.game(Decided(outcome=None, how="failed", reason="judge_failed"))
