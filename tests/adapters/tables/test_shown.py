"""Question files in workbooks: what the reader of a workbook sees is imported, or the workbook is refused."""

from __future__ import annotations

import io
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import openpyxl
import pytest

from passer.adapters.tables.xlsx import XlsxReader
from passer.errors import DatasetError


def workbook(fill: Callable[[Any], None]) -> bytes:
    book, stream = openpyxl.Workbook(), io.BytesIO()
    fill(book)
    book.save(stream)
    return stream.getvalue()


@pytest.mark.parametrize(
    ("stored", "form", "shown"),
    [
        (0.05, "0%", "5%"),
        (0.125, "0.0%", "12.5%"),
        (7, "000", "007"),
        (12345, "000", "12345"),
        (0.1 + 0.2, "General", 0.3),
        (datetime(2018, 5, 30), "d.m.yyyy", "2018-05-30"),
        (datetime(2018, 5, 30), "d.m.yyyy h:mm", "2018-05-30T00:00:00"),
        (datetime(2018, 5, 30, 14, 30), "d.m.yyyy", "2018-05-30T14:30:00"),
        (1234.5, "#,##0.00", 1234.5),
        # Bulgarian, German and accounting forms of percent; halves are rounded up, as Excel does.
        (0.055, "0.0\\ %", "5.5 %"),
        (0.125, "0%;[Red]-0%", "13%"),
        (-0.125, "0.0%;[Red]-0.0%", "-12.5%"),
        (0.5, "0.00%_);[Red]\\(0.00%\\)", "50.00%"),
        (12.5, '#,##0.00\\ "€"', "12.50 €"),
        (1234.5, "_-* #,##0.00\\ [$€-407]_-", "1234.50 €"),
        (7.5, '0.0" kg/ha"', "7.5 kg/ha"),
        (-7.5, '0.0" kg/ha"', "-7.5 kg/ha"),
        (5, '0.##" m"', "5 m"),
        (7, '"Q"000', "Q007"),
        (12500000, '0.0,,"M"', "12.5M"),
        (1, '"yes";;"no"', "yes"),
        (-5, "0.00_);(0.00)", -5),
        (0.5, "# ?/?", 0.5),
        (12345, "0.00E+00", 12345),
        (timedelta(hours=26, minutes=5), "[h]:mm", "26:05"),
    ],
)
def test_a_cell_is_read_as_it_is_shown(stored: Any, form: str, shown: Any) -> None:
    def fill(book: Any) -> None:
        book.active.append(["question", "reference"])
        book.active.append(["A?", stored])
        book.active["B2"].number_format = form

    assert XlsxReader().read(workbook(fill)) == [{"question": "A?", "reference": shown}]


def test_merged_cells_are_refused_because_all_but_the_first_have_no_value() -> None:
    def fill(book: Any) -> None:
        for row in (["group", "question", "reference"], ["g", "A?", "x"], [None, "B?", None]):
            book.active.append(row)
        book.active.merge_cells("A2:A3")
        book.active.merge_cells("C2:C3")

    with pytest.raises(DatasetError) as caught:
        XlsxReader().read(workbook(fill))
    assert [(each.row, each.field) for each in caught.value.problems] == [(1, "group"), (1, "reference")]
    assert "merged with others (C2:C3)" in caught.value.problems[1].message


def test_a_hidden_sheet_is_not_read_in_place_of_the_one_that_is_shown() -> None:
    def fill(book: Any) -> None:
        book.active.append(["question", "reference"])
        book.active.append(["old?", "x"])
        book.active.sheet_state = "hidden"
        for row in (["question", "reference"], ["new?", "y"]):
            (book["new"] if "new" in book.sheetnames else book.create_sheet("new")).append(row)
        book.active = 1

    assert XlsxReader().read(workbook(fill)) == [{"question": "new?", "reference": "y"}]


@pytest.mark.parametrize(
    ("rows", "is_refused"),
    [
        ([["reference", "question"], ["y", "B?"]], True),
        ([["question", "reference"]], False),
        ([["How to use this file"], ["Fill in the first sheet."]], False),
    ],
)
def test_a_second_sheet_of_questions_is_not_left_out_silently(rows: list[list[str]], is_refused: bool) -> None:
    def fill(book: Any) -> None:
        book.active.append(["question", "reference"])
        book.active.append(["A?", "x"])
        second = book.create_sheet("More")
        for row in rows:
            second.append(row)

    if is_refused:
        with pytest.raises(DatasetError, match="The worksheet More has the same columns"):
            XlsxReader().read(workbook(fill))
    else:
        assert XlsxReader().read(workbook(fill)) == [{"question": "A?", "reference": "x"}]
