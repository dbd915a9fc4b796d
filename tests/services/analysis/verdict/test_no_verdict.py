"""No verdict yet: why, which configuration is named, and what to do."""

from __future__ import annotations

from dataclasses import replace

import pytest

from passer.domain.retrieval import ScorePolicy
from passer.services.analysis.sweep_analysis import analyse
from tests.analysis_rows import conclusion, noisy, question, run, sweep


def test_failed_and_open_questions_are_offered_to_be_retried_and_resumed():
    failed = [question(n, None, state="failed") for n in range(11)]
    answered = [question(n, height) for n, height in enumerate(noisy(0.6, seed=2))]
    base = run("base", [question(n, height) for n, height in enumerate(noisy(0.4))][:50], baseline=True, planned=60)
    other = run("other", [*failed, *answered[11:]], retrieval=ScorePolicy(min_similarity=0.5), planned=60)
    found = conclusion([base, other])
    assert (found.number, found.gain, found.tied) == (0, None, None)
    assert [(step.code, step.run_ids) for step in found.next_steps] == [
        ("retry_failed", ("other",)),
        ("resume", ("base",)),
    ]
    assert [step.text for step in found.next_steps] == ["Retry 11 failed questions", "Resume 10 open questions"]


@pytest.mark.parametrize(("state", "said"), [("failed", "60 of 60 questions failed"), (None, "60 of 60 questions are")])
def test_a_configuration_without_any_answer_allows_no_verdict_of_the_others(state: str | None, said: str):
    rows = sweep(base=noisy(0.4), other=noisy(0.6, seed=2))
    dead = [question(n, None, state=state) for n in range(60)] if state else []
    (without,) = analyse(rows).verdict.conclusions
    assert (without.number, without.name) == (1, "other")
    found = conclusion([*rows, run("dead", dead, retrieval=ScorePolicy(min_similarity=0.9), planned=60)])
    assert (found.number, found.name) == (0, None)
    assert said in found.reason
    assert [step.code for step in found.next_steps] == ["retry_failed" if state else "resume"]


def test_a_missing_verdict_names_the_configuration_that_lacks_most():
    base, other = sweep(base=noisy(0.4), other=noisy(0.5, seed=3))
    failed = [replace(item, state="failed", scores=None) for item in base.questions[:24]]
    found = conclusion([base.model_copy(update={"questions": (*failed, *base.questions[24:])}), other])
    assert found.reason == "No verdict yet: 24 of 60 questions failed with base."
    few = conclusion(sweep(base=noisy(0.4, 12), other=noisy(0.5, 12, seed=3)))
    assert few.reason == "No verdict yet: only 12 questions can be compared, and a verdict needs 20."


def test_a_small_sweep_that_was_stopped_lacks_questions_and_is_not_said_to_compare_none():
    base, other = sweep(base=noisy(0.4, 12), other=noisy(0.5, 12, seed=3))
    begun = other.model_copy(update={"questions": other.questions[:5], "planned": 12})
    found = conclusion([base, begun, run("new", [], retrieval=ScorePolicy(min_similarity=0.9), planned=12)])
    assert found.reason == (
        "No verdict yet: 12 of 12 questions are open with new; a verdict needs 20 questions, and only 12 are planned."
    )
    assert {number.name: number.value for number in found.numbers}["planned"] == 12
