"""The services of tournaments."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from passer.bootstrap.adapters import Adapters
from passer.bootstrap.judging import Judging
from passer.bootstrap.pipeline import Pipeline
from passer.services.arena.additions import Additions, AnyAssessmentRunner
from passer.services.arena.arenas import Arenas
from passer.services.arena.game_table import GameReader, GameTable
from passer.services.arena.imported import GameImport
from passer.services.arena.pairings import PairingSource
from passer.services.arena.people import PeopleGames
from passer.services.arena.people_reader import GradedAspects, PeopleReader
from passer.services.arena.rating_sheet import RatingSheets
from passer.services.arena.runner import ArenaRunner
from passer.services.arena.score_rule import RuledTournaments
from passer.services.arena.standings_reader import StandingsReader


@dataclass(frozen=True)
class Arena:
    """Plans, runs, imports and shows tournaments."""

    adapters: Adapters
    pipeline: Pipeline
    judging: Judging

    @cached_property
    def source(self) -> PairingSource:
        return PairingSource(self.judging.items, self.judging.relevance, self.adapters.retrieval_inputs)

    @cached_property
    def table(self) -> GameTable:
        return GameTable(self.adapters.tournaments, self.adapters.labels)

    @cached_property
    def arenas(self) -> Arenas:
        return Arenas(
            tournaments=self.adapters.tournaments,
            judgements=self.adapters.judgements,
            source=self.source,
            describe=self.pipeline.answerer.describe,
            located=self.pipeline.answerer.located,
            clock=self.adapters.clock,
        )

    @cached_property
    def ruled(self) -> RuledTournaments:
        return RuledTournaments(
            self.adapters.tournaments,
            self.adapters.evaluations,
            self.source,
            self.adapters.clock,
            self.judging.results.scores,
        )

    @cached_property
    def game_import(self) -> GameImport:
        return GameImport(self.adapters.table_readers)

    @cached_property
    def runner(self) -> AnyAssessmentRunner:
        return AnyAssessmentRunner(self.judging.runner, self.arena_runner, self.additions)

    @cached_property
    def additions(self) -> Additions:
        return Additions(
            self.adapters.tournaments,
            self.adapters.judgements,
            self.source,
            self.arenas,
            self.arena_runner,
            self.adapters.clock,
        )

    @cached_property
    def arena_runner(self) -> ArenaRunner:
        return ArenaRunner(self.judging.tools, self.adapters.tournaments, self.source)

    @cached_property
    def standings(self) -> StandingsReader:
        """Shows ratings and figures."""
        adapters = self.adapters
        return StandingsReader(adapters.tournaments, self.table, adapters.judgements, adapters.labels, self.arenas)

    @cached_property
    def games(self) -> GameReader:
        return GameReader(
            self.adapters.tournaments, self.table, self.adapters.judgements, self.source, self.judging.results
        )

    @cached_property
    def people(self) -> PeopleGames:
        return PeopleGames(self.adapters.tournaments, self.source, self.adapters.clock)

    @cached_property
    def people_reader(self) -> PeopleReader:
        """Shows what people's games are worth."""
        graded = GradedAspects(self.adapters.labels, self.adapters.judgements, self.source)
        return PeopleReader(self.adapters.tournaments, self.table, self.standings, graded)

    @cached_property
    def sheets(self) -> RatingSheets:
        return RatingSheets(
            tournaments=self.adapters.tournaments,
            labels=self.adapters.labels,
            table=self.table,
            source=self.source,
            clock=self.adapters.clock,
        )
