"""What of a workbook its rows do not show is said: rows hidden by a filter, and worksheets that are not read."""

from __future__ import annotations

import io

from openpyxl import Workbook

from passer.adapters.tables import table_readers
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


def test_nothing_is_said_of_a_workbook_in_plain_sight() -> None:
    assert notes(workbook(1, 5)) == [], "neither of the header nor of blank rows"
    [reader] = [each for each in table_readers() if ".csv" in each.suffixes]
    assert reader.remarks(b"question,reference\n") == ()
