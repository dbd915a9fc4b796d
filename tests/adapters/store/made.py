"""What tests of the store put into it."""

from __future__ import annotations

from datetime import UTC, datetime

from passer.adapters.store.database import Database
from passer.adapters.store.datasets import DatabaseDatasets
from passer.adapters.store.evaluations import DatabaseEvaluations
from passer.adapters.store.imports import DatabaseImports
from passer.adapters.store.runs import DatabaseRuns
from passer.adapters.store.work import DatabaseWork
from passer.domain.dataset import Dataset, GoldPassage, Question
from passer.domain.models.answer import Answer, ModelTimings
from passer.domain.models.chat import FrozenTemplate
from passer.domain.retrieval.cuts import ScorePolicy
from passer.domain.retrieval.passages import Ranking, RetrievedPassage
from passer.domain.sweeps.run import Evaluation, Run, RunConfig
from passer.domain.sweeps.sweep import Sweep
from passer.ports import EvaluationFact, StoredSweep
from tests.fakes import FakeClock

NOW = datetime(2026, 1, 1, tzinfo=UTC)


class SqlStore(DatabaseDatasets, DatabaseRuns, DatabaseEvaluations, DatabaseImports):
    """All tables of one database."""

    def __init__(self, url: str) -> None:
        clock = FakeClock()
        self.database = Database(url)
        DatabaseDatasets.__init__(self, self.database, clock)
        DatabaseRuns.__init__(self, self.database, clock)
        self.work = DatabaseWork(self.database, clock)


def dataset(*texts: str) -> Dataset:
    gold = (GoldPassage(document="book.txt", quote="first"),)
    questions = [
        Question(id=f"q{n}", text=text, reference="yes", gold_passages=gold if n == 0 else ())
        for n, text in enumerate(texts)
    ]
    return Dataset(name="farm", questions=tuple(questions))


def sweep(sweep_id: str = "sweep", runs: int = 2, digest: str = "d" * 64) -> StoredSweep:
    config = RunConfig(dataset="farm", collection="farm-books", retrieval=ScorePolicy(min_similarity=0.5))
    return StoredSweep(
        id=sweep_id,
        sweep=Sweep(name="A sweep", config=config),
        templates=(FrozenTemplate(name="default", digest="e" * 64, text="{% block user %}...{% endblock %}"),),
        dataset_digest=digest,
        questions=3,
        runs=tuple(
            Run(
                id=f"{sweep_id}-{position:03d}",
                sweep_id=sweep_id,
                position=position,
                name=f"run {position}",
                config=config,
                is_baseline=position == 0,
                scored_by={"encoder": "abc"},
                created_at=NOW,
            )
            for position in range(runs)
        ),
        created_at=NOW,
    )


def answer(key: str = "k" * 64, **changes: object) -> Answer:
    given = {"key": key, "text": "said", "raw": "<think>so</think>said", "timings": ModelTimings(eval_count=7)}
    return Answer(**{**given, **changes})


def ranking() -> Ranking:
    first = RetrievedPassage(
        id="p-00000", document="book.txt", number=0, text="first", start=0, end=5, page=2, rank=1, similarity=0.1 + 0.2
    )
    second = first.model_copy(update={"id": "p-00001", "number": 1, "rank": 2, "similarity": -0.25, "page": None})
    return Ranking(passages=(first, second), gold_ids=("p-00000",), embedding_s=0.5, retrieval_s=0.25)


def evaluation(number: int, **given: object) -> EvaluationFact:
    return EvaluationFact(Evaluation(run_id="sweep-000", number=number, question_id=f"q{number}", **given))
