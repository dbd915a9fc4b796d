"""What runs left, page by page."""

from __future__ import annotations

import pytest

from passer.domain.dataset import Dataset, Question
from passer.domain.score import VECTOR_ORDER, Score
from passer.domain.sweeps.run import Evaluation, Run, RunConfig
from passer.domain.sweeps.sweep import Sweep
from passer.errors import InputError, NotFoundError
from passer.ports import EvaluationFact, PairFact, StoredSweep
from passer.services.runs.run_browser import RunBrowser
from tests.fake_store import MemoryStore
from tests.fakes import FakeClock

N = 7
FAILED = (1, 2, 6)
REFERENCES = ("Clover.", "Straße.")
F1 = {0: 0.5, 3: 0.9, 4: 0.5, 5: 0.1}
"""Of the questions that have an answer."""


@pytest.fixture
def run_browser():
    store, now = MemoryStore(FakeClock()), FakeClock().now()
    dataset = Dataset(
        name="d",
        language="en",
        questions=tuple(Question(id=f"q{n}", text=f"Question {n}?", reference=REFERENCES[n % 2]) for n in range(N)),
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
        known = Evaluation(run_id="s-000", number=number, question_id=f"q{number}", state="failed")
        if number in FAILED:
            store.record([EvaluationFact(known.model_copy(update={"reason": f"reason {number}"}))])
            continue
        scores = {name: Score(value=F1[number]) for name in VECTOR_ORDER}
        store.record([PairFact(key=f"pair {number}", scores=scores, scoring_s=0.0)])
        store.record([EvaluationFact(known.model_copy(update={"state": "scored", "pair_key": f"pair {number}"}))])
    return RunBrowser(runs=store, evaluations=store, datasets=store)


def numbers(page):
    return [row.evaluation.number for row in page.items]


def test_failed_questions_are_listed_with_their_reasons_page_by_page(run_browser):
    first = run_browser.page("s-000", failed_only=True, limit=2)
    assert [(row.question.text, row.evaluation.reason) for row in first.items] == [
        ("Question 1?", "reason 1"),
        ("Question 2?", "reason 2"),
    ]
    assert first.total == 3
    second = run_browser.page("s-000", failed_only=True, after=first.next, limit=2)
    assert numbers(second) == [6]
    assert second.next is None
    assert run_browser.page("s-000", failed_only=True, limit=3).next is None


def test_failed_questions_of_no_run_are_not_found(run_browser):
    with pytest.raises(NotFoundError, match="s-001"):
        run_browser.page("s-001", failed_only=True)


def test_questions_are_sorted_by_a_metric_page_by_page_and_those_without_a_value_come_last(run_browser):
    first = run_browser.page("s-000", order="F1 Score", limit=3)
    assert numbers(first) == [5, 0, 4], "equal ones keep the order of the dataset"
    assert [row.evaluation.scores["F1 Score"].value for row in first.items] == [0.1, 0.5, 0.5]
    assert numbers(run_browser.page("s-000", order="F1 Score", after=first.next, limit=9)) == [3, 1, 2, 6]
    assert numbers(run_browser.page("s-000", order="F1 Score", is_descending=True)) == [3, 0, 4, 5, 1, 2, 6]
    assert numbers(run_browser.page("s-000", is_descending=True, limit=2)) == [6, 5]


def test_questions_are_found_by_words_of_text_or_reference_whatever_their_case(run_browser):
    found = run_browser.page("s-000", find="STRASSE question")
    assert (numbers(found), found.total, found.next) == ([1, 3, 5], 3, None)
    assert numbers(run_browser.page("s-000", find="strasse", failed_only=True)) == [1]
    assert numbers(run_browser.page("s-000", find="strasse", order="F1 Score", limit=2)) == [5, 3]
    assert run_browser.page("s-000", find="clover 1?").items == ()


def test_no_questions_are_sorted_by_what_is_no_metric(run_browser):
    with pytest.raises(InputError, match="beauty"):
        run_browser.page("s-000", order="beauty")
