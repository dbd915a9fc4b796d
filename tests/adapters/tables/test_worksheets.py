"""Parts of a workbook that are not in its rows are reported: filtered rows, and worksheets that are not read."""

from __future__ import annotations

import io
import time
import zipfile

from openpyxl import Workbook, load_workbook
from openpyxl.chart import BarChart, Reference

from passer.adapters.tables import table_readers
from passer.adapters.tables.worksheets import HiddenParts, hidden_parts
from tests.services.library.question_files import LOADING


def workbook(*hidden: int, further: str | None = None) -> bytes:
    book = Workbook()
    sheet = book.active
    sheet.title = "Set"
    for row in (("question", "reference"), ("A?", "a"), ("B?", "b"), ("C?", "c"), (None, None)):
        sheet.append(row)
    sheet.auto_filter.ref = "A1:B4"
    for number in hidden:
        sheet.row_dimensions[number].hidden = True
    if further:
        book.create_sheet(further).append(("other", "columns"))
    book.create_sheet("Empty")
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


def notes(content: bytes) -> list[str]:
    mapping = LOADING.preview(content, "q.xlsx").mapping
    return [each for each in mapping.notes if "worksheet" in each]


def test_hidden_rows_are_read_and_named() -> None:
    preview = LOADING.preview(workbook(3, 4), "q.xlsx")
    assert [question.text for question in preview.questions] == ["A?", "B?", "C?"]
    assert notes(workbook(3, 4)) == [
        "2 rows of the worksheet are hidden, for example by a filter, and read too (the first: row 2). Delete hidden "
        "rows that are not meant."
    ]


def test_a_worksheet_with_other_columns_is_named_as_not_read() -> None:
    assert notes(workbook(further="More")) == [
        "Only the worksheet “Set” is read, not More. Import it as a file of its own if it contains questions."
    ]


def test_a_chart_before_the_questions_is_no_worksheet_that_is_read() -> None:
    book = load_workbook(io.BytesIO(workbook(3)))
    chart = BarChart()
    chart.add_data(Reference(book["Set"], min_col=1, min_row=1, max_row=3))
    book.create_chartsheet("Chart", 0).add_chart(chart)
    stream = io.BytesIO()
    book.save(stream)
    [note] = notes(stream.getvalue())
    assert note.startswith("1 row of the worksheet is hidden")


def test_a_damaged_worksheet_that_nobody_reads_keeps_no_questions_out() -> None:
    content = workbook(further="More")
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        part = archive.getinfo("xl/worksheets/sheet2.xml")
    at = part.header_offset + 30 + len(part.filename) + 10
    damaged = content[:at] + bytes(byte ^ 0xFF for byte in content[at : at + 8]) + content[at + 8 :]
    assert hidden_parts(damaged) == HiddenParts()


def test_a_row_with_many_numbers_is_read_once() -> None:
    row = b'<row hidden="1" spans=\'' + b'r="1" ' * 100_000 + b"'/>"
    began = time.process_time()
    assert hidden_parts(_with_rows(row + b'<row r="7" hidden="1"><c r="A7"><v>1</v></c></row>')).hidden_rows == (7,)
    assert time.process_time() - began < 5


def _with_rows(rows: bytes) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(workbook())) as archive, zipfile.ZipFile(stream, "w") as other:
        for name in archive.namelist():
            xml = archive.read(name)
            other.writestr(name, xml.replace(b"</sheetData>", rows + b"</sheetData>") if "sheet1" in name else xml)
    return stream.getvalue()


def test_nothing_is_said_of_a_workbook_in_plain_sight() -> None:
    assert notes(workbook(1, 5)) == [], "neither of the header nor of blank rows"
    [reader] = [each for each in table_readers() if ".csv" in each.suffixes]
    assert reader.remarks(b"question,reference\n") == ()
