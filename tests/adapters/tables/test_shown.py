"""Question files in workbooks: what the reader of a workbook sees is imported, or the workbook is refused."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import openpyxl
import pytest
from openpyxl.cell.rich_text import CellRichText, TextBlock
from openpyxl.cell.text import InlineFont
from openpyxl.styles import Font

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


def test_raised_figures_and_crossed_out_text_of_a_cell() -> None:
    """Excel writes texts with several fonts as shared strings."""

    def fill(book: Any) -> None:
        book.active.append(["question", "reference"])
        book.active.append(["How many seeds?", "RICH"])

    rich = (
        b'<r><t xml:space="preserve">not </t></r><r><rPr><strike/></rPr><t>106 but </t></r><r><t>10</t></r>'
        b'<r><rPr><vertAlign val="superscript"/></rPr><t>5</t></r><r><t xml:space="preserve"> of CO</t></r>'
        b'<r><rPr><vertAlign val="subscript"/></rPr><t>2</t></r>'
    )
    main, kind = b"http://schemas.openxmlformats.org/spreadsheetml/2006/main", b"/xl/sharedStrings.xml"
    stated = b'<Override PartName="%s" ContentType="%s"/></Types>' % (
        kind,
        b"application/vnd.openxmlformats-officedocument.spreadsheetml.sharedStrings+xml",
    )
    parts, stream = zipfile.ZipFile(io.BytesIO(workbook(fill))), io.BytesIO()
    with zipfile.ZipFile(stream, "w") as written:
        for name in parts.namelist():
            text = parts.read(name).replace(b't="inlineStr"><is><t>RICH</t></is>', b't="s"><v>0</v>')
            written.writestr(name, text.replace(b"</Types>", stated) if name == "[Content_Types].xml" else text)
        written.writestr("xl/sharedStrings.xml", b'<sst xmlns="%s"><si>%s</si></sst>' % (main, rich))
    [row] = XlsxReader().read(stream.getvalue())
    assert row["reference"] == "not 10\u2075 of CO2"


def test_fonts_within_a_text_that_is_stored_in_its_cell() -> None:
    """openpyxl and other programs write texts there, also those with several fonts."""
    parts = (
        "not ",
        TextBlock(InlineFont(strike=True), "106 but "),
        "10",
        TextBlock(InlineFont(vertAlign="superscript"), "5"),
    )

    def fill(book: Any) -> None:
        book.active.append(["question", "reference"])
        book.active["A3"], book.active["B3"] = "How many seeds?", CellRichText(*parts)

    content = workbook(fill)
    assert b"<is><r>" in zipfile.ZipFile(io.BytesIO(content)).read("xl/worksheets/sheet1.xml")
    assert [row for row in XlsxReader().read(content) if row] == [
        {"question": "How many seeds?", "reference": "not 10\u2075"}
    ]


def test_a_cell_or_row_that_is_crossed_out_is_empty() -> None:
    def fill(book: Any) -> None:
        for row in (["question", "reference"], ["A?", "old"], ["B?", 5], ["C?", "new"], ["D?", "gone"]):
            book.active.append(row)
        for place in ("B2", "B3", "A5", "B5"):
            book.active[place].font = Font(strike=True)

    rows = XlsxReader().read(workbook(fill))
    assert rows == [{"question": name, "reference": text} for name, text in (("A?", None), ("B?", None), ("C?", "new"))]


def test_a_workbook_whose_questions_are_on_another_worksheet_names_it() -> None:
    def fill(book: Any) -> None:
        book.active.title = "Readme"
        book.active.append(["These are the questions of 2024"])
        book.create_sheet("Questions").append(["question", "reference"])

    with pytest.raises(DatasetError, match=r"“Readme” is read, and it has no row .* on Questions, move that worksheet"):
        XlsxReader().read(workbook(fill))


@pytest.mark.parametrize(("part", "suffixes"), [("mimetype", r"\.ods"), ("word/document.xml", r"\.docx")])
def test_other_archives_with_the_name_of_a_workbook_are_named(part: str, suffixes: str) -> None:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as written:
        written.writestr(part, "x")
    with pytest.raises(DatasetError, match=suffixes):
        XlsxReader().read(stream.getvalue())
