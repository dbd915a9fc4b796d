"""Tables as programs of others write them: row numbers, stated separators, captions, other formats under the name."""

from __future__ import annotations

import gzip
import io
import json
from typing import Any

import pandas as pd
import pytest

from passer.adapters.tables.csv import CsvReader, CsvWriter
from passer.adapters.tables.json import JsonLinesReader, JsonReader
from passer.adapters.tables.xlsx import XlsxReader
from passer.errors import DatasetError
from tests.adapters.tables.test_readers import parquet_file, workbook

FRAME = pd.DataFrame({"question": ["A?", "B?", "C?"], "reference": ["x", "y", "z"]})
ROWS = FRAME.to_dict("records")


def refused(reader: Any, content: bytes) -> DatasetError:
    with pytest.raises(DatasetError) as caught:
        reader.read(content)
    return caught.value


def test_row_numbers_of_a_data_frame_are_no_column() -> None:
    assert CsvReader().read(FRAME.to_csv().encode()) == ROWS
    assert CsvReader().read(FRAME.sample(frac=1, random_state=2).sort_values("reference").to_csv().encode()) == ROWS
    # Read again and written again, pandas gives the column a name.
    again = pd.read_csv(io.BytesIO(FRAME.to_csv().encode())).to_csv(index=False).encode()
    assert again.startswith(b"Unnamed: 0,")
    assert CsvReader().read(again) == ROWS
    # As R's write.csv.
    assert CsvReader().read(b'"","question"\n"1","A?"\n"3","B?"\n') == [{"question": "A?"}, {"question": "B?"}]
    stream = io.BytesIO()
    FRAME.to_excel(stream)
    assert XlsxReader().read(stream.getvalue()) == ROWS


@pytest.mark.parametrize("cells", ["7,A?\n7,B?", "a,A?\nb,B?", ",A?\n1,B?"])
def test_a_column_without_a_name_that_does_not_number_the_rows_is_kept(cells: str) -> None:
    rows = CsvReader().read(f",question\n{cells}\n".encode())
    assert any("" in row for row in rows)


@pytest.mark.parametrize(
    "text",
    [
        "sep=;\r\nquestion;reference\r\nA?;x, y\r\n",
        "\ufeffquestion|reference\nA?|x, y\n",
        "\n\nquestion;reference\nA?;x, y\n",
    ],
)
def test_separators_that_are_stated_or_seldom_and_blank_lines_above_the_header(text: str) -> None:
    assert CsvReader().read(text.encode()) == [{"question": "A?", "reference": "x, y"}]


def test_a_formula_that_protects_zeros_is_its_text() -> None:
    assert CsvReader().read(b'id,reference\n"=""007""",x\n"=""a""""b""",=1+2\n') == [
        {"id": "007", "reference": "x"},
        {"id": 'a"b', "reference": "=1+2"},
    ]
    stream = io.BytesIO()
    CsvWriter().write(stream, ["a"], [{"a": '="007"'}])
    assert CsvReader().read(stream.getvalue()) == [{"a": '="007"'}]


def test_lines_of_one_cell_are_refused_because_they_are_parts_of_a_text() -> None:
    error = refused(CsvReader(), b"question;reference\nA?;First line\nsecond line\nB?;x\n\nC?;\n")
    assert [(each.row, each.field) for each in error.problems] == [(2, "question")]
    assert "Put text that contains line breaks in quotes" in error.problems[0].message
    assert CsvReader().read(b"question\nA?\nB?\n") == [{"question": "A?"}, {"question": "B?"}]
    assert len(CsvReader().read(b"question;;\nA?\nB?\n")) == 2


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (workbook(["question"], ["A?"]), ".xlsx, .docx, .epub, .odt, .zip"),
        # Its time would be in the name of the test, which must be the same in all processes that collect tests.
        (gzip.compress(b"question\nA?\n", mtime=0), ".gz"),
        (parquet_file(question=["A?"]), ".parquet"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", ".xls, .doc"),
        ("въпрос;отговор\nА?;x\n".encode("utf-16-le"), "UTF-16 without a byte-order mark"),
        ("question;reference\nA?;x\n".encode("utf-16-be"), "UTF-16 without a byte-order mark"),
        (b"question\nA\0\0b\0\0?\n", "binary data"),
    ],
)
def test_a_file_of_another_format_is_refused_by_what_it_is(content: bytes, said: str) -> None:
    assert said in refused(CsvReader(), content).message


def test_a_text_with_the_name_of_a_workbook_and_empty_rows_above_the_header() -> None:
    assert "name it .csv" in refused(XlsxReader(), b"question,reference\nA?,x\n").message
    assert ".parquet" in refused(XlsxReader(), parquet_file(question=["A?"])).message
    assert "damaged" in refused(XlsxReader(), b"PK\x03\x04 and then nothing").message
    assert "Delete the rows above" in refused(XlsxReader(), workbook([], ["question"], ["A?"])).message


def test_data_frames_in_json_by_columns_or_rows_whatever_their_row_numbers() -> None:
    part = FRAME[FRAME.question != "A?"]
    assert JsonReader().read(part.to_json().encode()) == ROWS[1:]
    assert JsonReader().read(part.to_json(orient="index").encode()) == ROWS[1:]


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ({"version": "v2.0", "data": [{"paragraphs": []}]}, "lists of objects at data:"),
        ({"runs": {"version": 3, "results": [{"vars": {}}]}}, "lists of objects at runs.results:"),
        ({"a": [1], "b": {"c": {"d": {"e": {"f": [{}]}}}}}, "In pandas"),
    ],
)
def test_the_lists_of_an_object_are_named(value: object, said: str) -> None:
    assert said in refused(JsonReader(), json.dumps(value).encode()).message


def test_the_rule_of_a_table_in_markdown_is_no_row() -> None:
    content = b"| question | answer |\n|:---|---:|\n| A? | --- |\n"
    assert CsvReader().read(content) == [{}, {"question": " A? ", "answer": " --- "}]
    assert CsvReader().read(b"question,answer\n---,----\n") == [{"question": "---", "answer": "----"}]


def test_exports_of_promptfoo_deepeval_and_llamaindex_are_read_as_they_are() -> None:
    for value in (
        {"evalId": "e", "results": {"version": 3, "prompts": [{"raw": "p"}], "results": [{"vars": {"q": 1}}]}},
        {"testCases": [{"vars": {"q": 1}}], "conversationalTestCases": [], "metricsScores": [{"metric": "m"}]},
    ):
        assert JsonReader().read(json.dumps(value).encode()) == [{"vars": {"q": 1}}]
    own = {"questions": [{"question": "A?"}], "results": {"results": [{"vars": {"q": 1}}]}}
    assert JsonReader().read(json.dumps(own).encode()) == [{"question": "A?"}]
    pairs = {"queries": {"q0": "A?"}, "corpus": {"d0": "x", "d1": "y"}, "relevant_docs": {"q0": ["d1"]}, "mode": "text"}
    assert JsonReader().read(json.dumps(pairs).encode()) == [{"query_id": "q0", "query": "A?", "contexts": ["y"]}]


def test_marks_that_nobody_sees_are_no_part_of_a_name() -> None:
    content = "\ufeff\ufeffquestion,reference\u200b,\u200fgroup\u00a0\nA?,x,g\n".encode()
    assert CsvReader().read(content) == [{"question": "A?", "reference": "x", "group": "g"}]


def test_columns_as_lists_in_json() -> None:
    assert JsonReader().read(FRAME.to_json(orient="columns").encode()) == ROWS
    assert JsonReader().read(json.dumps(FRAME.to_dict("list")).encode()) == ROWS
    refused(JsonReader(), b'{"question": ["A?"], "reference": ["x", "y"]}')


def test_a_data_frame_as_names_and_rows() -> None:
    assert JsonReader().read(FRAME.to_json(orient="split").encode()) == ROWS
    assert JsonReader().read(FRAME.to_json(orient="split", index=False).encode()) == ROWS


@pytest.mark.parametrize(
    ("columns", "data"),
    [
        (["question", "reference"], [["A?"]]),
        (["question", "question"], [["A?", "x"]]),
        ([["question", "en"]], [["A?"]]),
        ([0], [["A?"]]),
        (["question"], ["A"]),
        (["question"], [1]),
        (["question"], None),
        (None, []),
    ],
)
def test_names_and_rows_that_do_not_fit_are_refused(columns: object, data: object) -> None:
    refused(JsonReader(), json.dumps({"columns": columns, "data": data}).encode())


def test_json_over_several_lines_is_no_json_lines() -> None:
    for text in (json.dumps(ROWS, indent=1), json.dumps(ROWS), json.dumps(ROWS[0], indent=1)):
        assert "Name it .json" in refused(JsonLinesReader(), text.encode()).message


def test_a_carriage_return_in_a_cell_begins_no_row() -> None:
    """pandas writes it without quotation marks under Python before 3.13."""
    frame = pd.DataFrame({"id": ["1", "2"], "question": ["A?\rand why?", "B?"], "answer": ["x\r", "y\rz"]})
    for end in ("\n", "\r\n"):
        text = "id,question,answer" + end + "1,A?\rand why?,x\r" + end + "2,B?,y\rz" + end
        rows = CsvReader().read(text.encode())
        assert [(row["id"], row["question"]) for row in rows] == [("1", "A?\rand why?"), ("2", "B?")]
        assert [row["answer"].strip() for row in rows] == ["x", "y\rz"]
    assert CsvReader().read(frame.to_csv(index=False).encode())[1] == {"id": "2", "question": "B?", "answer": "y\rz"}
    # The Macintosh format of Excel ends rows with it, and lines within cells with a line feed.
    assert CsvReader().read(b'question,answer\r"A\nB?",x\rC?,y\r') == [
        {"question": "A\nB?", "answer": "x"},
        {"question": "C?", "answer": "y"},
    ]


@pytest.mark.parametrize("rows", ["1,A?\r2,B?\r", '"1","A?"\r"2","B?"\r\n'])
def test_carriage_returns_end_the_rows_below_a_header_with_another_end(rows: str) -> None:
    for end in ("\n", "\r\n", "\n\n"):
        found = [row for row in CsvReader().read(f"id,question{end}{rows}".encode()) if row]
        assert found == [{"id": "1", "question": "A?"}, {"id": "2", "question": "B?"}]


def test_a_wrong_row_is_named_by_the_line_where_it_begins() -> None:
    # The quotation mark is missing in line 3; the file ends in line 5.
    with pytest.raises(DatasetError, match="Line 3 of the file is not valid CSV"):
        CsvReader().read(b'question,answer\nA?,x\nB?,"y\nC?,z\nD?,z\n')


def test_one_zero_byte_is_no_utf_16() -> None:
    with pytest.raises(DatasetError, match="contains binary data"):
        CsvReader().read(b"question,answer\nA\0?,xyz\n")
    with pytest.raises(DatasetError, match="UTF-16 without"):
        CsvReader().read("вопрос,отговор\nЩо?,да\n".encode("utf-16-le"))
    with pytest.raises(DatasetError, match="UTF-16 without"):
        JsonReader().read('[{"question": "A?"}]'.encode("utf-16-le"))


@pytest.mark.parametrize(
    ("reader", "content", "said"),
    [
        (JsonReader(), b'[{"\\ud800": 1}]', "the name “?” contains a NUL or half a surrogate pair"),
        (JsonReader(), b'[{"a\\u0000": 1}]', "the name “a” contains a NUL or half a surrogate pair"),
        (JsonReader(), b'[{"a": ' + b"[" * 900 + b"]" * 900 + b"}]", "nested too deeply"),
        (CsvReader(), b"sep=;\n", "must contain the column names"),
    ],
)
def test_what_no_process_or_database_can_hold_is_refused_by_the_reader(reader: Any, content: bytes, said: str) -> None:
    assert said in refused(reader, content).message


@pytest.mark.timeout(60)
@pytest.mark.parametrize("cell", ["-" * 200 + "x", "---:" * 100 + "x", ":" + "-" * 200 + " " * 200 + "x"])
def test_a_row_that_begins_like_a_rule_is_a_row(cell: str) -> None:
    assert CsvReader().read(f"question|reference\n{cell}|b\n".encode()) == [{"question": cell, "reference": "b"}]
