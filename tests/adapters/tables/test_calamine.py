"""Two readers of workbooks, one set of cells; what they would read differently is left to openpyxl."""

from __future__ import annotations

import io
import re
import zipfile
import zlib
from datetime import datetime

import pytest
from openpyxl import Workbook, load_workbook

from passer.adapters.tables.calamine import quick_grid
from passer.adapters.tables.xlsx import XlsxReader
from passer.errors import DatasetError


def saved(*rows, change=None) -> bytes:
    book = Workbook()
    for row in rows:
        book.active.append(list(row))
    if change:
        change(book.active)
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


def by_openpyxl(content: bytes) -> list[tuple]:
    rows = load_workbook(io.BytesIO(content), data_only=True).worksheets[0].iter_rows(values_only=True)
    return [without_end(row) for row in rows]


def without_end(row) -> tuple:
    cells = [None if cell == "" else cell for cell in row]
    while cells and cells[-1] is None:
        cells.pop()
    return tuple(cells)


PLAIN = saved(
    ("id", "Description", "METEOR"),
    (1, "  text with ends  ", 0.1),
    ("007", "line\nbreak", "0.25"),
    (),
    (None, "é\u200bя", 1e-9),
    (True, datetime(2025, 4, 11, 20, 14, 49), -3),
)


def test_plain_cells_are_the_same():
    quick = quick_grid(PLAIN)
    assert quick is not None
    assert [without_end(row) for row in quick] == by_openpyxl(PLAIN)
    assert [type(cell) for cell in quick[2]] == [str, str, str]
    assert XlsxReader().grid(PLAIN) == quick


def far(sheet) -> None:
    sheet["XFD9"] = "far"


def error(sheet) -> None:
    sheet["A2"] = "#DIV/0!"
    sheet["A2"].data_type = "e"


@pytest.mark.parametrize(
    "content",
    [
        saved(("a", "b"), (1, 2), change=far),
        saved(("a", "b"), ("x", 2), change=error),
        saved(("a", "b"), ("_x000D_ stays", 2)),
        saved(),
        b"",
        b"PK\x03\x04 damaged",
        b"no archive",
    ],
)
def test_what_would_be_read_differently_is_left_to_openpyxl(content):
    assert quick_grid(content) is None


def test_a_damaged_worksheet_is_refused():
    content = saved(*[(f"question {n}", n) for n in range(50)])
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        part = archive.getinfo("xl/worksheets/sheet1.xml")
    at = part.header_offset + 30 + len(part.filename) + 10
    damaged = content[:at] + bytes(byte ^ 0xFF for byte in content[at : at + 8]) + content[at + 8 :]
    with pytest.raises(zlib.error), zipfile.ZipFile(io.BytesIO(damaged)) as archive:
        archive.read(part.filename)
    assert quick_grid(damaged) is None
    with pytest.raises(DatasetError, match="damaged"):
        XlsxReader().grid(damaged)


def test_an_error_and_an_escape_come_out_as_openpyxl_has_them():
    assert XlsxReader().grid(saved(("a", "b"), ("x", 2), change=error))[1][0] == "#DIV/0!"
    assert XlsxReader().grid(saved(("a",), ("_x000D_ stays",)))[1][0] == "_x000D_ stays"


def test_a_sheet_that_claims_a_far_cell_takes_no_memory():
    content = saved(("a", "b"), (1, 2), change=lambda sheet: sheet.__setitem__("B900000", "end"))
    assert quick_grid(content) is None


def test_prefixed_elements_are_left_to_openpyxl():
    stream = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(PLAIN)) as old, zipfile.ZipFile(stream, "w") as new:
        for part in old.namelist():
            xml = old.read(part)
            if part.startswith("xl/worksheets/"):
                xml = re.sub(rb"<(/?)(c|v|row|sheetData|worksheet|is|t)\b", rb"<\1x:\2", xml)
                xml = xml.replace(b"xmlns=", b"xmlns:x=")
            new.writestr(part, xml)
    assert quick_grid(stream.getvalue()) is None


@pytest.mark.parametrize("folder", ["phase2-sheets", "phase3-sheets/mistral", "phase3-sheets/deepseek"])
def test_every_published_sheet_has_the_same_cells(test_data, folder):
    files = sorted((test_data / folder).glob("*.xlsx"))[:4]
    assert files
    for file in files:
        content = file.read_bytes()
        quick = quick_grid(content)
        assert quick is not None, file.name
        assert [without_end(row) for row in quick] == by_openpyxl(content)
