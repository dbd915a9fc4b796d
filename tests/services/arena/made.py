"""An arena over a small sweep with stored answers, and a judge whose verdicts are scripted."""

from __future__ import annotations

import json
from typing import Any

from passer.adapters.store.arena import DatabaseTournaments
from passer.adapters.store.retrieval_inputs import DatabaseRetrievalInputs
from passer.domain.arena.tournament import ArenaOptions
from passer.domain.dataset import Dataset, Question
from passer.domain.models.answer import Answer, Truncated
from passer.domain.models.chat import ChatRequest
from passer.domain.models.model import ModelInfo
from passer.domain.retrieval.cuts import NormalPolicy
from passer.domain.retrieval.passages import Ranking
from passer.domain.sweeps.run import Evaluation
from passer.ports import AnswerFact, EvaluationFact, Fact, PairFact, RankingFact
from passer.services.arena.additions import Additions, AnyAssessmentRunner
from passer.services.arena.arenas import ArenaRequest, Arenas
from passer.services.arena.game_table import GameReader, GameTable
from passer.services.arena.pairings import PairingSource
from passer.services.arena.people import PeopleGames
from passer.services.arena.people_reader import GradedAspects, PeopleReader
from passer.services.arena.rating_sheet import RatingSheets
from passer.services.arena.runner import ArenaRunner
from passer.services.arena.score_rule import RuledTournaments
from passer.services.arena.standings_reader import StandingsReader
from passer.services.judging.relevance import RelevanceReader
from passer.services.judging.runner import AssessmentReport
from tests.services.judging.made import (
    JUDGE,
    QUESTIONS,
    REFERENCES,
    TEXTS,
    Judged,
    Script,
    Silent,
    a_sweep,
    passages,
)


def compared(letter: str = "A") -> str:
    return json.dumps({"a_first": "One.", "b_second": "Two.", "c_comparison": "So.", "d_verdict": letter})


def asked(request: ChatRequest) -> str:
    return request.messages[-1].content


def better(word: str) -> Script:
    """A judge that prefers the answer with this word, on either side."""

    def says(request: ChatRequest) -> str:
        text = asked(request)
        return compared("A" if word in text.split("answer B:")[0] else "B")

    return says


class Played(Judged):
    """The sweep of `Judged`: questions q0 with equal answers, q1 with different ones, q2 with one answer only."""

    def __init__(self, url: str, script: Script = lambda _: compared()) -> None:
        super().__init__(url, script)
        self.tournaments = DatabaseTournaments(self.store.database)
        self.inputs = DatabaseRetrievalInputs(self.store.database)
        self.source = PairingSource(self.items, RelevanceReader(self.judgements, self.items), self.inputs)
        self.arenas = Arenas(
            tournaments=self.tournaments,
            judgements=self.judgements,
            source=self.source,
            describe=lambda model: ModelInfo(name=model.name, context_length=8192),
            located=lambda model: model,
            clock=self.clock,
        )
        self.ruled = RuledTournaments(self.tournaments, self.store, self.source, self.clock, self.results.scores)
        arena_runner = ArenaRunner(self.tools, self.tournaments, self.source)
        self.additions = Additions(
            self.tournaments, self.judgements, self.source, self.arenas, arena_runner, self.clock
        )
        self.any_runner = AnyAssessmentRunner(self.runner, arena_runner, self.additions)
        self.table = GameTable(self.tournaments, self.labels)
        self.standings = StandingsReader(self.tournaments, self.table, self.judgements, self.labels, self.arenas)
        self.people = PeopleGames(self.tournaments, self.source, self.clock)
        graded = GradedAspects(self.labels, self.judgements, self.source)
        self.people_reader = PeopleReader(self.tournaments, self.table, self.standings, graded)
        self.sheets = RatingSheets(
            tournaments=self.tournaments, labels=self.labels, table=self.table, source=self.source, clock=self.clock
        )
        self.games = GameReader(self.tournaments, self.table, self.judgements, self.source, self.results)

    def fill_later(
        self, name: str = "later", *, question: str = QUESTIONS[0], truncated: Truncated | None = None
    ) -> None:
        """Store a later sweep with one run, which kept three passages and answered all questions."""
        texts = (question, *QUESTIONS[1:])
        dataset = Dataset(
            name="farm",
            questions=tuple(
                Question(id=f"q{n}", text=text, reference=reference)
                for n, (text, reference) in enumerate(zip(texts, REFERENCES, strict=True))
            ),
        )
        self.store.save_dataset(dataset)
        earlier = a_sweep(dataset.digest)
        config = earlier.runs[0].config.model_copy(update={"retrieval": NormalPolicy(k=3)})
        run = earlier.runs[0].model_copy(update={"id": f"{name}-000", "sweep_id": name, "config": config})
        sweep = earlier.sweep.model_copy(update={"name": name.capitalize(), "config": config})
        self.store.create_sweep(earlier.model_copy(update={"id": name, "sweep": sweep, "runs": (run,)}))
        facts: list[Fact] = []
        for n, text in enumerate(TEXTS):
            key = f"{name}{n}".ljust(64, "l")
            said = text if n == 0 else f"{text} So says the {name} one."
            facts += [
                RankingFact(name, config.ranked_by, f"q{n}", Ranking(passages=passages(), gold_ids=(f"p{n}",))),
                AnswerFact(Answer(key=key, text=said, raw=said, truncated=truncated)),
                PairFact(key, {}, 0.0),
                EvaluationFact(
                    Evaluation(
                        run_id=run.id,
                        number=n,
                        question_id=f"q{n}",
                        kept=(0, 3),
                        state="scored",
                        answer_key=key,
                        pair_key=key,
                    )
                ),
            ]
        self.store.record(facts)

    def start(self, *runs: str, **given: Any) -> str:
        options = ArenaOptions(**given.pop("options", {}))
        request = ArenaRequest(runs=runs or ("sweep",), judge=JUDGE, options=options, **given)
        return self.arenas.create(request).id

    def play(self, tournament_id: str) -> AssessmentReport:
        return self.any_runner.run(tournament_id, Silent())
