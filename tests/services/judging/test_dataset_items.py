"""Questions of datasets judged by a model: gold passages as the passages, the reference as the answer."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from passer.domain.dataset import Dataset, GoldPassage, Origin, Question
from passer.domain.models.chat import ChatRequest
from passer.errors import InputError
from passer.services.judging.assessments import AssessmentRequest
from tests.services.judging.made import JUDGE, Judged

RICE = GoldPassage(document="rice.md", quote="Rice flowers in August.")
BEES = GoldPassage(document="bees.md", quote="Bees live in hives.")


def own() -> Dataset:
    """Three questions: one with its answer in the gold passage, one without, one without gold passages."""
    drafted = Origin(model="judge:8b", drafting="d" * 64, way="agentic")
    return Dataset(
        name="own",
        questions=(
            Question(id="a", text="When does rice flower?", reference="In August.", gold_passages=(RICE,)),
            Question(id="b", text="How far do bees fly?", reference="3 km.", gold_passages=(BEES,), origin=drafted),
            Question(id="c", text="When is maize sown?", reference="In May."),
        ),
    )


def answerable(request: ChatRequest) -> str:
    return json.dumps({"a_reason": "Because.", "b_decision": int("August." in request.messages[-1].content)})


@pytest.fixture
def judged(tmp_path: Path) -> Judged:
    made = Judged(f"sqlite:///{tmp_path / 'a.sqlite3'}", answerable)
    made.store.save_dataset(own())
    human = Dataset(name="human", questions=own().questions[:1])
    made.store.save_dataset(human)
    return made


def test_datasets_stand_side_by_side_with_means_and_reasons(judged: Judged) -> None:
    given = {"target": None, "datasets": ("own", "human")}
    plan = judged.assessments.plan(AssessmentRequest(judge=JUDGE, columns=("Answerability",), **given))
    # The first question is in both, and the third has no passages that could be shown.
    assert (plan.items, plan.asks, plan.known) == (3, 2, 0)
    assert any("judge:8b" in str(warning) for warning in plan.warnings)
    assessment_id = judged.create("Answerability", **given)
    judged.run(assessment_id)
    assert len(judged.judge.asked) == 2
    one, other = judged.results.table(assessment_id).cells
    assert (one.run_id, one.questions, one.judged, one.mean, one.reasons) == ("own", 3, 2, 0.5, {"no_passages": 1})
    assert (other.run_id, other.judged, other.mean) == ("human", 1, 1.0)
    found = judged.answers.of_run(assessment_id, "own").questions
    assert [each.scores["Answerability"].value for each in found] == [1.0, 0.0, None]
    assert judged.judgements.assessment(assessment_id).sweep_id is None
    # Nothing is asked twice, also of another assessment.
    again = judged.create("Answerability", **given)
    judged.run(again)
    assert len(judged.judge.asked) == 2


def test_a_judged_version_stays_readable_when_the_dataset_is_deleted_or_replaced(judged: Judged) -> None:
    assessment_id = judged.create("Answerability", target=None, datasets=("own",))
    judged.store.save_dataset(Dataset(name="own", questions=own().questions[2:]))
    judged.store.delete_dataset("own")
    judged.run(assessment_id)
    assert judged.results.table(assessment_id).cells[0].questions == 3


def test_columns_that_need_an_answer_beside_the_reference_are_refused(judged: Judged) -> None:
    with pytest.raises(InputError, match=r"(?s)Answer correctness compares an answer.*Answerability, Stand-alone"):
        judged.create("Answer correctness", target=None, datasets=("own",))
    with pytest.raises(ValueError, match=r"a sweep, a run, datasets \(--dataset\), or retrievers"):
        AssessmentRequest(judge=JUDGE)
