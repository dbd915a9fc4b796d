"""Files of answers whose rows could be matched with the wrong question."""

from __future__ import annotations

import json

import pytest

from passer.adapters.tables import table_readers
from passer.domain.dataset import Dataset, Question
from passer.errors import DatasetError
from passer.services.library.answer_files import AnswerFiles

FILES = AnswerFiles(table_readers())


def dataset(*texts: str) -> Dataset:
    questions = tuple(Question(id=str(number), text=text, reference="x") for number, text in enumerate(texts, 1))
    return Dataset(name="d", questions=questions)


def rows(*given: dict[str, str]) -> bytes:
    return json.dumps(given).encode()


def test_an_id_that_contradicts_the_question_is_refused() -> None:
    # The ids of many tools are row numbers: in another order they belong to other questions.
    content = rows(
        {"id": "1", "question": "Second?", "answer": "b"},
        {"id": "2", "question": "First?", "answer": "a"},
    )
    with pytest.raises(DatasetError) as caught:
        FILES.read(content, "answers.json", dataset("First?", "Second?"))
    [first, second, *_] = caught.value.problems
    assert (first.row, first.field, second.row) == (1, "id", 2)
    assert first.message == "id names the question 1, but question is the text of the question 2"


def test_an_id_decides_where_the_text_is_that_of_no_other_question() -> None:
    content = rows({"id": "1", "question": "The first one?", "answer": "a"}, {"id": "2", "answer": "b"})
    read = FILES.read(content, "answers.json", dataset("First?", "Second?"))
    assert {text: reply.answer for text, reply in read.replies.items()} == {"First?": "a", "Second?": "b"}


def test_equal_questions_need_equal_answers() -> None:
    asked = dataset("Same?", "Same?")
    same = rows({"id": "1", "answer": "a"}, {"id": "2", "answer": "a"})
    assert FILES.read(same, "answers.json", asked).replies["Same?"].answer == "a"
    with pytest.raises(DatasetError) as caught:
        FILES.read(rows({"id": "1", "answer": "a"}, {"id": "2", "answer": "b"}), "answers.json", asked)
    [problem] = caught.value.problems
    assert (problem.row, problem.field) == (2, "id")
    assert problem.message.startswith("the question 2 has the text of another question, but another answer")
