"""An arena over a small sweep with stored answers, and a judge whose verdicts are scripted."""

from __future__ import annotations

import json
from typing import Any

from passer.adapters.store.arena import DatabaseTournaments
from passer.domain.arena.tournament import ArenaOptions
from passer.domain.chat import ChatRequest
from passer.domain.model import ModelInfo
from passer.services.arena.arenas import ArenaRequest, Arenas
from passer.services.arena.aspect_reader import GradedAspects
from passer.services.arena.game_reader import GameReader
from passer.services.arena.game_table import GameTable
from passer.services.arena.pairings import PairingSource
from passer.services.arena.people import PeopleGames
from passer.services.arena.people_reader import PeopleReader
from passer.services.arena.rating_sheet import RatingSheets
from passer.services.arena.runner import AnyAssessmentRunner, ArenaRunner
from passer.services.arena.standings import StandingsReader
from passer.services.judging.relevance import RelevanceReader
from passer.services.judging.runner import AssessmentReport
from tests.services.judging.made import JUDGE, InstantEngine, Judged, Script, Silent


def compared(letter: str = "A") -> str:
    return json.dumps({"a_first": "One.", "b_second": "Two.", "c_comparison": "So.", "d_verdict": letter})


def asked(request: ChatRequest) -> str:
    return request.messages[-1].content


class Played(Judged):
    """The sweep of `Judged`: questions q0 with equal answers, q1 with different ones, q2 with one answer only."""

    def __init__(self, url: str, script: Script = lambda _: compared()) -> None:
        super().__init__(url, script)
        self.tournaments = DatabaseTournaments(self.store.database)
        self.source = PairingSource(self.items, RelevanceReader(self.judgements, self.items))
        self.arenas = Arenas(
            tournaments=self.tournaments,
            judgements=self.judgements,
            evaluations=self.store,
            source=self.source,
            describe=lambda model: ModelInfo(name=model.name, context_length=8192),
            located=lambda model: model,
            clock=self.clock,
            judged_scores=self.results.scores,
        )
        arena_runner = ArenaRunner(
            judgements=self.judgements,
            evaluations=self.store,
            tournaments=self.tournaments,
            source=self.source,
            engine=lambda: InstantEngine(self.judge),
            clock=self.clock,
        )
        self.any_runner = AnyAssessmentRunner(self.runner, arena_runner)
        self.table = GameTable(self.tournaments, self.labels)
        self.standings = StandingsReader(self.tournaments, self.table, self.judgements, self.arenas)
        self.people = PeopleGames(self.tournaments, self.source, self.clock)
        graded = GradedAspects(self.labels, self.judgements, self.source)
        self.people_reader = PeopleReader(self.tournaments, self.table, self.standings, graded)
        self.sheets = RatingSheets(
            tournaments=self.tournaments, labels=self.labels, table=self.table, source=self.source, clock=self.clock
        )
        self.games = GameReader(self.tournaments, self.table, self.judgements, self.source, self.results)

    def start(self, *runs: str, **given: Any) -> str:
        options = ArenaOptions(**given.pop("options", {}))
        request = ArenaRequest(runs=runs or ("sweep",), judge=JUDGE, options=options, **given)
        return self.arenas.create(request).id

    def play(self, tournament_id: str) -> AssessmentReport:
        return self.any_runner.run(tournament_id, Silent())
