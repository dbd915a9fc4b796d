"""A collection of windows in memory, models whose replies are scripted, and a real database."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest

from passer.adapters.store.drafting import DatabaseDrafts
from passer.adapters.store.judging import DatabaseJudgements
from passer.domain.models.chat import ChatRequest, Completion
from passer.domain.models.model import Model, ModelInfo
from passer.domain.questions import tasks
from passer.domain.retrieval.passages import Passage
from passer.services.drafting.drafts import DraftRequest, Drafts
from passer.services.drafting.finishing import DraftFinisher
from passer.services.drafting.review import DecisionRequest, DraftReview, ShownDraft
from passer.services.drafting.runner import DraftRunner
from passer.services.judging.runner import AssessmentReport
from passer.services.judging.tools import JudgingTools
from tests.adapters.store.made import SqlStore
from tests.fakes import FakeClock, FakeCollections, FakeEncoder, FakeIndex
from tests.services.judging.made import InstantEngine, ScriptedJudge, Silent

WRITER = Model(provider="openai", name="writer", base_url="http://127.0.0.1:1")
OTHER = Model(provider="openai", name="other", base_url="http://127.0.0.1:1")
JUDGE = Model(provider="openai", name="judge", base_url="http://127.0.0.1:1")

Replies = dict[str, Callable[[int], str | Exception]]
"""Reply of each task to the window of a number."""


def number_of(request: ChatRequest) -> int:
    """Return the number of the window that a request is about, which each of its texts names."""
    # A second attempt ends with what was wrong with the first.
    texts = [message.content for message in reversed(request.messages) if message.role == "user"]
    return next(int(found[1]) for content in texts if (found := re.search(r"n(\d+)a", content)))


def text(n: int) -> str:
    return f"Every n{n}a of the valley needs a n{n}b and a n{n}c before the n{n}d ripens in late n{n}e."


def question(n: int) -> str:
    return f"Which n{n}b does n{n}a want so that n{n}d grows into n{n}e?"


def answer(n: int) -> str:
    return f"Every n{n}a of the valley needs a n{n}b."


def passages(count: int) -> list[Passage]:
    return [
        Passage(id=f"p{n:03d}", document=f"d{n}.md", number=0, text=text(n), start=0, end=len(text(n)))
        for n in range(count)
    ]


GOOD: Replies = {
    tasks.QUESTION: question,
    tasks.ANSWER: answer,
    tasks.QUESTIONS: lambda n: "\n".join(f"{i}. Does n{n}a want n{i}{n}x, n{i}{n}y or n{i}{n}z?" for i in (1, 2, 3)),
    "answerability": lambda n: json.dumps({"a_reason": "Stated.", "b_decision": 1}),
    "standalone": lambda n: json.dumps({"a_reason": "Names all.", "b_grade": 10}),
    "statements": lambda n: json.dumps({"a_statements": [f"n{n}a needs n{n}b."]}),
    "supported": lambda n: json.dumps({"a_reason": "Stated.", "b_verdicts": ["yes"]}),
    "question-of": lambda n: json.dumps({"a_question": question(n), "b_noncommittal": 0}),
}
"""Replies with which every draft passes every check."""


class Made:
    """Services of drafting; `replies` overrides those of some tasks."""

    def __init__(self, url: str, *, windows: int = 6, **replies: Any) -> None:
        self.store = SqlStore(url)
        self.replies: Replies = {**GOOD, **{name.replace("_", "-"): reply for name, reply in replies.items()}}
        self.models = ScriptedJudge(self._script)
        clock = FakeClock()
        self.judgements = DatabaseJudgements(self.store.database)
        self.drafts = DatabaseDrafts(self.store.database, self.judgements)
        self.index = FakeIndex("books", passages(windows))
        collections: Any = FakeCollections(self.index)
        self.service = Drafts(
            judgements=self.judgements,
            drafts=self.drafts,
            collections=collections,
            datasets=self.store,
            describe=lambda model: ModelInfo(name=model.name, digest=model.name * 2, context_length=8192),
            located=lambda model: model,
            embedder=FakeEncoder,
            clock=clock,
        )
        self.review = DraftReview(judgements=self.judgements, drafts=self.drafts, work=self.store.work, clock=clock)
        self.finisher = DraftFinisher(review=self.review, datasets=self.store)
        self._collections, self._clock = collections, clock

    def runner(self, *, workers: int = 1, engine: Any = None) -> DraftRunner:
        return DraftRunner(
            tools=JudgingTools(
                judgements=self.judgements,
                evaluations=self.store,
                engine=lambda: engine or InstantEngine(self.models),
                clock=self._clock,
                look_ahead=workers,
            ),
            drafts=self.drafts,
            collections=self._collections,
            datasets=self.store,
            embedder=FakeEncoder,
        )

    def create(self, **given: Any) -> str:
        values = {"collection": "books", "models": (WRITER,), "judge": JUDGE, **given}
        return self.service.create(DraftRequest.model_validate(values)).id

    def run(self, drafting_id: str, *, workers: int = 1) -> AssessmentReport:
        return self.runner(workers=workers).run(drafting_id, Silent())

    def asks(self) -> list[str]:
        """Return the tasks that were asked, in order."""
        return [request.purpose or "" for request in self.models.asked]

    def close(self) -> None:
        self.store.database.close()

    def _script(self, request: ChatRequest) -> str | Completion | Exception:
        return self.replies[request.purpose or ""](number_of(request))


def decide(made: Made, drafting: str, key: str, kind: str, version: int = 0, **more: str) -> ShownDraft:
    request = DecisionRequest.model_validate({"kind": kind, "version": version, **more})
    return made.review.decide(drafting, key, request, by="ana")


class Killed(Exception):
    """The process dies."""


def run_killed_at_each_commit(made: Made, drafting: str, monkeypatch: pytest.MonkeyPatch) -> int:
    """Run a drafting that dies after each commit, until nothing is left; return how often it died."""
    record, kills = made.store.record, 0

    def record_and_die(facts: Any) -> None:
        nonlocal kills
        record(facts)
        kills += 1
        raise Killed

    monkeypatch.setattr(made.store, "record", record_and_die)
    for _ in range(100):
        try:
            made.run(drafting, workers=2)
            return kills
        except Killed:
            continue
    raise AssertionError("100 commits, and the drafting has not ended")
