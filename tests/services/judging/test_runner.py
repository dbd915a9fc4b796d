"""Assessments from the first ask to the last mark: each ask once, failures as reasons, budgets, resuming."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from passer.domain.models.chat import ChatRequest, Completion, TokenUsage
from passer.domain.models.generation import estimate_tokens
from passer.domain.sweeps.budget import Budget, Price
from passer.domain.sweeps.run import RunState
from passer.domain.wording.sentence import sentence
from passer.errors import ConfigError, ConflictError, GenerationError, WorkPaused
from passer.metrics.judged import grades, triplets
from passer.ports import AnswerFact
from passer.services.judging.driver import COUNTED_AHEAD
from tests.services.judging.made import Judged, grade


def marks_of(judged: Judged, assessment_id: str) -> list[Any]:
    return [mark.reason or mark.value for mark in judged.judgements.marks(assessment_id)]


def test_every_item_is_asked_about_once_and_equal_items_share_a_judgement(judged: Judged) -> None:
    # Two runs of three questions: five answers, of which no two have the same passages: five items.
    # They differ in k, so the items differ; correctness does not see passages: one ask for each distinct answer.
    report = judged.run(judged.create())
    assert (report.items, report.marks, report.missing) == (5, 5, {})
    assert len(judged.judge.asked) == 4
    assert report.spent.model_dump(exclude={"running_s"}) == {"asks": 4, "input_tokens": 400, "output_tokens": 40}
    again = judged.run(judged.create())
    assert (again.marks, again.spent.asks) == (5, 0)
    assert len(judged.judge.asked) == 4


def test_the_request_carries_schema_seed_and_room(judged: Judged) -> None:
    judged.run(judged.create())
    request = judged.judge.asked[0]
    assert request.purpose == "correctness"
    assert request.reply_schema == grades.CORRECTNESS.schema
    options = request.options
    assert (options.temperature, options.seed, options.top_p, options.think) == (0, 42, 1, False)
    assert options.num_predict == grades.CORRECTNESS.budget


@pytest.mark.parametrize(
    ("reply", "reason"),
    [("nonsense", "not_json"), (grade(-12), "off_schema"), ("", "judge_failed")],
)
def test_a_judge_that_talks_nonsense_gets_two_attempts_and_no_number(judged: Judged, reply: str, reason: str) -> None:
    judged.judge.script = lambda _: reply
    assessment_id = judged.create()
    report = judged.run(assessment_id)
    assert report.missing == {reason: 5}
    assert marks_of(judged, assessment_id) == [reason] * 5
    # Two attempts for each distinct ask, the second with the reply and one line that names the problem.
    assert len(judged.judge.asked) == 8
    assert max(Counter(request.key for request in judged.judge.asked).values()) == 1
    assert judged.judge.asked[-1].messages[-1].content.startswith("That reply cannot be used: ")
    table = judged.results.table(assessment_id)
    for cell in table.cells:
        assert cell.judged + sum(cell.reasons.values()) == cell.questions == 3


def test_a_cut_reply_is_asked_for_again_with_twice_the_room(judged: Judged) -> None:
    def script(request: ChatRequest) -> str | Completion:
        if request.options.num_predict == grades.CORRECTNESS.budget:
            return Completion(text='{"a_reason": "Bec', finish_reason="length")
        return grade(10)

    judged.judge.script = script
    report = judged.run(judged.create())
    assert report.missing == {}
    first, second = judged.judge.asked[0], judged.judge.asked[4]
    assert second.messages == first.messages
    assert second.options.num_predict == 2 * first.options.num_predict


def test_repeats_are_asked_with_seeds_of_their_own_and_show_the_noise(judged: Judged) -> None:
    judged.judge.script = lambda request: grade(8 if request.options.seed == 42 else 6)
    assessment_id = judged.create(repeats=2)
    judged.run(assessment_id)
    assert len(judged.judge.asked) == 8
    (column,) = judged.results.table(assessment_id).columns
    # Every item changes, from .8 to .6: standard deviation .1 x sqrt 2 within items.
    assert column.changed == 1.0
    assert column.spread == pytest.approx(0.2 / 2**0.5)
    cell = judged.results.table(assessment_id).cells[0]
    assert (cell.mean, cell.judged) == (pytest.approx(0.8), 3)


def test_a_budget_pauses_with_what_there_is_and_can_be_raised(judged: Judged) -> None:
    assessment_id = judged.create(budget=Budget(asks=2))
    with pytest.raises(WorkPaused, match="after 2 requests"):
        judged.run(assessment_id)
    assert len(judged.judge.asked) == 2
    # What was paid for is kept: the marks of the first two questions.
    assert 2 <= len(marks_of(judged, assessment_id)) < 5
    judged.judgements.set_budget(assessment_id, Budget(asks=4))
    report = judged.run(assessment_id)
    assert (report.marks, report.spent.asks, len(judged.judge.asked)) == (5, 4, 4)


@pytest.mark.parametrize("budget", [Budget(tokens=110), Budget(cost=0.0001), Budget(running_s=0.005)])
def test_tokens_money_and_time_are_limits_too(judged: Judged, budget: Budget) -> None:
    assessment_id = judged.create(budget=budget, price=Price(input=1.0, output=1.0), repeats=10)
    with pytest.raises(WorkPaused):
        judged.run(assessment_id)
    # Of 40 asks, only those that were under way when the first reply came.
    assert judged.judgements.assessment(assessment_id).spent.asks == len(judged.judge.asked) <= 2 * COUNTED_AHEAD


def test_a_budget_pauses_its_row_and_resuming_asks_nothing_twice(judged: Judged, tmp_path: Path) -> None:
    assessment_id = judged.create(budget=Budget(asks=1))
    queue = judged.queue(tmp_path / "uploads")
    with pytest.raises(WorkPaused):
        queue.run_here(judged.spec(assessment_id))
    row = judged.store.work.find(assessment_id)
    assert (row.state, row.kind, row.subject) == (RunState.PAUSED, "assess", "sweep")
    assert row.failure is not None
    assert "Raise it to continue" in row.failure.message
    judged.judgements.set_budget(assessment_id, Budget())
    assert queue.resume(assessment_id).state is RunState.QUEUED
    report = queue.run_queued_here(assessment_id)
    assert (report.marks, report.missing) == (5, {})
    assert len({request.key for request in judged.judge.asked}) == len(judged.judge.asked) == 4
    assert judged.store.work.find(assessment_id).state is RunState.FINISHED


class Died(BaseException):
    """The process is killed at this commit."""


@pytest.mark.parametrize("column", ["Answer correctness", "Factual F1"])
def test_killed_at_any_commit_and_resumed_nothing_is_asked_twice(
    judged: Judged, column: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    judged.judge.script = everything
    assessment_id = judged.create(column)
    # One request at a time, so that there are many commits to be killed at.
    judged.runner = replace(judged.runner, tools=replace(judged.tools, look_ahead=1))
    record, stored, kills, left = judged.store.record, set[str](), 0, 0

    def dying(given: Any) -> None:
        nonlocal kills, left
        if left == 0:
            kills += 1
            raise Died
        left -= 1
        record(given)
        stored.update(fact.answer.key for fact in given if isinstance(fact, AnswerFact))

    monkeypatch.setattr(judged.store, "record", dying)
    report = None
    while report is None:
        # In turn: killed before anything is committed, and after one commit.
        judged.judge.asked.clear()
        before, left = set(stored), kills % 2
        with suppress(Died):
            report = judged.run(assessment_id)
        # Only replies that were not committed are asked for again.
        assert not before & {request.key for request in judged.judge.asked}
    assert kills >= 6
    assert report.missing == {}
    assert report.marks == 5 * len(judged.judgements.assessment(assessment_id).spec.columns)
    monkeypatch.undo()
    fresh = Judged(judged.store.database.url.replace("a.sqlite3", "b.sqlite3"), everything)
    fresh.fill()
    fresh.run(fresh.create(column))
    assert marks_without_id(judged, assessment_id) == marks_without_id(fresh, fresh.judgements.assessments()[0].id)
    judged.judge.asked.clear()
    judged.run(assessment_id)
    assert judged.judge.asked == []


def marks_without_id(judged: Judged, assessment_id: str) -> list[Any]:
    return [mark.model_dump(exclude={"assessment_id"}) for mark in judged.judgements.marks(assessment_id)]


def everything(request: ChatRequest) -> str:
    """Grades 7; finds the words of a text as facts, and all facts true."""
    if request.purpose == triplets.FACTS.name:
        words = request.messages[-1].content.split("<<<")[2].split("\n")[1].split()
        said = ",".join(f'{{"a_subject":"{w}","b_predicate":"{w}","c_object":"{w}"}}' for w in words[:2])
        return f'{{"a_facts":[{said}]}}'
    return '{"a_reason": "x", "b_stated": "yes"}' if request.purpose == triplets.IN_TEXT.name else grade()


def test_a_server_that_cannot_make_the_form_is_a_config_error_at_once(judged: Judged) -> None:
    said = sentence("server.schema-refused", server="http://x", model="judge", said="grammar")
    judged.judge.script = lambda _: GenerationError(said, reason="rejected")
    with pytest.raises(ConfigError, match="cannot make judge reply"):
        judged.run(judged.create())
    assert judged.judgements.marks(judged.judgements.assessments()[0].id) == []


def test_a_prompt_that_is_too_long_is_not_asked_again_and_others_go_on(judged: Judged) -> None:
    said = sentence("server.context", server="http://x", said="exceed_context_size_error")

    def script(request: ChatRequest) -> str | Exception:
        is_long = "rice" in request.messages[-1].content
        return GenerationError(said, reason="context_exceeded") if is_long else grade()

    judged.judge.script = script
    report = judged.run(judged.create())
    # The first question is in both runs: two items, one ask.
    assert report.missing == {"prompt_too_long": 2}
    assert len(judged.judge.asked) == 4


@pytest.mark.parametrize("told", [8192, 8191, 4098], ids=["Ollama before 0.30", "0.30.0 to 0.30.10", "since 0.30.11"])
def test_no_value_comes_from_a_prompt_that_the_server_cut(told: int, tmp_path: Path) -> None:
    judged = Judged(f"sqlite:///{tmp_path / 'cut'}")
    judged.fill(others=tuple(f"Right answer {number}: " + "in August " * 400 for number in range(20)))

    def script(request: ChatRequest) -> Completion:
        usage = TokenUsage(prompt_tokens=told if "references" in str(request.messages) else 300, output_tokens=10)
        return Completion(text=grade(), finish_reason="stop", usage=usage, window=8192)

    judged.judge.script = script
    report = judged.run(judged.create())
    # The first question has the right answers that exceed the window, in both runs.
    assert report.missing == {"prompt_too_long": 2}
    assert len(judged.judge.asked) == 4


def test_a_server_that_counts_no_tokens_cuts_no_prompt(judged: Judged) -> None:
    # The estimate of its tokens is up to 60 % too high, so it cannot refuse a value.
    judged.judge.script = lambda request: Completion(
        text=grade(), finish_reason="stop", window=estimate_tokens(request.messages) * 7 // 8
    )
    assert judged.run(judged.create()).missing == {}


def test_a_failing_server_costs_marks_that_a_retry_fills(judged: Judged) -> None:
    failing = GenerationError("It broke.", reason="server_error")
    judged.judge.script = lambda request: failing if "maize" in request.messages[-1].content else grade()
    assessment_id = judged.create()
    assert judged.run(assessment_id).missing == {"judge_failed": 2}
    judged.judge.script = lambda _: grade()
    assert judged.judgements.delete_failed_marks(assessment_id) == 2
    assert judged.run(assessment_id).missing == {}


def test_a_judge_that_fails_again_and_again_is_asked_no_more(judged: Judged) -> None:
    judged.judge.script = lambda _: GenerationError("It broke.", reason="server_error")
    assessment_id = judged.create("Answer correctness", "Context precision")
    with pytest.raises(WorkPaused, match="It broke"):
        judged.run(assessment_id)
    assert set(marks_of(judged, assessment_id)) <= {"judge_failed"}


def test_passages_that_do_not_fit_are_left_out_from_the_end(judged: Judged) -> None:
    reply = '{"a_reason": "x", "b_relevance": 2, "c_accuracy": 1, "d_completeness": 0, "e_precision": 2}'
    judged.judge.script = lambda _: reply
    assessment_id = judged.create("Accuracy", num_ctx=512, target="sweep-001")
    judged.run(assessment_id)
    shown = [request.messages[-1].content for request in judged.judge.asked]
    assert len(shown) == 2
    assert all("[1] Rice flowers" in each for each in shown)
    assert not any("[2]" in each for each in shown)
    keys = [key for mark in judged.judgements.marks(assessment_id) for key in mark.judgement_keys]
    assert {each.dropped for each in judged.judgements.judgements(keys).values()} == {1}


def test_an_assessment_whose_task_changed_is_refused(judged: Judged, monkeypatch: pytest.MonkeyPatch) -> None:
    assessment_id = judged.create()
    changed = judged.judgements.assessment(assessment_id)
    tasks = tuple(task.model_copy(update={"digest": "0" * 64}) for task in changed.tasks)
    monkeypatch.setattr(judged.judgements, "assessment", lambda _: changed.model_copy(update={"tasks": tasks}))
    with pytest.raises(ConflictError, match="task correctness changed"):
        judged.run(assessment_id)
    assert judged.judge.asked == []
