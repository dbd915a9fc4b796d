"""Answers to questions that were drafted without them, afterwards or from the start."""

from __future__ import annotations

from collections import Counter

import pytest
from alembic import command

from passer.adapters.store.database import migrations
from passer.domain.sweeps.budget import Budget
from passer.errors import InputError
from passer.services.drafting.drafts import DraftRequest
from tests.services.drafting.made import WRITER, Made, answer, decide, run_killed_at_each_commit


def answers_of(made: Made, drafting: str) -> list[tuple[str, str]]:
    return [(each.state, each.answer) for each in made.review.shown(drafting)]


def test_answers_to_questions_of_windows_are_drafted_afterwards_and_nothing_else_is_asked(make):
    # Three questions a window; the model finds no answer to those of the second one.
    made = make(windows=2, draft_answer=lambda n: "NONE" if n == 1 else answer(n))
    drafting = made.create(way="inpars", seed=1)
    made.run(drafting)
    drafts = made.drafts.drafts(drafting)
    assert answers_of(made, drafting) == [("accepted", "")] * 6
    by_window = {"n0a" in each.question: each.place for each in drafts}
    own = [each.key for each in drafts if each.place == by_window[True]]
    other = next(each.key for each in drafts if each.place == by_window[False])
    decide(made, drafting, own[0], "edit", question="Which need has n0a in the valley?")
    decide(made, drafting, own[1], "refuse", reason="wrong")
    decide(made, drafting, other, "edit", question="Which n1b?", answer="A n1b.")
    before = len(made.models.asked)
    made.service.prepare_resume(drafting, budget=Budget(), answers=True)
    made.run(drafting)
    asked = made.models.asked[before:]
    # The refused question is not answered; the edited one is asked as the person wrote it.
    assert [each.purpose for each in asked] == ["draft-answer"] * 5
    assert sum("Which need has n0a in the valley?" in each.messages[-1].content for each in asked) == 1
    found = {each.draft.key: each for each in made.review.shown(drafting)}
    assert [(found[key].state, found[key].answer) for key in own] == [
        ("edited", answer(0)), ("refused", ""), ("accepted", answer(0)),
    ]  # fmt: skip
    assert [check.stage for check in found[own[2]].draft.checks] == ["question", "form", "answer", "copy", "duplicate"]
    # The answer stands in the window word for word: it is the gold quote.
    assert [gold.quote for gold in found[own[2]].draft.gold] == [answer(0).rstrip(".")]
    # What a person wrote stays, and questions without an answer are refused by that check.
    assert (found[other].state, found[other].answer) == ("edited", "A n1b.")
    assert sorted(each.refused_at for each in found.values() if each.refused_at) == ["answer", "answer", "person"]
    # All of it is there: another run asks nothing.
    made.run(drafting)
    assert len(made.models.asked) == before + 5


def test_an_answer_that_an_earlier_version_kept_empty_gives_way_to_the_drafted_one(make):
    made = make(windows=1)
    old, answered = (made.create(way="inpars", answers=answers) for answers in (False, True))
    made.run(old)
    made.run(answered)
    key = made.drafts.drafts(old)[0].key
    decide(made, old, key, "edit", question="Which need has n0a in the valley?")
    [now] = made.drafts.decisions(old)
    # An earlier version kept the empty answer of the draft with every edit of its question.
    made.drafts.add_decision(old, now.model_copy(update={"revision": 2, "answer": ""}))
    # Who takes away an answer that there is means it.
    decide(made, answered, key, "edit", answer="")
    database = made.store.database
    with database.begin() as connection:
        config = migrations()
        config.attributes["connection"] = connection
        # Such a database has the same tables. Later migrations add theirs, which this one has already.
        command.stamp(config, "0036")
        command.upgrade(config, "0037")
    assert [each.answer for each in made.drafts.decisions(old)] == [None, None]
    assert answers_of(made, answered)[0] == ("edited", "")
    made.service.prepare_resume(old, budget=Budget(), answers=True)
    made.run(old)
    assert answers_of(made, old)[0] == ("edited", answer(0))


def test_answers_may_be_wanted_from_the_start_and_are_planned(make):
    made = make(windows=2)
    given = {"collection": "books", "models": (WRITER,), "way": "inpars", "target": 4, "answers": True}
    plan = made.service.plan(DraftRequest.model_validate(given))
    # One window, at most ten questions: one ask for them and four for the answers that are wanted.
    assert (plan.asks, plan.asks_each) == (5, 1)
    drafting = made.create(**{name: value for name, value in given.items() if name != "collection"})
    made.run(drafting)
    drafts = made.drafts.drafts(drafting)
    assert [each.answer for each in drafts] == [answer(0 if "n0a" in each.question else 1) for each in drafts]
    with pytest.raises(InputError, match="already have answers"):
        made.create(answers=True)


def test_killed_while_it_answers_it_asks_nothing_twice(make, monkeypatch):
    made = make(windows=4)
    drafting = made.create(way="inpars")
    made.run(drafting)
    asked = len(made.models.asked)
    made.service.prepare_resume(drafting, budget=Budget(), answers=True)
    kills = run_killed_at_each_commit(made, drafting, monkeypatch)
    assert kills >= 2
    assert len(made.models.asked) - asked == 12
    assert max(Counter(request.key for request in made.models.asked).values()) == 1
    assert [each.answer for each in made.drafts.drafts(drafting)].count("") == 0
