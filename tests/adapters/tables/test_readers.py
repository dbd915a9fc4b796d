"""Real files of every kind, made here by the libraries that others make them with."""

from __future__ import annotations

import io
import re
import zipfile
from pathlib import Path
from typing import Any

import openpyxl
import pyarrow
import pytest
from pyarrow import parquet

from passer.adapters.tables import table_readers
from passer.adapters.tables.csv import CsvReader, CsvWriter
from passer.adapters.tables.json import JsonLinesReader, JsonReader
from passer.adapters.tables.parquet import ParquetReader
from passer.adapters.tables.xlsx import XlsxReader
from passer.errors import DatasetError, TooLargeError
from tests.conftest import ROOT


def workbook(*rows: list[Any]) -> bytes:
    book, stream = openpyxl.Workbook(), io.BytesIO()
    for row in rows:
        book.active.append(row)
    book.save(stream)
    return stream.getvalue()


def parquet_file(**columns: list[Any]) -> bytes:
    stream = io.BytesIO()
    parquet.write_table(pyarrow.table(columns), stream)
    return stream.getvalue()


def test_every_suffix_has_one_reader() -> None:
    suffixes = [suffix for reader in table_readers() for suffix in reader.suffixes]
    assert len(set(suffixes)) == len(suffixes)
    assert {".csv", ".json", ".jsonl", ".ndjson", ".parquet", ".tsv", ".xlsx"} <= set(suffixes)


def test_every_format_of_question_files_is_named_where_people_choose_a_file() -> None:
    for path in ("README.md", "passer/cli/datasets.py", "frontend/src/components/material/AddQuestions.tsx"):
        text = (ROOT / path).read_text(encoding="utf-8")
        [listed] = re.findall(r"\bJSON, JSONL,[^.)\n]*", text)
        named = {name.lower() for name in re.findall(r"[A-Za-z]+", listed)}
        missing = [reader.suffixes[0] for reader in table_readers() if not {s[1:] for s in reader.suffixes} & named]
        assert missing == [], f"{path} does not name it"


def test_every_reader_reads_a_file_where_it_lies(tmp_path: Path) -> None:
    rows = [{"question": "A?"}]
    contents = {
        ".json": b'[{"question": "A?"}]',
        ".jsonl": b'{"question": "A?"}',
        ".csv": b"question\nA?\n",
        ".xlsx": workbook(["question"], ["A?"]),
        ".parquet": parquet_file(question=["A?"]),
    }
    for reader in table_readers():
        content = contents[reader.suffixes[0]]
        (path := tmp_path / "any").write_bytes(content)
        assert reader.read(path) == reader.read(content) == rows


def test_json_list_and_object() -> None:
    assert JsonReader().read(b'[{"a": 1}, {"b": null}]') == [{"a": 1}, {"b": None}]
    content = b'{"language": "bg", "note": "x", "questions": [{"a": 1}, {"a": 2, "language": "en"}]}'
    assert JsonReader().read(content) == [{"a": 1, "language": "bg"}, {"a": 2, "language": "en"}]


def test_json_lines_keep_their_numbers_over_blank_lines() -> None:
    assert JsonLinesReader().read('{"a": "\u2028"}\n\n{"a": 2}\n'.encode()) == [{"a": "\u2028"}, {}, {"a": 2}]


@pytest.mark.parametrize("mark", ["utf-16-le", "utf-16-be"])
def test_utf16_with_a_mark(mark: str) -> None:
    content = "\ufeffвъпрос\tотговор\r\nß\t1,5\r\n".encode(mark)
    assert CsvReader().read(content) == [{"въпрос": "ß", "отговор": "1,5"}]


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_utf8_with_and_without_mark(mark: bytes) -> None:
    assert JsonReader().read(mark + '[{"въпрос": "ß"}]'.encode()) == [{"въпрос": "ß"}]
    assert CsvReader().read(mark + "въпрос\nß\n".encode()) == [{"въпрос": "ß"}]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"a,b\n1,caf\xe9\n", r"not UTF-8 \(line 2 contains the byte 0xE9\)"),
        ("a,b\n1,é\n".encode("utf-16")[:-1], "begins with the mark of UTF-16 but is not valid UTF-16"),
        (b"", "empty"),
        (b"\xef\xbb\xbf \n", "empty"),
        (b"a\0b", "binary data"),
        ("question,reference\n量は？,十".encode("iso2022_jp"), "line 2 contains the byte 0x1B"),
    ],
)
def test_text_that_is_none_is_refused_in_one_sentence(content: bytes, message: str) -> None:
    for reader in (CsvReader(), JsonReader(), JsonLinesReader()):
        with pytest.raises(DatasetError, match=message):
            reader.read(content)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b'[{"a": 1},]', r"line 1, column 1[01]"),
        (b'{"a": 1}\n{"a": 2}', r"Name it \.jsonl"),
        (b'{"rows": []}', 'a list "questions"'),
        (b'"text"', "must contain a list of objects"),
        (b'[{"a": 1, "a": 2}]', "contains the name “a” twice"),
        (b"[" * 100_000, "nested too deeply"),
        (b"[" + b"9" * 5000 + b"]", "a number has too many digits"),
    ],
)
def test_json_that_is_none_is_refused(content: bytes, message: str) -> None:
    with pytest.raises(DatasetError, match=message):
        JsonReader().read(content)


def test_every_row_that_is_no_object_is_named() -> None:
    with pytest.raises(DatasetError) as caught:
        JsonReader().read(b'[{"a": 1}, 3, {"a": 2}, "x"]')
    assert [(problem.row, problem.message) for problem in caught.value.problems] == [
        (2, "This row is a number, not an object with named fields. Write one object for each row."),
        (4, "This row is text, not an object with named fields. Write one object for each row."),
    ]
    with pytest.raises(DatasetError) as caught:
        JsonLinesReader().read(b'{"a": 1}\n{"a": \nnull\n')
    assert [problem.row for problem in caught.value.problems] == [2, 3]


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_the_separator_is_found_and_quoted_cells_hold_anything(separator: str) -> None:
    text = f'id{separator}question{separator}n\r\n1{separator}"What, or ; or\t""why""\r\nso?"{separator}\r\n'
    assert CsvReader().read(text.encode()) == [{"id": "1", "question": 'What, or ; or\t"why"\r\nso?', "n": None}]


@pytest.mark.parametrize(
    "text", ["- first\n- second", "-5 °C", "=1+1", "'=1+1", "''-x", "@you", "'tis", "+359", "'", "don't"]
)
def test_what_the_writer_protects_from_spreadsheets_is_read_as_it_was(text: str) -> None:
    stream = io.BytesIO()
    CsvWriter().write(stream, ["id", "answer"], [{"id": "1", "answer": text}])
    assert CsvReader().read(stream.getvalue()) == [{"id": "1", "answer": text}]


def test_a_separator_inside_a_quoted_name_does_not_decide() -> None:
    assert CsvReader().read(b'"a,b,c";d\n1;2\n') == [{"a,b,c": "1", "d": "2"}]


def test_csv_rows_of_the_wrong_width_and_blank_lines() -> None:
    rows = CsvReader().read(b"a,b\n1\n\n1,2,3\n1,2,,\n\n\n")
    assert rows == [{"a": "1", "b": None}, {}, {"a": "1", "b": "2", "": ["3"]}, {"a": "1", "b": "2"}]


def test_a_cell_may_be_longer_than_the_csv_modules_default() -> None:
    long = "x" * 200_000
    assert CsvReader().read(f"a\n{long}\n".encode()) == [{"a": long}]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b'a,b\n1,"open\n', "Line 2 of the file is not valid CSV"),
        (b'a\tb\n1\t"Ann" said so\n', "Line 2 .* is probably tab-separated text without quoting: enclose"),
        (b"a,b,a\n1,2,3\n", "contains the column “a” twice"),
        (b"1,Q0,doc1,1,12.5,bm25\n", "contains “1” twice.*`passer import run`"),
        (b",,\n1,2,3\n", "must contain the column names"),
    ],
)
def test_csv_that_is_none_is_refused(content: bytes, message: str) -> None:
    with pytest.raises(DatasetError, match=message):
        CsvReader().read(content)


def test_xlsx_cells() -> None:
    content = workbook(
        ["id", " question ", None, "n"], [1, "A?", None, 2.5], [2.0, "B?\nC", None, True], [], [3, "D?", "odd", 4]
    )
    assert XlsxReader().read(content) == [
        {"id": 1, "question": "A?", "n": 2.5},
        {"id": 2, "question": "B?\nC", "n": True},
        {},
        {"id": 3, "question": "D?", "n": 4, "": ["odd"]},
    ]


def test_xlsx_merged_cells_and_blank_rows_at_the_end() -> None:
    book, stream = openpyxl.Workbook(), io.BytesIO()
    book.active.append(["question", "reference"])
    book.active.append(["A?", "x"])
    book.active.merge_cells("A5:B8")
    book.active["A20"].font = openpyxl.styles.Font(bold=True)
    book.save(stream)
    assert XlsxReader().read(stream.getvalue()) == [{"question": "A?", "reference": "x"}]


def with_formula(value: str) -> bytes:
    """A workbook whose cell B2 holds a formula with this stored value."""
    plain, changed = workbook(["question", "n"], ["A?", 40]), io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(plain)) as parts, zipfile.ZipFile(changed, "w") as archive:
        for part in parts.infolist():
            text = parts.read(part)
            if part.filename == "xl/worksheets/sheet1.xml":
                text = text.replace(b"<v>40</v>", b"<f>20*2</f>" + value.encode())
            archive.writestr(part, text)
    return changed.getvalue()


def test_xlsx_formulas_are_read_by_their_stored_values() -> None:
    assert XlsxReader().read(with_formula("<v>40</v>")) == [{"question": "A?", "n": 40}]
    with pytest.raises(DatasetError) as caught:
        XlsxReader().read(with_formula(""))
    (problem,) = caught.value.problems
    assert (problem.row, problem.field) == (1, "n")
    assert "formula without a stored value" in problem.message


def test_xlsx_error_cells_are_named() -> None:
    with pytest.raises(DatasetError) as caught:
        XlsxReader().read(workbook(["question", "n"], ["A?", 1], ["B?", "#DIV/0!"]))
    assert [(problem.row, problem.field) for problem in caught.value.problems] == [(2, "n")]


def test_xlsx_bombs_are_refused_before_they_are_unpacked() -> None:
    stream = io.BytesIO(workbook(["question"], ["A?"]))
    with zipfile.ZipFile(stream, "a", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/media/bomb.bin", b"\0" * 20_000_000)
    assert len(stream.getvalue()) < 100_000
    with pytest.raises(TooLargeError, match="unpacks to 20 MB"):
        XlsxReader(max_unpacked_bytes=10_000_000).read(stream.getvalue())


def test_text_tables_far_wider_than_questions_are_refused() -> None:
    header = ",".join(["question", *(f"c{number}" for number in range(1_000))])
    with pytest.raises(DatasetError, match="1\u202f001 columns"):
        CsvReader().read(f"{header}\nA?\n".encode())
    assert len(CsvReader().read(f"{header.removesuffix(',c999')}\nA?\n".encode())) == 1


def test_xlsx_sheets_far_wider_than_questions_are_refused() -> None:
    book, stream = openpyxl.Workbook(), io.BytesIO()
    book.active["A1"], book.active["XFD2"] = "question", "x"
    book.save(stream)
    with pytest.raises(DatasetError, match="more than 1000 columns"):
        XlsxReader().read(stream.getvalue())


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "empty"),
        (b"PK\x03\x04 and no more", "damaged"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "encrypted or in the old Excel format"),
        (workbook(), "first sheet of the workbook is empty"),
    ],
)
def test_xlsx_that_is_none_is_refused(content: bytes, message: str) -> None:
    with pytest.raises(DatasetError, match=message):
        XlsxReader().read(content)


def test_a_zip_that_is_no_workbook_is_refused() -> None:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("a.txt", "x")
    with pytest.raises(DatasetError, match="damaged"):
        XlsxReader().read(stream.getvalue())


def test_parquet_rows() -> None:
    content = parquet_file(
        question=["A?", None],
        gold_passages=[[{"document": "d", "quote": "q"}], []],
        __index_level_0__=[0, 1],
    )
    assert ParquetReader().read(content) == [
        {"question": "A?", "gold_passages": [{"document": "d", "quote": "q"}]},
        {"question": None, "gold_passages": []},
    ]


@pytest.mark.parametrize(("content", "message"), [(b"", "empty"), (b"PAR1 and no more PAR1", "damaged")])
def test_parquet_that_is_none_is_refused(content: bytes, message: str) -> None:
    with pytest.raises(DatasetError, match=message):
        ParquetReader().read(content)


def test_parquet_bombs_are_refused() -> None:
    content = parquet_file(question=["x" * 100_000] * 2_000)
    assert len(content) < 100_000
    with pytest.raises(TooLargeError, match=r"the limits? (is|are) .* MB\. Split it"):
        ParquetReader(max_unpacked_bytes=10_000_000).read(content)
    with pytest.raises(TooLargeError, match="the limits are 1\u202f999 rows"):
        ParquetReader(max_rows=1_999).read(content)
