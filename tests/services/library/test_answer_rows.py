"""Rows of answers as programs of others write them: blank ones, texts as JSON, numbers, unseen marks, other names."""

from __future__ import annotations

import pandas as pd
import pytest

from passer.domain.dataset import Dataset, Question
from passer.errors import DatasetError
from tests.services.library.read_answers import FILES, dataset, rows
from tests.services.library.test_answer_files import replies


def test_blank_rows_between_answers_are_left_out() -> None:
    # Python programs on Windows end rows so.
    assert replies("id,answer\r\r\n1,a\r\r\n2,b\r\r\n", "a.csv") == {"a": [], "b": []}


def test_texts_that_a_tool_wrote_as_json_lose_their_quotation_marks() -> None:
    langfuse = {"input": ['{"question": "First?"}', '"Second?"'], "output": ['"a \\"b\\""', '{"content": "c"}']}
    trulens = {"record_id": ["r1", "r2"], "input": ['"First?"', '"Second?"'], "output": ['"a"', '"два"']}
    for found, expected in ((langfuse, ['a "b"', "c"]), (trulens, ["a", "два"])):
        assert list(replies(pd.DataFrame(found).to_csv(), "a.csv")) == expected
    # One answer in quotation marks among others is a quotation.
    plain = {"input": ["First?", "Second?"], "output": ['"a"', "b"]}
    assert list(replies(pd.DataFrame(plain).to_csv(), "a.csv")) == ['"a"', "b"]


def test_a_file_that_cannot_be_read_is_named() -> None:
    with pytest.raises(DatasetError, match=r"^second\.json: The file is not valid JSON"):
        FILES.read(b"[", "second.json", dataset("First?"))


def test_numbers_name_questions_and_unseen_marks_make_no_other_question() -> None:
    asked = Dataset(name="d", questions=(Question(id="é", text="1984", reference="x"),))
    for row in (
        {"question": 1984},
        {"question": 1984.0},
        {"id": "e\u0301"},
        {"id": "\ufeffé"},
        {"question": "1984\u200b"},
    ):
        [reply] = FILES.read(rows({**row, "answer": "a"}), "a.json", asked).replies.values()
        assert reply.answer == "a", row
    # JSON has whole numbers that no float can be.
    [reply] = FILES.read(rows({"id": "é", "answer": 10**400}), "a.json", asked).replies.values()
    assert reply.answer == f"1{400 * '0'}"
    with pytest.raises(DatasetError, match="2 problems"):
        FILES.read(rows({"question": 10**400, "answer": "a"}), "a.json", asked)
    # Ids that only an encoding distinguishes stay two where the dataset has both.
    both = Dataset(
        name="d", questions=tuple(Question(id=id_, text=id_ + "?", reference="x") for id_ in ("é", "e\u0301"))
    )
    read = FILES.read(rows({"id": "e\u0301", "answer": "b"}, {"id": "é", "answer": "a"}), "a.json", both)
    assert {text: reply.answer for text, reply in read.replies.items()} == {"é?": "a", "e\u0301?": "b"}
    # A third spelling may be that of either.
    marked = Dataset(
        name="d", questions=tuple(Question(id=f"a{mark}", text="A?", reference="x") for mark in "\ufeff\u200e")
    )
    with pytest.raises(DatasetError) as refused:
        FILES.read(rows({"id": "a", "answer": "b"}), "a.json", marked)
    assert (refused.value.problems[0].row, refused.value.problems[0].field) == (1, "id")


def test_columns_in_bulgarian_and_a_question_that_is_no_text() -> None:
    table = "Идентификатор;Въпрос;Еталонен отговор;Генериран отговор\n1;First?;x;a\n2;Second?;y;b\n"
    assert list(replies(table, "a.csv")) == ["a", "b"]
    with pytest.raises(DatasetError, match="its columns: Въпрос, Бележка"):
        replies("Въпрос;Бележка\nFirst?;a\n", "a.csv")
    turns = rows({"user_input": [{"type": "human", "content": "First?"}], "response": "a"})
    with pytest.raises(DatasetError) as refused:
        FILES.read(turns, "a.json", dataset("First?"))
    assert refused.value.problems[0].message.startswith("user_input is a list or an object")
