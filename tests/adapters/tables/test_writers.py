"""What is written is read back by the standard library and openpyxl."""

from __future__ import annotations

import csv
import io
import json
import math
import zipfile
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import openpyxl
import pytest

from passer.adapters.tables import table_writers
from passer.adapters.tables.csv import CsvWriter
from passer.adapters.tables.json import JsonLinesWriter
from passer.adapters.tables.xlsx import MAX_CELL, XlsxWriter
from passer.errors import InputError
from passer.ports import TableWriter

COLUMNS = ("text", "number", "whole", "flag", "nothing", "many", "when")
ROW = {
    "text": 'Ünï, "quoted"\nline',
    "number": 0.1,
    "whole": 12,
    "flag": True,
    "nothing": None,
    "many": {"a": [1, None]},
    "when": datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC),
}


def written(writer: TableWriter, columns: tuple[str, ...], rows: list[dict[str, Any]], **more: bool) -> bytes:
    stream = io.BytesIO()
    writer.write(stream, columns, iter(rows), **more)
    return stream.getvalue()


def test_csv_is_rfc_4180() -> None:
    content = written(CsvWriter(), COLUMNS, [ROW])
    assert content.count(b"\r\n") == 2
    header, record = csv.reader(io.StringIO(content.decode(), newline=""))
    assert header == list(COLUMNS)
    assert record == [ROW["text"], "0.1", "12", "true", "", '{"a": [1, null]}', "2026-01-02T03:04:05+00:00"]


def test_csv_mark_is_a_choice() -> None:
    assert written(CsvWriter(bom=True), ("a",), []) == b"\xef\xbb\xbfa\r\n"
    assert written(CsvWriter(), ("a",), []) == b"a\r\n"


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r"])
def test_text_is_never_a_formula(start: str) -> None:
    text = start + "1+1"
    content = written(CsvWriter(), ("a", "n"), [{"a": text, "n": -1.5}])
    assert next(csv.DictReader(io.StringIO(content.decode(), newline=""))) == {"a": "'" + text, "n": "-1.5"}
    exact = written(CsvWriter(neutralise=False), ("a",), [{"a": text}])
    assert next(csv.DictReader(io.StringIO(exact.decode(), newline="")))["a"] == text
    sheet = openpyxl.load_workbook(io.BytesIO(written(XlsxWriter(), ("a", "n"), [{"a": text, "n": -1.5}]))).active
    assert sheet is not None
    cell = sheet["A2"]
    assert (cell.data_type, cell.quotePrefix) == ("s", True)
    assert str(cell.value).lstrip("\r\n") == text.lstrip("\r\n")
    assert (sheet["B2"].data_type, sheet["B2"].value) == ("n", -1.5)


def test_json_lines_keep_values_as_they_are() -> None:
    line = json.loads(written(JsonLinesWriter(), COLUMNS, [ROW]))
    assert line == ROW | {"when": "2026-01-02T03:04:05+00:00"}
    assert list(json.loads(written(JsonLinesWriter(), ("b", "a"), [{"a": 1, "c": 2}])).items()) == [
        ("b", None),
        ("a", 1),
    ]


def test_xlsx_cells_have_their_types() -> None:
    sheet = openpyxl.load_workbook(io.BytesIO(written(XlsxWriter(), COLUMNS, [ROW]))).active
    assert sheet is not None
    header, record = sheet.iter_rows(values_only=True)
    assert header == COLUMNS
    assert record == (ROW["text"], 0.1, 12, True, None, '{"a": [1, null]}', "2026-01-02T03:04:05+00:00")


def test_xlsx_cuts_what_does_not_fit_and_says_so() -> None:
    rows = [{"a": "x" * 32_767}, {"a": "y" * 32_768}, {"a": "😀" * 20_000}]
    book = openpyxl.load_workbook(io.BytesIO(written(XlsxWriter(), ("a",), rows)))
    _, fits, cut, wide = (row[0] for row in book["data"].iter_rows(values_only=True))
    assert fits == rows[0]["a"]
    assert str(cut).startswith("yyy")
    assert str(cut).endswith("[... truncated: a cell cannot contain 32\u202f768 characters]")
    assert str(wide).endswith("[... truncated: a cell cannot contain 40\u202f000 characters]")
    for text in (cut, wide):
        assert len(str(text).encode("utf-16-le")) // 2 in (MAX_CELL, MAX_CELL - 1)
    assert [row[0] for row in book["notes"].iter_rows(values_only=True)] == [
        "Row 3, column a: truncated from 32\u202f768 characters to fit a cell.",
        "Row 4, column a: truncated from 40\u202f000 characters to fit a cell.",
    ]


def test_xlsx_takes_control_characters_and_lone_surrogates() -> None:
    content = written(XlsxWriter(), ("a",), [{"a": "a\x00b\x0bc\x1f\ufffe\ud800d"}])
    sheet = openpyxl.load_workbook(io.BytesIO(content)).active
    assert sheet is not None
    assert sheet["A2"].value == "abc?d"


def test_lone_surrogates_have_a_place_in_text_files() -> None:
    assert json.loads(written(JsonLinesWriter(), ("a",), [{"a": "\ud800d"}]))["a"] == "?d"
    assert written(CsvWriter(), ("a",), [{"a": "\ud800d"}]) == b"a\r\n?d\r\n"


@pytest.mark.parametrize("value", [math.nan, math.inf, [1, math.nan]])
@pytest.mark.parametrize("writer", table_writers(), ids=lambda writer: writer.suffix)
def test_no_nan_ever_leaves(writer: TableWriter, value: Any) -> None:
    with pytest.raises(InputError, match=r"Column a contains (nan|inf)"):
        written(writer, ("a",), [{"a": 1}, {"a": value}])


def test_a_source_that_fails_leaves_no_open_file() -> None:
    def rows() -> Iterator[dict[str, Any]]:
        yield {"a": 1}
        raise RuntimeError("gone")

    with pytest.raises(RuntimeError, match="gone"):
        XlsxWriter().write(io.BytesIO(), ("a",), rows())


def test_the_same_rows_give_the_same_bytes() -> None:
    first = written(XlsxWriter(), COLUMNS, [ROW] * 3, reproducible=True)
    with zipfile.ZipFile(io.BytesIO(first)) as archive:
        assert {part.date_time for part in archive.infolist()} == {(2000, 1, 1, 0, 0, 0)}
        properties = archive.read("docProps/core.xml").decode()
    assert properties.count("2000-01-01T00:00:00Z") == 2
    year = str(datetime.now(UTC).year)
    assert year not in properties
    assert written(XlsxWriter(), COLUMNS, [ROW] * 3, reproducible=True) == first
    book = openpyxl.load_workbook(io.BytesIO(first))
    assert book["data"]["B4"].value == 0.1


def test_a_workbook_has_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("passer.adapters.tables.xlsx.MAX_ROWS", 3)
    written(XlsxWriter(), ("a",), [{"a": 1}] * 2)
    with pytest.raises(InputError, match="at most 2 rows"):
        written(XlsxWriter(), ("a",), [{"a": 1}] * 3)
