"""Files whose questions are added to a dataset: old and new rows make the new version, repeated ones are refused."""

from __future__ import annotations

import pytest

from passer.domain.dataset import Dataset
from tests.services.library.question_files import load, preview, refusal

BASE = load("question,answer\nWhat is mulch?,A cover.\nWho farms?,Farmers.\n")


def test_new_questions_follow_those_of_the_dataset_with_ids_of_their_own() -> None:
    made = load("question,answer\nWhat is compost?,Rotted plants.\n\nWhat is hay?,Dried grass.\n", base=BASE)
    assert made.questions[:2] == BASE.questions
    assert [(each.id, each.text) for each in made.questions[2:]] == [
        ("q-0003", "What is compost?"),
        ("q-0005", "What is hay?"),
    ]
    assert made.language == BASE.language
    notes = preview("question,answer\nWhat is hay?,Dried grass.\n", base=BASE).mapping.notes
    assert "The 2 questions of the newest version are kept. Those of the file are added." in notes
    assert any("(q-0003, ...)" in each for each in notes)


@pytest.mark.parametrize(
    ("row", "field", "said"),
    [
        ("n-1,  WHAT is\u00a0mulch? ,Straw.", "question", "already has this question (id q-0001)"),
        ("q-0002,What is hay?,Dried grass.", "id", "already has a question with the id “q-0002”"),
    ],
)
def test_a_question_of_the_dataset_is_refused_with_its_row_and_can_be_skipped(row: str, field: str, said: str) -> None:
    file = f"id,question,answer\nn-0,What is compost?,Rotted plants.\n{row}\n"
    error = refusal(file, base=BASE)
    assert [(problem.row, problem.field) for problem in error.problems] == [(2, field)]
    assert said in error.problems[0].message
    assert [each.id for each in load(file, base=BASE, skip_bad_rows=True).questions] == ["q-0001", "q-0002", "n-0"]


def test_the_language_is_that_of_the_dataset() -> None:
    bulgarian = Dataset(name="farm", language="bg", questions=BASE.questions)
    assert load("question,answer\nКакво е мулч?,Покривка.\n", base=bulgarian).language == "bg"
    for file, language in (
        ("question,answer,language\nWas ist Heu?,Gras.,de\n", None),
        ("question,answer\nA?,B.\n", "de"),
    ):
        error = refusal(file, base=bulgarian, language=language, skip_bad_rows=True)
        assert "The language of the file is de, and that of the dataset is bg." in error.message
