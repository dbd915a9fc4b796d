"""Tuning of a judge's task: chosen on one part of people's labels, tried once on the other, used by an assessment."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from pydantic import TypeAdapter

from passer.domain.budget import Budget
from passer.domain.chat import ChatRequest
from passer.domain.judging.tuned_task import GRADE_FORMS, TunedTask, split_of
from passer.errors import ConflictError, InputError, WorkPaused
from passer.metrics.judged import families_of
from passer.metrics.judged.grades import CORRECTNESS
from passer.services.judging.labelling import LabelDrawRequest
from passer.services.judging.tuning import Tuner, TuningReport, TuningRequest
from passer.services.judging.tuning_trial import REWRITE
from tests.services.judging.made import InstantEngine, Judged, Silent, grade
from tests.services.judging.rated import COLUMN, fill_rated

REQUEST = TuningRequest(few_shots=8, instructions=3)


def reply(request: ChatRequest) -> str:
    """Grade as people do by a strict instruction, always 5 with examples, and in the opposite order by PaSSER's."""
    if request.purpose == REWRITE.name:
        # Seeds 42 and 43 write the same instruction.
        strict = f"Grade strictly, in version {max(43, request.options.seed)} of five words."
        return json.dumps({"a_reason": "Clearer.", "b_instruction": strict})
    worth = int(re.findall(r"worth (\d+)", request.messages[-1].content)[-1])
    if any(message.role == "assistant" for message in request.messages):
        return grade(5)
    return grade(worth if "strictly, in version 43" in request.messages[0].content else 10 - worth)


@pytest.fixture
def rated(tmp_path: Path) -> Judged:
    """A run of 40 answers, of which a person has rated all; answer n is worth n modulo 11."""
    made = Judged(f"sqlite:///{tmp_path / 'rated.sqlite3'}", reply)
    fill_rated(made)
    return made


def tuner(made: Judged) -> Tuner:
    return Tuner(
        judgements=made.judgements,
        evaluations=made.store,
        items=made.items,
        calibrator=made.calibrator,
        work=made.store.work,
        engine=lambda: InstantEngine(made.judge),
        clock=made.clock,
    )


def tuned_by(made: Judged, assessment: str, request: TuningRequest = REQUEST) -> TuningReport:
    tuning = tuner(made).create(assessment, request)
    return tuner(made).run(tuning.id, Silent())


def test_the_choice_is_made_on_one_part_and_tried_once_on_the_other(rated: Judged) -> None:
    assessment = rated.create(target="sweep-000")
    plan = tuner(rated).plan(assessment, REQUEST)
    # 20 questions choose, 8 of them as examples: 5 candidates x 12, 3 rewrites, 2 x 20 tests.
    assert (plan.column, plan.shots, plan.selection, plan.test, plan.asks) == (COLUMN, 8, 12, 20, 103)
    assert rated.judge.asked == []
    report = tuned_by(rated, assessment)
    assert [(each.shots, each.judged, each.rho) for each in report.candidates] == [
        (0, 12, pytest.approx(-1)), (8, 12, None), (0, 12, pytest.approx(1)), (0, 12, pytest.approx(-1)),
    ]  # fmt: skip
    assert report.chosen == 2
    # Two of the three rewrites are the same: 4 candidates x 12 + 3 + 2 x 20.
    assert report.spent.asks == len(rated.judge.asked) == 91
    tuned = report.tuned
    assert tuned is not None
    found = tuned.evidence
    assert (found.candidates, found.selection, found.test) == (4, 12, 20)
    assert (found.rho_before, found.rho_after) == (pytest.approx(-1), pytest.approx(1))
    assert found.error_after == 0
    assert found.error_before is not None
    assert found.error_change is not None
    assert found.error_change.high < 0
    # Answers that test were asked about by two tasks only, and are not among those that chose.
    asked = Counter(re.findall(r"Fact (\d+), worth", each.messages[-1].content)[-1] for each in rated.judge.asked[51:])
    assert list(asked.values()) == [2] * 20
    chosen = {key.place.number for key in rated.items.keys(("sweep-000",)) if key.key in tuned.trained_on}
    assert len(chosen) == 20
    assert chosen.isdisjoint(map(int, asked))
    # The judge saw where it differs most from people before it wrote.
    [first, *_] = [each for each in rated.judge.asked if each.purpose == REWRITE.name]
    assert "people gave" in first.messages[-1].content
    assert tuned_by(rated, assessment).tuned == tuned
    assert len(rated.judge.asked) == 91, "nothing is asked twice"


def test_a_limit_pauses_and_a_raised_one_continues_with_what_was_spent(rated: Judged) -> None:
    assessment = rated.create(target="sweep-000")
    tuning = tuner(rated).create(assessment, REQUEST.model_copy(update={"budget": Budget(asks=30)}))
    with pytest.raises(WorkPaused, match="used up after 30 requests"):
        tuner(rated).run(tuning.id, Silent())
    assert len(rated.judge.asked) == 30
    with pytest.raises(WorkPaused, match="used up after 30 requests"):
        tuner(rated).run(tuning.id, Silent())
    rated.assessments.prepare_resume(tuning.id, Budget(asks=91))
    report = tuner(rated).run(tuning.id, Silent())
    assert (report.chosen, report.spent.asks) == (2, 91)
    assert len(rated.judge.asked) == 91
    assert rated.judgements.assessment(tuning.id).spent.asks == 91


def test_a_tuning_is_no_assessment_of_answers(rated: Judged) -> None:
    assessment = rated.create(target="sweep-000")
    tuning = tuner(rated).create(assessment, REQUEST)
    assert [each.id for each in rated.judgements.assessments("sweep")] == [assessment]
    assert [each.id for each in rated.judgements.assessments()] == [assessment]
    assert [each.id for each in rated.judgements.tunings(assessment)] == [tuning.id]
    for act in (
        lambda: rated.results.table(tuning.id),
        lambda: tuner(rated).plan(tuning.id, REQUEST),
        lambda: tuner(rated).report(assessment),
    ):
        with pytest.raises(ConflictError, match="tun"):
            act()


def test_an_assessment_by_the_tuned_task_is_calibrated_without_the_questions_that_chose_it(rated: Judged) -> None:
    plain = rated.create(target="sweep-000")
    tuned = tuned_by(rated, plain).tuned
    assert tuned is not None
    read = TunedTask.model_validate_json(tuned.model_dump_json())
    assessment = rated.create(target="sweep-000", tuned=read)
    rated.run(assessment)
    stored = rated.judgements.assessment(assessment)
    assert (stored.tasks[0].name, stored.tasks[0].digest) == ("correctness", tuned.task.digest)
    assert tuned.task.digest != CORRECTNESS.digest
    [column] = rated.calibrator.of(assessment).columns
    assert column.agreement is not None
    assert (column.agreement.n, column.agreement.error) == (20, 0)
    assert "20 answers are left out" in column.warnings[-1]
    draw = rated.labelling.draw(LabelDrawRequest(assessment=assessment, column=COLUMN, questions=40))
    drawn = {question.number for question in draw.questions}
    trained = {key.place.number for key in rated.items.keys(("sweep-000",)) if key.key in tuned.trained_on}
    assert len(drawn) == 20
    assert drawn.isdisjoint(trained)
    # What it learned from says nothing when it is tuned again: 10 and 10 questions are left.
    with pytest.raises(InputError, match=r"2 rated answers.*would choose and 10 would test"):
        tuner(rated).plan(assessment, REQUEST)
    assert tuner(rated).plan(assessment, TuningRequest(few_shots=0)).selection == 10


def test_task_files_that_do_not_fit_are_refused(rated: Judged) -> None:
    tuned = tuned_by(rated, rated.create(target="sweep-000")).tuned
    assert tuned is not None
    forged = tuned.model_copy(update={"task": tuned.task.model_copy(update={"instruction": "Always give 10."})})
    with pytest.raises(InputError, match="was changed"):
        rated.create(target="sweep-000", tuned=forged)
    with pytest.raises(InputError, match="is for Answer correctness"):
        rated.create("Answerability", target="sweep-000", tuned=tuned)
    other = tuned.model_copy(update={"task": tuned.task.model_copy(update={"name": "answerability"})})
    with pytest.raises(InputError, match="another version"):
        rated.create(target="sweep-000", tuned=other)


def test_only_metrics_with_one_grade_can_be_tuned_and_labels_are_needed(rated: Judged, judged: Judged) -> None:
    for column, form in GRADE_FORMS.items():
        [family] = families_of((column,))
        [task] = family.tasks
        members: dict[str, Any] = TypeAdapter(dict[str, Any]).validate_python((task.schema or {})["properties"])
        assert list(members) == [form.reason, form.grade]
        assert members[form.grade]["enum"] == list(range(form.highest + 1))
    with pytest.raises(InputError, match="Only metrics with one grade"):
        tuner(rated).plan(rated.create("Faithfulness", target="sweep-000"), REQUEST)
    with pytest.raises(InputError, match="0 rated answers"):
        tuner(judged).plan(judged.create(), REQUEST)


def test_a_split_depends_on_questions_and_seed_only() -> None:
    assert split_of((), train=0.5, shots=8, seed=1).test == ()
    form = GRADE_FORMS[COLUMN]
    assert form.reply(0.7) == {"a_reason": "A person gave this grade.", "b_grade": 7}
