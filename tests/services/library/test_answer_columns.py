"""Answers in columns that people name or in objects by id, and what is to be known of their texts."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest
from openpyxl import Workbook

from passer.domain.dataset import Dataset, Question
from passer.domain.wording.sentence import code_of
from passer.errors import DatasetError, InputError
from tests.services.library.read_answers import FILES, dataset, rows


def test_columns_that_are_not_found_are_named() -> None:
    table = b"Domanda,answer,Risposta\nFirst?,the reference,a\n"
    columns = {"question": "Domanda", "answer": "Risposta"}
    read = FILES.read(table, "a.csv", dataset("First?"), columns=columns)
    assert {text: reply.answer for text, reply in read.replies.items()} == {"First?": "a"}
    with pytest.raises(DatasetError, match="The file has no column “Domande”"):
        FILES.read(table, "a.csv", dataset("First?"), columns={"question": "Domande"})
    with pytest.raises(InputError, match="Choose one of id, question, answer, passages"):
        FILES.read(table, "a.csv", dataset("First?"), columns={"domanda": "Domanda"})


@pytest.mark.parametrize("column", ["answer", "output"])
def test_of_two_columns_that_may_hold_the_answers_the_chosen_one_does(column: str) -> None:
    table = b"id,answer,output\n1,of answer,of output\n"
    read = FILES.read(table, "a.csv", dataset("First?"), columns={"answer": column})
    assert read.replies["First?"].answer == f"of {column}"


def test_two_columns_of_one_meaning_are_refused_and_further_passages_are_named() -> None:
    with pytest.raises(DatasetError, match="The columns Antwort, Answer all mean answer") as refused:
        FILES.read(b"id,Antwort,Answer\n1,a,b\n", "a.csv", dataset("First?"))
    assert refused.value.field == "Answer"
    read = FILES.read(b"id,answer,Kontext,context\n1,a,first,second\n", "a.csv", dataset("First?"))
    assert [each.text for each in read.replies["First?"].passages] == ["first"]
    assert [str(note) for note in read.notes] == [
        "The passages are those of the column Kontext. The column context was not used."
    ]
    deepeval = rows({"input": "First?", "actual_output": "a", "retrieval_context": ["p"], "context": ["gold"]})
    assert FILES.read(deepeval, "a.json", dataset("First?")).notes == ()


def test_lists_that_may_be_passages_are_named_where_no_passages_are_known() -> None:
    content = rows({"id": "1", "answer": "a", "Quellen": ["p"], "golden_answers": ["x"], "cost": 1})
    read = FILES.read(content, "a.json", dataset("First?"))
    assert [str(note) for note in read.notes] == [
        "No column of passages is known. The column Quellen has lists and was not read: "
        "if these are passages, choose the column as passages."
    ]
    read = FILES.read(content, "a.json", dataset("First?"), columns={"passages": "Quellen"})
    assert ([each.text for each in read.replies["First?"].passages], read.notes) == (["p"], ())


def test_a_header_below_a_title_or_on_another_worksheet_is_named() -> None:
    book = Workbook()
    for row in (["Evaluation"], [], ["No.", "Question", "Answer"], [1, "First?", "a"]):
        book.active.append(row)
    book.create_sheet("More").append(["Question", "Answer"])
    content = io.BytesIO()
    book.save(content)
    with pytest.raises(DatasetError, match="no column with the questions") as refused:
        FILES.read(content.getvalue(), "a.xlsx", dataset("First?"))
    below, other = refused.value.problems
    assert (below.row, "(No., Question, Answer). Delete the rows above" in below.message) == (2, True)
    assert "not More" in other.message
    with pytest.raises(DatasetError) as refused:
        FILES.read(rows({"question": None, "answer": "a"}), "a.json", dataset("First?"))
    assert "question is “”" in refused.value.problems[0].message


@pytest.mark.parametrize(
    ("content", "answers"),
    [
        # Written by evaluate-v2.0.py's users and by hotpot_evaluate_v1.py's: by the ids of the questions.
        ({"1": "Denver", "2": ""}, ["Denver", ""]),
        ({"answer": {"2": "no", "1": "yes"}, "sp": {"2": [["Title", 0]], "1": []}}, ["yes", "no"]),
    ],
)
def test_predictions_by_id_are_answers(content: dict[str, Any], answers: list[str]) -> None:
    asked = dataset("First?", "Second?")
    of_hex = asked.model_copy(
        update={"questions": tuple(each.model_copy(update={"id": f"5a{each.id}"}) for each in asked.questions)}
    )
    written = json.dumps(content).replace('"1"', '"5a1"').replace('"2"', '"5a2"').encode()
    read = FILES.read(written, "predictions.json", of_hex)
    assert [read.replies[each.text].answer for each in asked.questions] == answers
    with pytest.raises(DatasetError) as refused:
        FILES.read(written, "predictions.json", asked)
    assert "which names no question of the dataset" in refused.value.problems[0].message


@pytest.mark.parametrize("row", [{"id": "1", "answer": "a"}, {"question": "First?", "answer": "a"}])
def test_one_row_that_is_no_list_is_not_read_as_predictions(row: dict[str, str]) -> None:
    with pytest.raises(DatasetError, match="must contain a list of objects"):
        FILES.read(json.dumps(row).encode(), "answers.json", dataset("First?"))


def test_answers_that_may_be_none_and_other_spellings_are_named_with_their_rows() -> None:
    asked = Dataset(
        name="d",
        questions=(
            Question(id="1", text="First?", reference="none"),
            Question(id="2", text="Second?", reference="3 years"),
            Question(id="3", text="Third?", reference="٣ سنوات"),
        ),
    )
    same = rows({"id": 1, "answer": "None"}, {"id": 2, "answer": "3 years"}, {"id": 3, "answer": "٤ سنوات"})
    assert FILES.read(same, "a.json", asked).notes == ()
    other = rows({"id": 3, "answer": "سَنوات"}, {"id": 1, "answer": "null"}, {"id": 2, "answer": "٣ years"})
    notes = FILES.read(other, "a.json", asked).notes
    assert [code_of(each) for each in notes] == [
        "answers.maybe-empty",
        "spelling.vowel-marks-of-answer",
        "spelling.digits-of-answer",
    ]
    assert str(notes[0]).startswith("The answer of 1 row is null (row 2), which programs write")
    assert "(the first: row 3, “٣”), and the reference does not." in notes[2]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("a.csv.gz", "a.csv.gz is compressed. Unpack it"),
        ("a.ods", "Save it as .xlsx in the program that wrote it"),
        ("a.XLS", "Save it as .xlsx in the program that wrote it"),
        ("a.bin", "cannot read files like a.bin. Use one of .json"),
    ],
)
def test_a_file_of_another_format_is_refused_with_what_to_do(name: str, said: str) -> None:
    with pytest.raises(InputError, match=said) as refused:
        FILES.read(b"x", name, dataset("First?"))
    assert refused.value.field == "file"
