"""A small sweep with answers in a real database, and a judge whose replies are scripted."""

from __future__ import annotations

import json
from collections.abc import Callable
from concurrent.futures import Future
from datetime import UTC, datetime
from typing import Any

from passer.adapters.store.judging import DatabaseJudgements, DatabaseLabels
from passer.adapters.tables import table_readers, table_writers
from passer.domain.dataset import Dataset, Question
from passer.domain.models.answer import Answer
from passer.domain.models.chat import ChatRequest, Completion, FrozenTemplate, TokenUsage
from passer.domain.models.model import Model, ModelInfo
from passer.domain.retrieval.cuts import NormalPolicy
from passer.domain.retrieval.passages import Ranking, RetrievedPassage
from passer.domain.sweeps.run import Evaluation, Run, RunConfig, RunState
from passer.domain.sweeps.sweep import Sweep
from passer.ports import AnswerFact, EvaluationFact, PairFact, RankingFact, StoredSweep
from passer.ports.draft import Draft
from passer.services.judging.answers import JudgedAnswers
from passer.services.judging.assessments import AssessmentRequest, Assessments
from passer.services.judging.calibration import Calibrator
from passer.services.judging.items import ItemSource
from passer.services.judging.labelling import Labelling
from passer.services.judging.rating import RatingDesk
from passer.services.judging.results import AssessmentResults
from passer.services.judging.runner import AssessmentReport, AssessmentRunner
from passer.services.judging.tools import JudgingTools
from passer.services.work.kinds import AssessSpec
from passer.services.work.queue import WorkQueue
from passer.services.work.sources import Uploads
from tests.adapters.store.made import SqlStore
from tests.fakes import FakeClock, FakeEncoder

JUDGE = Model(provider="openai", name="judge", base_url="http://127.0.0.1:1")
NOW = datetime(2026, 1, 1, tzinfo=UTC)
QUESTIONS = ("When does rice flower?", "When is maize sown?", "How far do bees fly?")
REFERENCES = ("In August.", "In May.", "Three kilometres.")
TEXTS = ("Rice flowers in August.", "Maize is sown in May.", "Bees fly three kilometres.")

Script = Callable[[ChatRequest], str | Completion | Exception]


class ScriptedJudge:
    """Replies by a script; counts the requests."""

    def __init__(self, script: Script) -> None:
        self.script = script
        self.asked: list[ChatRequest] = []

    def complete(self, request: ChatRequest) -> Completion:
        self.asked.append(request)
        said = self.script(request)
        if isinstance(said, Exception):
            raise said
        usage = TokenUsage(prompt_tokens=100, output_tokens=10)
        return said if isinstance(said, Completion) else Completion(text=said, finish_reason="stop", usage=usage)


class InstantEngine:
    """ports.Engine in the caller's thread."""

    streams = True

    def __init__(self, judge: ScriptedJudge) -> None:
        self._judge = judge

    def complete(self, request: ChatRequest, *, draft: Draft | None = None) -> Future[Completion]:
        return settled(lambda: self._judge.complete(request))

    def retrieve(self, search: Callable[[], Any]) -> Future[Any]:
        return settled(search)

    def score(self, *arguments: Any, **named: Any) -> Future[Any]:
        raise AssertionError("judging computes no text metrics")

    def close(self) -> None:
        pass


def settled(act: Callable[[], Any]) -> Future[Any]:
    future: Future[Any] = Future()
    try:
        future.set_result(act())
    except Exception as exc:
        future.set_exception(exc)
    return future


def grade(number: int = 7) -> str:
    return json.dumps({"a_reason": "Because.", "b_grade": number})


class Judged:
    """A finished sweep of two configurations: each question has the same answer in both, but the last."""

    def __init__(self, url: str, script: Script = lambda _: grade()) -> None:
        self.store = SqlStore(url)
        self.judge = ScriptedJudge(script)
        self.clock = FakeClock()
        self.judgements = DatabaseJudgements(self.store.database)
        self.labels = DatabaseLabels(self.store.database)
        self.items = ItemSource(runs=self.store, evaluations=self.store, datasets=self.store)
        self.tools = JudgingTools(
            judgements=self.judgements,
            evaluations=self.store,
            engine=lambda: InstantEngine(self.judge),
            clock=self.clock,
        )
        self.runner = AssessmentRunner(tools=self.tools, items=self.items, embedder=FakeEncoder)
        self.assessments = Assessments(
            judgements=self.judgements,
            items=self.items,
            runs=self.store,
            describe=lambda model: ModelInfo(name=model.name, context_length=8192),
            located=lambda model: model,
            embedder=FakeEncoder,
            clock=self.clock,
        )
        self.answers = JudgedAnswers(judgements=self.judgements, labels=self.labels, items=self.items)
        self.labelling = Labelling(
            judgements=self.judgements,
            labels=self.labels,
            items=self.items,
            readers=table_readers(),
            writers=table_writers(),
            clock=self.clock,
        )
        self.rating_desk = RatingDesk(
            judgements=self.judgements, labels=self.labels, items=self.items, clock=self.clock
        )
        self.calibrator = Calibrator(judgements=self.judgements, labels=self.labels, items=self.items)
        self.results = AssessmentResults(
            judgements=self.judgements,
            evaluations=self.store,
            labels=self.labels,
            items=self.items,
            work=self.store.work,
        )

    def queue(self, folder: Any) -> WorkQueue:
        handlers = {"assess": lambda spec, files, report: self.runner.run(spec.assessment, report)}
        return WorkQueue(store=self.store.work, uploads=Uploads(folder), handlers=handlers, clock=self.clock)

    def fill(self, *weights: float, others: tuple[str, ...] | None = None) -> None:
        """Store the sweep; `weights` are those of its questions, by default none are declared.

        `others` are other right answers to the first question.
        """
        declared = weights or (None,) * len(QUESTIONS)
        dataset = Dataset(
            name="farm",
            questions=tuple(
                Question(id=f"q{n}", text=text, reference=reference, weight=weight)
                for n, (text, reference, weight) in enumerate(zip(QUESTIONS, REFERENCES, declared, strict=True))
            ),
        )
        first = dataset.questions[0].model_copy(update={"other_references": others})
        dataset = dataset.model_copy(update={"questions": (first, *dataset.questions[1:])})
        self.store.save_dataset(dataset)
        self.store.create_sweep(a_sweep(dataset.digest))
        self.store.record([fact for run in range(2) for fact in facts_of(run)])

    def close(self) -> None:
        self.store.database.close()

    def create(self, *columns: str, **given: Any) -> str:
        target = given.pop("target", "sweep")
        request = AssessmentRequest(target=target, judge=JUDGE, columns=columns or ("Answer correctness",), **given)
        return self.assessments.create(request).id

    def run(self, assessment_id: str) -> AssessmentReport:
        return self.runner.run(assessment_id, Silent())

    def spec(self, assessment_id: str) -> AssessSpec:
        return AssessSpec(assessment=assessment_id, sweep="sweep")


class Silent:
    """A report to nobody."""

    def __call__(self, message: str, done: int, total: int) -> None:
        pass

    def renew(self) -> None:
        pass


def a_sweep(digest: str) -> StoredSweep:
    configs = [
        RunConfig(
            dataset="farm", collection="books", retrieval=NormalPolicy(k=k), model=Model(provider="ollama", name=name)
        )
        for k, name in ((1, "mistral:7b"), (2, "mistral:7b"))
    ]
    runs = tuple(
        Run(
            id=f"sweep-{n:03d}",
            sweep_id="sweep",
            position=n,
            name=f"run {n}",
            config=config,
            is_baseline=n == 0,
            state=RunState.FINISHED,
            scored_by={},
            created_at=NOW,
            model_info=ModelInfo(name="mistral:7b", digest="m" * 12),
        )
        for n, config in enumerate(configs)
    )
    template = FrozenTemplate(name="default", digest="e" * 64, text="{% block user %}...{% endblock %}")
    return StoredSweep(
        id="sweep",
        sweep=Sweep(name="A sweep", config=configs[0]),
        templates=(template,),
        dataset_digest=digest,
        questions=len(QUESTIONS),
        runs=runs,
        created_at=NOW,
    )


def passages() -> tuple[RetrievedPassage, ...]:
    return tuple(
        RetrievedPassage(
            id=f"p{n}", document="d.txt", number=n, text=text, start=0, end=9, rank=n + 1, similarity=0.9 - n / 10
        )
        for n, text in enumerate(TEXTS)
    )


def facts_of(run: int) -> list[Any]:
    """Facts of one run: its k is run + 1; the last question failed in the second run."""
    facts: list[Any] = []
    for n, text in enumerate(TEXTS):
        key = f"{run if n == 1 else 0}{n}".ljust(64, "a")
        ranking = Ranking(passages=passages(), gold_ids=(f"p{n}",))
        evaluation = Evaluation(run_id=f"sweep-{run:03d}", number=n, question_id=f"q{n}", kept=(0, run + 1))
        ranked_by = a_sweep("d").runs[run].config.ranked_by
        facts.append(RankingFact("sweep", ranked_by, f"q{n}", ranking))
        if (run, n) == (1, 2):
            facts.append(EvaluationFact(evaluation.model_copy(update={"state": "failed", "reason": "gone"})))
            continue
        said = text if n != 1 else f"{text} So says configuration {run}."
        facts.append(AnswerFact(Answer(key=key, text=said, raw=said)))
        facts.append(PairFact(key, {}, 0.0))
        scored = {"state": "scored", "answer_key": key, "pair_key": key}
        facts.append(EvaluationFact(evaluation.model_copy(update=scored)))
    return facts
