"""Tuning of a judge's task: chosen on one part of people's labels, tried once on the other, used by an assessment."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from pydantic import TypeAdapter

from passer.domain.judging.marks import Label
from passer.domain.judging.tuned_task import GRADE_FORMS, TunedTask, split_of
from passer.domain.models.chat import ChatRequest
from passer.domain.sweeps.budget import Budget
from passer.errors import ConflictError, InputError, WorkPaused
from passer.metrics.judged import families_of
from passer.metrics.judged.grades import CORRECTNESS
from passer.services.judging.items import ItemKey
from passer.services.judging.labelling import LabelDrawRequest
from passer.services.judging.tuning import Tuner, TuningReport, TuningRequest
from passer.services.judging.tuning_trial import REWRITE, Candidate, best
from tests.services.judging.made import NOW, Judged, Silent, grade
from tests.services.judging.rated import COLUMN, fill_rated, fill_run

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
    return Tuner(tools=made.tools, items=made.items, calibrator=made.calibrator, work=made.store.work)


def tuned_by(made: Judged, assessment: str, request: TuningRequest = REQUEST) -> TuningReport:
    tuning = tuner(made).create(assessment, request)
    return tuner(made).run(tuning.id, Silent())


def test_the_choice_is_made_on_one_part_and_tried_once_on_the_other(rated: Judged) -> None:
    assessment = rated.create(target="sweep-000")
    plan = tuner(rated).plan(assessment, REQUEST)
    # 20 questions choose, 8 of them as examples: 5 candidates x 12, 3 rewrites, 2 x 20 tests.
    assert (plan.columns, plan.shots, plan.selection, plan.test, plan.asks) == ((COLUMN,), 8, 12, 20, 103)
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
    with pytest.raises(InputError, match=r"2 rated answers.*for selection and 10 for the test"):
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


def test_only_metrics_that_are_grades_of_a_reply_can_be_tuned_and_labels_are_needed(
    rated: Judged, judged: Judged
) -> None:
    for form in GRADE_FORMS:
        [family] = families_of(tuple(form.grades))
        [task] = family.tasks
        assert family.columns == tuple(form.grades)
        members: dict[str, Any] = TypeAdapter(dict[str, Any]).validate_python((task.schema or {})["properties"])
        assert list(members) == [form.reason, *form.grades.values()]
        for member in form.grades.values():
            assert members[member]["enum"] == list(range(form.highest + 1))
    with pytest.raises(InputError, match="Only metrics whose value is a grade"):
        tuner(rated).plan(rated.create("Faithfulness", target="sweep-000"), REQUEST)
    with pytest.raises(InputError, match="0 rated answers"):
        tuner(judged).plan(judged.create(), REQUEST)


ASPECTS = ("Relevance", "Accuracy", "Completeness", "Precision")


def grade_aspects(request: ChatRequest) -> str:
    """Answer n is worth n modulo 3 in relevance and the rest of 2 in accuracy; PaSSER's task sees neither."""
    if request.purpose == REWRITE.name:
        return json.dumps({"a_reason": "Clearer.", "b_instruction": "Grade the four aspects strictly."})
    worth = int(re.findall(r"Fact (\d+),", request.messages[-1].content)[-1]) % 3
    grades = (worth, 2 - worth, 2, 2) if "strictly" in request.messages[0].content else (2 - worth, 1, 2, 2)
    names = ("b_relevance", "c_accuracy", "d_completeness", "e_precision")
    return json.dumps({"a_reason": "So.", **dict(zip(names, grades, strict=True))})


@pytest.fixture
def graded(tmp_path: Path) -> Judged:
    """A run of 40 answers: a person has graded relevance and accuracy of all, and completeness of five."""
    made = Judged(f"sqlite:///{tmp_path / 'graded.sqlite3'}", grade_aspects)
    fill_run(made)
    for key in made.items.keys(("sweep-000",)):
        worth = key.place.number % 3 / 2
        rate(made, key, Relevance=worth, Accuracy=1 - worth)
        if key.place.number < 5:
            rate(made, key, Completeness=1)
    return made


def rate(made: Judged, key: ItemKey, **values: float) -> None:
    labels = [
        Label(item_key=key.key or "", column=column, rater="ana", value=value, at=NOW)
        for column, value in values.items()
    ]
    made.labels.add_labels(labels)


def test_the_aspects_are_one_task_and_tuned_by_those_that_people_have_graded(graded: Judged) -> None:
    request = TuningRequest(column="Accuracy", few_shots=8, instructions=1)
    assessment = graded.create(*ASPECTS, target="sweep-000")
    plan = tuner(graded).plan(assessment, request)
    # No answer has all four grades of an example, and five grades of completeness choose nothing.
    assert (plan.columns, plan.shots, plan.selection, plan.test) == (("Relevance", "Accuracy"), 0, 20, 20)
    assert plan.asks == 2 * 20 + 1 + 2 * 20
    left_out, few = map(str, plan.notes)
    assert left_out.startswith("Too few answers have ratings of Completeness, Precision: at least 10 are needed for")
    assert few.startswith("No question of the selection has an answer with a grade in each of Relevance, Accuracy, ")
    report = tuned_by(graded, assessment, request)
    before, after = report.candidates
    # Relevance is graded in the opposite order (rho -1), accuracy always by 1, which says nothing (0).
    assert (before.rho, after.rho, report.chosen) == (pytest.approx(-0.5), pytest.approx(1), 1)
    assert (before.judged, after.error) == (20, 0)
    [rewrite] = [each for each in graded.judge.asked if each.purpose == REWRITE.name]
    assert "people gave 2 in Relevance, 0 in Accuracy, the judge 0 in Relevance, 1 in Accuracy" in str(rewrite.messages)
    assert report.tuned is not None
    relevance, accuracy = report.tuned.evidence.columns
    assert (relevance.column, relevance.test, accuracy.column, accuracy.test) == ("Relevance", 20, "Accuracy", 20)
    assert (relevance.rho_before, relevance.rho_after) == (pytest.approx(-1), pytest.approx(1))
    assert (accuracy.rho_before, accuracy.rho_after) == (None, pytest.approx(1))
    assert (relevance.error_after, accuracy.error_after) == (0, 0)
    # Of errors 1, 0, 1 and 0.5, 0, 0.5 those of accuracy are half of those of relevance.
    assert accuracy.error_before == pytest.approx((relevance.error_before or 0) / 2)
    # It judges all four, and the questions that chose it calibrate none of them.
    judged = graded.create("Precision", target="sweep-000", tuned=report.tuned)
    graded.run(judged)
    columns = {each.column: each.agreement for each in graded.calibrator.of(judged).columns}
    assert list(columns) == list(ASPECTS)
    found = columns["Accuracy"]
    assert found is not None
    assert (found.n, found.error) == (20, 0)


def test_an_example_of_the_aspects_needs_all_four_grades(graded: Judged) -> None:
    for key in graded.items.keys(("sweep-000",)):
        if key.place.number % 2 == 0:
            rate(graded, key, Completeness=1, Precision=0.5)
    assessment = graded.create(*ASPECTS, target="sweep-000")
    report = tuned_by(graded, assessment, TuningRequest(few_shots=2, instructions=0))
    assert (report.plan.shots, report.plan.selection) == (2, 18)
    assert not any("example" in str(each) for each in report.plan.notes)
    asked = next(each for each in graded.judge.asked if any(said.role == "assistant" for said in each.messages))
    shown = [json.loads(said.content) for said in asked.messages if said.role == "assistant"]
    facts = [int(re.findall(r"Fact (\d+),", said.content)[-1]) for said in asked.messages if said.role == "user"][:2]
    assert [fact % 2 for fact in facts] == [0, 0]
    assert [
        (each["b_relevance"], each["c_accuracy"], each["d_completeness"], each["e_precision"]) for each in shown
    ] == [(fact % 3, 2 - fact % 3, 2, 1) for fact in facts]


@pytest.mark.parametrize(
    ("rhos", "chosen"),
    [
        # The unchanged task gives one value to all; another one contradicts people.
        ((None, -0.4), 0),
        ((None, -0.4, 0.1), 2),
        ((None, None), 1),
        ((-0.9, -0.4), 1),
        ((0.2, None), 0),
    ],
)
def test_a_candidate_that_contradicts_people_is_no_improvement(rhos: tuple[float | None, ...], chosen: int) -> None:
    # Each later candidate has a smaller error.
    tried = [Candidate(instruction="i", shots=0, judged=12, rho=rho, error=0.5 - n / 10) for n, rho in enumerate(rhos)]
    assert best(tried, 12) == chosen


def test_a_split_depends_on_questions_and_seed_only() -> None:
    assert split_of((), columns=(COLUMN,), train=0.5, shots=8, seed=1).test == ()
    [form] = [form for form in GRADE_FORMS if COLUMN in form.grades]
    assert form.reply({COLUMN: 0.7}) == {"a_reason": "A person gave this grade.", "b_grade": 7}
