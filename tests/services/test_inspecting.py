"""What runs left, page by page."""

from __future__ import annotations

import pytest

from passer.domain.dataset import Dataset, Question
from passer.domain.run import Evaluation, Run, RunConfig
from passer.domain.sweep import Sweep
from passer.errors import NotFoundError
from passer.ports import EvaluationFact, StoredSweep
from passer.services.inspecting import Inspecting
from tests.fake_store import MemoryStore
from tests.fakes import FakeClock

N = 7
FAILED = (1, 2, 6)


@pytest.fixture
def inspecting():
    store, now = MemoryStore(FakeClock()), FakeClock().now()
    dataset = Dataset(
        name="d",
        language="en",
        questions=tuple(Question(id=f"q{n}", text=f"Question {n}?", reference="R") for n in range(N)),
    )
    store.save_dataset(dataset)
    config = RunConfig(dataset="d", collection="farm")
    run = Run(id="s-000", sweep_id="s", position=0, name="Normal", config=config, created_at=now)
    store.create_sweep(
        StoredSweep(
            id="s",
            sweep=Sweep(name="S", config=config),
            dataset_digest=dataset.digest,
            questions=N,
            runs=(run,),
            created_at=now,
        )
    )
    for number in range(N):
        known = Evaluation(run_id="s-000", number=number, question_id=f"q{number}", state="answered")
        if number in FAILED:
            known = known.model_copy(update={"state": "failed", "reason": f"reason {number}"})
        store.record([EvaluationFact(known)])
    return Inspecting(runs=store, evaluations=store, datasets=store)


def test_failed_questions_are_listed_with_their_reasons_page_by_page(inspecting):
    first = inspecting.failed("s-000", limit=2)
    assert [(row.question.text, row.evaluation.reason) for row in first.items] == [
        ("Question 1?", "reason 1"),
        ("Question 2?", "reason 2"),
    ]
    second = inspecting.failed("s-000", after=first.next, limit=2)
    assert [row.evaluation.number for row in second.items] == [6]
    assert second.next is None
    assert inspecting.failed("s-000", limit=3).next is None


def test_failed_questions_of_no_run_are_not_found(inspecting):
    with pytest.raises(NotFoundError, match="s-001"):
        inspecting.failed("s-001")
