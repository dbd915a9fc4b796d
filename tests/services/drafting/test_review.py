"""Review and finish: what people decide, stale decisions, the quality figure, and the dataset that is made."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest

from passer.domain.dataset import Dataset, Question
from passer.domain.sweeps.budget import Price
from passer.domain.sweeps.run import RunState
from passer.domain.wording.sentence import code_of
from passer.errors import ConflictError, InputError
from passer.ports.work import Work
from passer.services.drafting.finishing import FinishRequest
from tests.services.drafting.made import OTHER, WRITER, Made, decide, question


class Ended:
    """Work that has ended at this time."""

    def __init__(self, at: datetime) -> None:
        self._at = at

    def find(self, work_id: str) -> Work:
        return Work(id=work_id, kind="draft", state=RunState.FINISHED, created_at=self._at, ended_at=self._at)


@pytest.fixture
def made(tmp_path: Path) -> Iterator[Made]:
    found = Made(
        f"sqlite:///{tmp_path / 'a.sqlite3'}", windows=6, draft_question=lambda n: "NONE" if n == 5 else question(n)
    )
    yield found
    found.close()


def test_people_accept_edit_refuse_and_undo(made):
    drafting = made.create(review=1.0)
    made.run(drafting)
    keys = [each.draft.key for each in made.review.shown(drafting, "waiting")]
    assert len(keys) == 5
    assert decide(made, drafting, keys[0], "accept").state == "accepted"
    edited = decide(made, drafting, keys[1], "edit", question="What does it need?", answer="Water.")
    assert (edited.state, edited.question, edited.answer) == ("edited", "What does it need?", "Water.")
    # The original stays.
    assert edited.draft.question.startswith("Which n")
    refused = decide(made, drafting, keys[2], "refuse", reason="trivial")
    assert (refused.state, refused.refused_at, refused.reason) == ("refused", "person", "trivial")
    assert decide(made, drafting, keys[2], "undo", version=1).state == "waiting"
    with pytest.raises(ConflictError, match="Somebody else"):
        decide(made, drafting, keys[2], "accept", version=0)
    with pytest.raises(InputError, match="reason"):
        decide(made, drafting, keys[3], "refuse")
    empty = made.review.shown(drafting, "refused")[0]
    with pytest.raises(InputError, match="blank"):
        decide(made, drafting, empty.draft.key, "accept")
    table = made.review.table(drafting)
    assert table.states == {"accepted": 1, "edited": 1, "waiting": 3, "refused": 1}
    assert str(table.judge) == "judge"
    # Of the two drawn drafts that were decided, one was good as it was: Wilson's interval of 1 of 2.
    assert (table.quality.drawn, table.quality.decided, table.quality.good) == (5, 2, 1)
    assert table.quality.interval is not None
    assert table.quality.interval.low == pytest.approx(0.0945, abs=1e-4)
    assert table.quality.interval.high == pytest.approx(0.9055, abs=1e-4)
    # Five of six drafts passed; two questions are kept. Without a price there is no cost.
    assert table.passed_share == pytest.approx(5 / 6)
    spent = table.assessment.spent
    assert table.drafts_per_minute == pytest.approx(6 / (spent.running_s / 60))
    assert (table.cost, table.cost_each) == (None, None)
    # Known replies take no time of a model, so that they have no rate.
    again = made.create()
    made.run(again)
    known = made.review.table(again)
    assert (known.assessment.spent.asks, known.drafts, known.drafts_per_minute) == (0, table.drafts, None)


def test_what_an_accepted_question_cost(made):
    drafting = made.create(price=Price(input=1000.0, output=2000.0))
    made.run(drafting)
    table = made.review.table(drafting)
    spent = table.assessment.spent
    assert table.states["accepted"] == 5
    assert table.cost == pytest.approx((spent.input_tokens + 2 * spent.output_tokens) / 1000)
    assert table.cost_each == pytest.approx(table.cost / 5)


def test_a_person_who_refuses_makes_room_for_another_question(made):
    drafting = made.create(target=3)
    made.run(drafting)
    first = made.review.shown(drafting, "accepted")
    assert len(first) == 3
    decide(made, drafting, first[0].draft.key, "refuse", reason="wrong")
    made.run(drafting)
    assert len(made.review.shown(drafting, "accepted")) == 3


def test_refusals_after_the_end_are_no_lack_of_passages(made):
    drafting = made.create(target=3)
    made.run(drafting)
    assert made.review.table(drafting).outcome is None
    clock = made.review.clock
    made.review = replace(made.review, work=Ended(clock.now()))
    refused, *_ = made.review.shown(drafting, "accepted")
    decide(made, drafting, refused.draft.key, "refuse", reason="wrong")
    assert str(made.review.table(drafting).outcome).startswith("2 of 3 questions are left after the review.")
    # Had it ended after the refusal, it would have gone on to a fourth window.
    made.review = replace(made.review, work=Ended(clock.now()))
    assert str(made.review.table(drafting).outcome) == "All passages are used: 2 of 3 questions."


def test_finish_makes_a_dataset_with_gold_and_origin(made):
    drafting = made.create()
    made.run(drafting)
    # Nobody has looked at a draft yet.
    assert str(made.review.table(drafting).judge) == "judge (uncalibrated)"
    assert "| judge (uncalibrated), digest judge" in made.finisher.finish(drafting, FinishRequest(name="early")).readme
    edited = made.review.shown(drafting)[0].draft.key
    decide(made, drafting, edited, "edit", question="Which need has it in the valley?")
    found = made.finisher.finish(drafting, FinishRequest(name="drafted"))
    dataset = made.store.load_dataset("drafted")
    assert (found.questions, found.digest) == (5, dataset.digest)
    first = next(each for each in dataset.questions if each.id == f"d-{edited}")
    assert first.text == "Which need has it in the valley?"
    assert first.origin is not None
    assert (first.origin.model, first.origin.model_digest, first.origin.edited) == ("writer", "writerwriter", True)
    assert [each.origin.edited for each in dataset.questions if each.id != first.id] == [False] * 4
    assert all(each.gold_passages and each.reference for each in dataset.questions)
    judge = "| judge, digest judge"
    for wanted in (dataset.digest, "Model writer", "Seed | 1", "question 1", "faithfulness 0.9", judge):
        assert wanted in found.readme
    # The same again is the same version.
    assert made.finisher.finish(drafting, FinishRequest(name="drafted")).digest == dataset.digest
    assert len(made.store.list_versions("drafted")) == 1


def test_finish_says_which_questions_a_version_no_longer_has(made):
    drafting = made.create()
    made.run(drafting)
    old = tuple(Question(id=str(number), text=f"{number}?", reference="x") for number in range(3))
    made.store.save_dataset(Dataset(name="farm", questions=old))
    found = made.finisher.finish(drafting, FinishRequest(name="farm"))
    assert [code_of(note) for note in found.notes] == ["drafts.left-out"]
    assert found.notes[0].startswith(
        "3 questions of the previous version are not in the newest version of farm, which contains"
    )
    # The same again leaves nothing out.
    assert made.finisher.finish(drafting, FinishRequest(name="farm")).notes == ()


def test_a_mix_takes_what_a_model_has_and_says_so(made):
    drafting = made.create(models=(WRITER, OTHER), target=4)
    made.run(drafting)
    # Both models write the same question: the second one's repeats the first one's.
    found = made.finisher.finish(drafting, FinishRequest(name="mixed", mix={"writer": 2, "other": 3}))
    assert found.questions == 2
    assert found.notes == ("other has 0 accepted questions, fewer than the 3 wanted. All of them are in the dataset.",)
    with pytest.raises(InputError, match="writes no questions"):
        made.finisher.finish(drafting, FinishRequest(name="mixed", mix={"nobody": 1}))


def test_finish_says_which_questions_will_get_no_scores(made):
    drafting = made.create()
    made.run(drafting)
    assert made.finisher.finish(drafting, FinishRequest(name="drafted")).notes == ()
    decide(made, drafting, made.review.shown(drafting)[0].draft.key, "edit", answer=" ")
    found = made.finisher.finish(drafting, FinishRequest(name="drafted"))
    assert found.notes == ("1 question has no reference. It gets an answer but no scores.",)
    assert [not each.reference for each in made.store.load_dataset("drafted").questions].count(True) == 1


def test_no_dataset_without_questions(made):
    drafting = made.create(review=1.0)
    made.run(drafting)
    with pytest.raises(InputError, match="No draft is accepted"):
        made.finisher.finish(drafting, FinishRequest(name="none"))
