"""Drafting from the first ask to the last draft: refusals by stage, each ask once, the same result for any workers."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from passer.domain.questions import tasks
from passer.domain.questions.drafting import Draft
from passer.domain.sweeps.budget import Budget
from passer.errors import ConfigError, ConflictError, GenerationError, WorkPaused
from passer.services.drafting.drafts import DraftRequest
from tests.services.drafting.made import JUDGE, OTHER, WRITER, answer, passages, question, run_killed_at_each_commit


def asked(n: int) -> str:
    return json.dumps({"a_question": question(n), "b_noncommittal": 0})


NO = json.dumps({"a_reason": "Missing.", "b_decision": 0})


def verdicts(yes: int, of: int) -> str:
    return json.dumps({"a_reason": "So.", "b_verdicts": ["yes"] * yes + ["no"] * (of - yes)})


def statements(count: int) -> Callable[[int], str]:
    return lambda n: json.dumps({"a_statements": [f"Statement {i} of n{n}a." for i in range(count)]})


def outcome(draft: Draft) -> tuple[str | None, str | None]:
    return draft.refused_at, draft.checks[-1].reason


@pytest.mark.parametrize(
    ("replies", "refused_at", "reason", "asks"),
    [
        ({"draft_question": lambda n: "NONE"}, "question", "none", 1),
        (
            {"draft_question": lambda n: "What does the passage say about n0a, n0b and n0c?"},
            "form",
            "refers_to_text",
            1,
        ),
        ({"standalone": lambda n: json.dumps({"a_reason": "Vague.", "b_grade": 4})}, "stand_alone", None, 2),
        ({"answerability": lambda n: NO}, "answerability", None, 3),
        ({"draft_answer": lambda n: "NONE."}, "answer", "none", 4),
        ({"statements": statements(9), "supported": lambda n: verdicts(8, 9)}, "faithfulness", None, 6),
        ({"question_of": lambda n: json.dumps({"a_question": f"n{n}z?", "b_noncommittal": 0})}, "relevance", None, 9),
        ({"draft_answer": question}, "copy", "is_question", 9),
        ({"draft_answer": lambda n: " ".join([answer(n)] * 3)}, "copy", "longer_than_window", 9),
        # An empty reply is asked for once more, and then the model found nothing.
        ({"draft_question": lambda n: ""}, "question", "none", 2),
        ({}, None, None, 9),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_draft_is_refused_at_its_stage_and_asks_no_further(make, replies, refused_at, reason, asks):
    made = make(windows=1, **replies)
    drafting = made.create(limits={"stand_alone": 0.5})
    made.run(drafting)
    (draft,) = made.drafts.drafts(drafting)
    assert outcome(draft) == (refused_at, reason)
    assert len(made.models.asked) == asks
    # Every check before the refusal passed, and none comes after it.
    assert [check.passed for check in draft.checks[:-1]] == [True] * (len(draft.checks) - 1)


@pytest.mark.parametrize(("similarity", "refused"), [(0.85, ("form", "example")), (None, (None, None))])
def test_a_question_like_a_worked_example_is_refused_by_its_vector(make, similarity, refused):
    [example] = [each.question for each in tasks.examples_of("en") if "library" in each.question]
    # Another text with the same words: only the comparison of vectors finds it.
    again = example.replace("How often can", "Often how can")
    made = make(windows=1, draft_question=lambda n: again)
    [passage] = passages(1)
    more = "members of every city may renew what a library lends, and a loan how often they can"
    made.index._passages[0] = passage.model_copy(update={"text": f"n0a: {more}. {passage.text}"})
    made.run(drafting := made.create(limits={"similarity": similarity, "relevance": None}))
    (draft,) = made.drafts.drafts(drafting)
    assert (draft.question, outcome(draft)) == (again, refused)


def test_a_value_at_the_limit_passes(make):
    # Nine of ten statements are exactly the limit of .9.
    made = make(windows=1, statements=statements(10), supported=lambda n: verdicts(9, 10))
    drafting = made.create()
    made.run(drafting)
    (draft,) = made.drafts.drafts(drafting)
    assert draft.refused_at is None
    values = {check.stage: check.value for check in draft.checks if check.value is not None}
    assert values == {"answerability": 1.0, "faithfulness": 0.9, "relevance": pytest.approx(1.0)}
    # What the answer says stands in the passage word for word: that is its gold quote.
    assert [gold.quote for gold in draft.gold] == [answer(0).rstrip(".")]


def test_a_question_that_repeats_an_accepted_one_costs_no_judge(make):
    # All windows are of one model that always asks the first question; each window holds all of its words.
    made = make(windows=3, draft_question=lambda n: question(7), question_of=lambda n: asked(7))
    for n, passage in enumerate(passages(3)):
        made.index._passages[n] = passage.model_copy(update={"text": f"{passage.text} {question(7)[:-1]} n{n}a."})
    drafting = made.create()
    report = made.run(drafting)
    assert [outcome(draft) for draft in made.drafts.drafts(drafting)] == [
        (None, None), ("duplicate", "same_text"), ("duplicate", "same_text"),
    ]  # fmt: skip
    # The first window costs eight asks, the others one each.
    assert Counter(made.asks())["draft-question"] == 3
    assert len(made.models.asked) == 8 + 2
    assert report.missing == {"duplicate": 2}


def test_a_judge_that_never_replies_in_form_leaves_drafts_unjudged_and_refuses_none(make):
    made = make(windows=3, answerability=lambda n: "yes, certainly")
    drafting = made.create()
    made.run(drafting)
    table = made.review.table(drafting)
    assert table.refused == {"unjudged": 3}
    assert table.states == {"refused": 3}
    drafts = made.drafts.drafts(drafting)
    assert [draft.checks[-1].value for draft in drafts] == [None] * 3
    assert [draft.checks[-1].note for draft in drafts] == ["not_json"] * 3


def test_counts_sum_to_the_windows_that_were_tried(make):
    def reply(n: int) -> str:
        return {0: "NONE", 1: "Too short?", 2: question(2)}.get(n, question(n))

    made = make(windows=8, draft_question=reply, answerability=lambda n: NO if n == 2 else made_up(n))
    drafting = made.create(target=50)
    made.run(drafting)
    table = made.review.table(drafting)
    assert table.refused == {"question": 1, "form": 1, "answerability": 1, "unjudged": 1}
    assert table.states == {"refused": 4, "accepted": 4}
    assert sum(table.refused.values()) + table.states["accepted"] == table.windows == 8


def made_up(n: int) -> str:
    return "?" if n == 3 else json.dumps({"a_reason": "Stated.", "b_decision": 1})


def test_drafting_ends_at_the_target_and_goes_on_when_it_is_raised(make):
    made = make(windows=6)
    drafting = made.create(target=2)
    made.run(drafting, workers=4)
    first = made.drafts.drafts(drafting)
    assert (len(first), len(made.models.asked)) == (2, 16)
    # It has enough: nothing is asked.
    made.run(drafting, workers=4)
    assert len(made.models.asked) == 16
    made.service.prepare_resume(drafting, budget=Budget(), target=5)
    made.run(drafting, workers=4)
    assert len(made.models.asked) == 5 * 8
    assert made.drafts.drafts(drafting)[:2] == first
    # A passage is used once.
    places = [draft.excerpt.passages for draft in made.drafts.drafts(drafting)]
    assert len(set(places)) == 5


def test_all_passages_used_is_said(make):
    made = make(windows=4)
    drafting = made.create(target=9)
    made.run(drafting)
    outcome_ = made.review.table(drafting).outcome
    assert outcome_ == "All passages are used: 4 of 9 questions."


def test_a_model_without_any_usable_question_is_given_up_after_forty_windows(make):
    made = make(windows=60, draft_question=lambda n: "What is the text about?")
    drafting = made.create()
    made.run(drafting, workers=8)
    assert len(made.models.asked) == 40
    outcome_ = made.review.table(drafting).outcome
    assert outcome_ == "writer wrote no usable question from 40 texts. Choose another model."
    # Two models read each window, and forty windows are tried by both.
    both = make(windows=60, draft_questions=lambda n: "What is the text about?")
    both.run(both.create(way="inpars", models=(WRITER, OTHER)), workers=8)
    assert len(both.models.asked) == 80


def test_a_judge_without_readable_verdicts_is_named_in_place_of_the_writer(make):
    made = make(windows=6, answerability=lambda n: "I cannot judge this.")
    drafting = made.create()
    made.run(drafting)
    table = made.review.table(drafting)
    assert table.refused == {"unjudged": 6}
    judge = table.assessment.spec.judge.model.name
    assert table.outcome is not None
    assert f"because the replies of {judge} to 6 of 6 drafts cannot be read. Choose another judge" in table.outcome
    assert table.is_exhausted


@pytest.mark.parametrize("way", ["agentic", "inpars"])
def test_drafts_do_not_depend_on_the_number_of_workers(make, way):
    found = []
    for workers in (1, 4):
        made = make(windows=12, answerability=lambda n: NO if n % 3 == 0 else made_up(0))
        drafting = made.create(target=6, way=way, seed=5)
        made.run(drafting, workers=workers)
        found.append(made.drafts.drafts(drafting))
    assert found[0] == found[1]
    assert [draft.place for draft in found[0]] == sorted(draft.place for draft in found[0])


def test_killed_after_each_commit_and_resumed_it_makes_the_same_drafts_and_asks_nothing_twice(make, monkeypatch):
    whole = make(windows=5, answerability=lambda n: NO if n == 1 else made_up(0))
    drafting = whole.create(target=5)
    whole.run(drafting)
    wanted, asks = whole.drafts.drafts(drafting), len(whole.models.asked)

    made = make(windows=5, answerability=lambda n: NO if n == 1 else made_up(0))
    drafting = made.create(target=5)
    kills = run_killed_at_each_commit(made, drafting, monkeypatch)
    assert kills >= 3
    assert made.drafts.drafts(drafting) == wanted
    assert len(made.models.asked) == asks
    assert max(Counter(request.key for request in made.models.asked).values()) == 1


def test_a_budget_pauses_with_what_there_is(make):
    made = make(windows=4)
    drafting = made.create(budget={"asks": 10})
    with pytest.raises(WorkPaused, match="after 10 requests"):
        made.run(drafting)
    assert len(made.drafts.drafts(drafting)) == 1
    made.service.prepare_resume(drafting, budget=Budget())
    made.run(drafting)
    assert len(made.models.asked) == 4 * 8


def test_a_server_without_a_reply_is_asked_again_when_it_is_resumed(make):
    broken: dict[str, Any] = {"answerability": lambda n: GenerationError("500") if n == 2 else made_up(0)}
    made = make(windows=4, **broken)
    drafting = made.create()
    made.run(drafting)
    assert made.review.table(drafting).refused == {"unjudged": 1}
    before = made.models.asked[:]
    made.replies["answerability"] = lambda n: made_up(0)
    made.run(drafting)
    assert made.review.table(drafting).states == {"accepted": 4}
    # Only the rest of the one window is asked for.
    assert len(made.models.asked) - len(before) == 7


def test_several_models_read_the_same_windows(make):
    made = make(windows=5)
    drafting = made.create(way="inpars", models=(WRITER, OTHER), target=6)
    made.run(drafting, workers=4)
    drafts = made.drafts.drafts(drafting)
    first, second = ({each.excerpt.passages for each in drafts if each.model == name} for name in ("writer", "other"))
    assert first == second
    # The second model writes the same questions here: all of them repeat the first one's.
    assert {outcome(draft) for draft in drafts if draft.model == "other"} == {("duplicate", "same_text")}
    assert all(draft.answer == "" for draft in drafts)
    assert set(made.asks()) == {"draft-questions"}


def test_a_paragraph_needs_no_judge_and_is_its_own_answer(make):
    made = make(windows=2)
    drafting = made.create(way="paragraph", judge=None)
    made.run(drafting)
    drafts = made.drafts.drafts(drafting)
    assert set(made.asks()) == {"draft-question"}
    assert [draft.answer for draft in drafts] == [draft.excerpt.text for draft in drafts]
    assert [check.stage for check in drafts[0].checks] == ["question", "form", "duplicate"]


def test_the_extractive_reader_writes_no_questions(make):
    with pytest.raises(ConfigError, match="cannot write questions"):
        make().create(models=({"provider": "extractive"},))


def test_other_documents_are_another_drafting(make):
    made = make(windows=3)
    drafting = made.create()
    made.index._passages.append(passages(4)[3])
    with pytest.raises(ConflictError, match="have changed"):
        made.run(drafting)


def test_a_plan_counts_the_fewest_requests(make):
    made = make(windows=6)
    given = {"collection": "books", "models": (WRITER,), "judge": JUDGE, "price": {"input": 1.0, "output": 2.0}}
    plan = made.service.plan(DraftRequest.model_validate({**given, "target": 4}))
    assert (plan.windows, plan.asks_each, plan.asks, plan.known) == (6, 8, 32, 0)
    assert plan.cost == pytest.approx((plan.input_tokens + 2 * plan.output_tokens) / 1e6)
    assert not made.models.asked
    many = made.service.plan(DraftRequest.model_validate({**given, "target": 10}))
    assert many.warnings == ("The documents yield at most 6 questions, but the target is 10. Add documents or choose a "
                             "lower target.",)  # fmt: skip
