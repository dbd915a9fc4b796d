"""Question files in: what is refused, whole and by row and field. Readers are the real ones."""

from __future__ import annotations

import json
from typing import Any

import pytest

from passer.adapters.recognition import recognised_language
from passer.adapters.tables import table_readers
from passer.adapters.tables.cells import NothingHidden
from passer.errors import DatasetError, InputError, TooLargeError
from passer.ports import TableContent
from passer.services.library.column_mapping import ColumnMapping
from passer.services.library.dataset_import import DatasetImport
from tests.services.library.question_files import load, preview, refusal


@pytest.mark.parametrize(
    ("cells", "field", "said"),
    [
        (',"{""document"": ""a.md""}",', "relevant", "must be a list"),
        (',"[{""document"": ""a.md"", ""grade"": 0}]",', "relevant", "grades from 1 to 10"),
        (',"[""a.md"", ""a.md""]",', "relevant", "a document twice"),
        (',[],"[{""document"": ""a.md"", ""quote"": ""So.""}]"', "relevant", "no document answers the question"),
        ("g" * 201 + ",,", "group", "The group is longer than 200 characters."),
    ],
)
def test_groups_and_relevant_documents_that_are_refused(cells: str, field: str, said: str) -> None:
    error = refusal(f"question,reference,group,relevant,gold_passages\nWhy?,So.,{cells}\n")
    assert [(problem.row, problem.field) for problem in error.problems] == [(1, field)]
    assert said in error.problems[0].message


def test_the_likely_format_of_a_refused_file_is_named_with_what_to_do() -> None:
    langsmith = refusal('inputs,outputs\n"[""Why?""]","[""So.""]"\n')
    assert "those of LangSmith" in langsmith.message
    assert "to a column question" in langsmith.message
    # The right quotation mark of Windows-1252, as Excel's plain CSV has it.
    windows = refusal(b"question,reference\nWhat\x92s mulch?,A cover.\n")
    assert "save it there as “CSV UTF-8”" in windows.message


@pytest.mark.parametrize(
    ("row", "field", "said"),
    [
        ("A?,\"['x', 'y']\"", "reference", "a list of 2 texts"),
        ('A?,"[""x"", ""y""]"', "reference", "a list of 2 texts"),
        ("A?,[]", "reference", "must be text, not a list"),
        ('"[{""role"": ""user"", ""content"": ""A?""}]",x', "question", "must be text, not a list"),
        ("\"[{'role': 'user', 'content': 'A?'}]\",x", "question", "must be text, not a list"),
        ("\"[HumanMessage(content='A?')]\",x", "question", "must be text, not a list"),
        ("A?,#N/A", "reference", "is #N/A, which is not a value"),
        ("A?,<NA>", "reference", "is <NA>, which is not a value"),
        ("?? ????,x", "question", "question marks only"),
        ("question,Reference", None, "repeats the names of the columns"),
    ],
)
def test_a_cell_that_is_no_text_of_a_question_is_refused(row: str, field: str | None, said: str) -> None:
    error = refusal(f"question,reference\nWhy?,So.\n{row}\n")
    assert [(problem.row, problem.field) for problem in error.problems] == [(2, field)]
    assert said in error.problems[0].message


def test_a_first_row_of_data_is_no_header() -> None:
    # Queries of MS MARCO, which have no header.
    queries = "1048578\tcost of endless pools\n1048579\twhat is pcnt\n"
    said = "The first row seems to contain data (1048578) in place of the names of the columns"
    assert said in refusal(queries, "queries.dev.tsv").message
    by_hand = ColumnMapping(columns={"id": "1048578", "question": "What is it?", "reference": "Wheat"})
    notes = preview("1048578,What is it?,Wheat\n1048579,Who?,Ann\n", mapping=by_hand).mapping.notes
    assert any(note.startswith(said) for note in notes), "the first question would be lost without a word"
    assert "contain data" not in refusal("question,reference,2019\nWhat?,That,5\n").message
    frame = "0,1\nWhat?,That\n"
    assert "seems to contain data" not in refusal(frame).message, "a data frame without names"


def test_titles_above_the_header_are_named_with_its_row() -> None:
    error = refusal("Survey of 2024;;\n;;\nid;question;answer\n1;Why?;So.\n")
    assert [(problem.row, problem.field) for problem in error.problems] == [(2, None)]
    assert "(id, question, answer). Delete the rows above it" in error.message


def test_unknown_columns_are_refused_with_a_suggestion() -> None:
    error = refusal("question,referense,mood\nWhy?,So.,glad\n")
    messages = {problem.field: problem.message for problem in error.problems}
    assert "did you mean “reference”?" in messages["referense"]
    assert "meant" not in messages["mood"]
    assert "No column contains the reference" in messages["reference"]
    assert load("question,reference,mood\nWhy?,So.,glad\n", ignore_columns=["mood"]).questions[0].text == "Why?"


def test_two_columns_of_one_meaning_are_refused() -> None:
    error = refusal("question,query,reference\nA?,B?,x\n")
    assert "The columns question, query all mean question" in error.message
    chosen = load("question,query,reference\nA?,B?,x\n", ignore_columns=["question"])
    assert chosen.questions[0].text == "B?"


def test_a_mapping_that_does_not_fit_is_refused() -> None:
    error = refusal("question,reference\nA?,x\n", mapping=ColumnMapping(columns={"reference": "gone", "topic": "x"}))
    assert {problem.field for problem in error.problems} >= {"gone", "topic"}


def test_every_bad_row_is_named_and_nothing_is_taken() -> None:
    error = refusal(
        "id,question,reference,gold_passages\n"
        "a,A?,x,\n"
        "b,,x,\n"
        "a,C?,x,\n"
        "\n"
        "d,D?,NaN,\n"
        ",E?,x,\n"
        'f,F?,x,"[{""document"": ""d""}]"\n'
        "g,G?,x,not json\n"
        "h,H?,x,,more\n"
    )
    assert [(problem.row, problem.field) for problem in error.problems] == [
        (2, "question"),
        (3, "id"),
        (5, "reference"),
        (6, "id"),
        (7, "gold_passages"),
        (8, "gold_passages"),
        (9, None),
    ]
    assert "is already used in row 1" in error.problems[1].message
    assert error.message.startswith("q.csv was not imported because of 7 problems (all are listed), the first: row 2:")


def test_one_bad_row_is_one_sentence() -> None:
    error = refusal("question,reference\nA?,x\n  ,y\n")
    assert error.message == "q.csv was not imported: row 2: The question is blank. Write it or delete the row."


def test_of_many_problems_50_are_listed_and_all_are_counted() -> None:
    content = "question,reference\n" + " ,x\n" * 73
    error = refusal(content)
    assert len(error.problems) == 50
    assert "73 problems (the first 50 are listed)" in error.message
    shown = preview(content)
    assert (len(shown.problems), shown.counts.problems, shown.counts.rows) == (50, 73, 73)


@pytest.mark.parametrize("value", ["NaN", "Infinity", "-Infinity", "1e999"])
def test_json_numbers_that_are_none(value: str) -> None:
    error = refusal(f'[{{"question": "A?", "reference": "x"}}, {{"question": "B?", "reference": {value}}}]', "q.json")
    assert [(problem.row, problem.field) for problem in error.problems] == [(2, "reference")]
    assert "which is not a value" in error.message


@pytest.mark.parametrize("value", ["true", "[1]", '{"a": 1}', '"a\\u0000b"', '"\\ud800"'])
def test_json_values_that_are_no_text(value: str) -> None:
    error = refusal(f'[{{"question": {value}, "reference": "x"}}]', "q.json")
    assert [(problem.row, problem.field) for problem in error.problems] == [(1, "question")]


def test_languages_that_cannot_be() -> None:
    assert "contains several languages: bg, en" in refusal("question,reference,language\nA?,x,bg\nB?,y,en\n").message
    assert "is not a language tag" in refusal("question,reference\nA?,x\n", language="not one").message


def test_a_file_beyond_the_limit_is_refused_before_it_is_parsed() -> None:
    class Unread(NothingHidden):
        suffixes = (".csv",)

        def read(self, content: TableContent) -> list[dict[str, Any]]:
            raise AssertionError("must not be read")

    with pytest.raises(TooLargeError, match=r"the limit is 0\.0 MB"):
        DatasetImport([Unread()], recognised_language, max_bytes=10).load(b"question,answer\n", "q.csv", name="x")
    assert DatasetImport(table_readers(), recognised_language, max_bytes=27).load(
        b"question,reference\nA?,x\n", "q.csv", name="x"
    )


def test_files_that_hold_nothing_or_are_of_another_kind() -> None:
    assert refusal(b"").message == "q.csv: The file is empty. Add at least one question."
    assert "contains no question" in refusal("question,reference\n").message
    assert "contains no question" in refusal("[]", "q.json").message
    for name, said in (("q.pdf", "files like q.pdf. Use one of .json, .jsonl"), ("questions", "without a suffix")):
        with pytest.raises(InputError, match=said):
            load("x", name)
    assert refusal(b"question,caf\xe9\n").message.startswith("q.csv: The file is not UTF-8")


@pytest.mark.parametrize("name", ["", "   ", "x" * 101])
def test_a_dataset_needs_a_name(name: str) -> None:
    with pytest.raises(InputError, match="name must have 1 to 100 characters"):
        load("question,reference\nA?,x\n", name=name)


BAD = "id,question,reference\na,Why?,So.\nb,,So.\nc,Who?,\na,Where?,There.\nd,When?,Now.\n"


def test_bad_rows_are_skipped_only_when_asked_for() -> None:
    shown = preview(BAD)
    # Row 2 is blank, row 4 repeats an id.
    assert (shown.counts.rows, shown.counts.questions, shown.counts.problems, shown.counts.skippable) == (5, 3, 2, 2)
    assert (shown.counts.with_reference, [problem.row for problem in shown.problems]) == (2, [2, 4])
    assert [problem.row for problem in refusal(BAD).problems] == [2, 4]
    taken = load(BAD, skip_bad_rows=True)
    assert [(question.id, question.reference) for question in taken.questions] == [
        ("a", "So."),
        ("c", ""),
        ("d", "Now."),
    ]


@pytest.mark.parametrize(
    "content",
    [
        "question,reference\n,So.\n,There.\n",
        "question,reference,language\nWhy?,So.,en\nЗащо?,Така.,bg\n,x,en\n",
        "remarks\nNothing to ask\n",
    ],
    ids=["no valid row", "two languages", "no column with questions"],
)
def test_a_problem_of_the_whole_file_cannot_be_skipped(content: str) -> None:
    assert preview(content).counts.skippable == 0
    with pytest.raises(DatasetError):
        load(content, skip_bad_rows=True)


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (["So.", "Thus."], "The reference is a list of 2 texts, but a question has one. If each of them "),
        ({"text": "So."}, "The reference must be text, not"),
        ([["So."]], "The reference must be text, not"),
        (True, "The reference must be text, not"),
    ],
)
def test_references_that_are_not_one_text_are_refused(value: object, said: str) -> None:
    error = refusal(json.dumps([{"question": "Why?", "reference": value}]), "q.json")
    assert [(problem.row, problem.field) for problem in error.problems] == [(1, "reference")]
    assert error.problems[0].message.startswith(said)


def test_questions_with_far_more_fields_than_questions_have_are_refused() -> None:
    # No row has many: it is all rows together that have.
    rows = [{"question": "Why?", "reference": "So.", f"c{number}": 1} for number in range(999)]
    content = "\n".join(map(json.dumps, rows)).encode()
    with pytest.raises(DatasetError, match="1\u202f001 columns"):
        DatasetImport(table_readers(), recognised_language).load(content, "wide.jsonl", name="wide")
