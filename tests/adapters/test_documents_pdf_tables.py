"""Tables with empty cells keep their columns; everything else reads as it would without tables."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from passer.adapters.documents.pdf import PdfReader
from tests.adapters.drawn_pdf import Drawn, drawn

CROPS = (
    ("Crop", "Nitrogen", "Yield"),
    ("Wheat", "120", "7.4"),
    ("Barley", "", "5.1"),
    ("Oats", "80", ""),
    ("Rye", "", ""),
    ("Spelt", "", "4.0"),
)
PROSE = "Clover fixes nitrogen from the air by means of bacteria in its roots, and it covers the soil."


def text_of(*pages: Sequence[Drawn]) -> str:
    return PdfReader().read(drawn(*pages), "a.pdf").text


def table(rows: Sequence[Sequence[str]], *, x: Sequence[float] = (70, 180, 290), step: float = 16) -> list[Drawn]:
    places = [
        (left, 700 - step * number, cell) for number, row in enumerate(rows) for left, cell in zip(x, row, strict=False)
    ]
    return [(left, y, 10.0, cell) for left, y, cell in places if cell]


def read(rows: Sequence[Sequence[str]]) -> str:
    return "\n".join(" | ".join(row) for row in rows)


def test_a_value_behind_an_empty_cell_stays_in_its_column() -> None:
    before, after = (70.0, 730.0, 10.0, PROSE), (70.0, 580.0, 10.0, PROSE)
    assert text_of([before, *table(CROPS), after]) == f"{PROSE}\n{read(CROPS)}\n{PROSE}"


HEBREW = (
    ("\u05d2\u05d9\u05d3\u05d5\u05dc", "\u05d7\u05e0\u05e7\u05d5", "\u05d9\u05d1\u05d5\u05dc"),
    ("\u05d7\u05d9\u05d8\u05d4", "120", "7.4"),
    ("\u05e9\u05e2\u05d5\u05e8\u05d4", "", "(5.1)"),
    ("\u05e9\u05d5\u05e2\u05dc", "80", ""),
    ("\u05e9\u05d9\u05e4\u05d5", "", "4.0"),
)
"""Crops with nitrogen and yield."""


@pytest.mark.parametrize("is_to_left", [True, False])
def test_columns_of_a_page_from_right_to_left_begin_on_the_right(is_to_left: bool) -> None:
    """Its words are drawn from their last letter on, and columns of a page in English begin on the left, as it does."""
    codes = {chr(0x05D0 + place): chr(ord("A") + place) for place in range(27)}
    cells = table(
        [[cell if cell[-1:] in "0123456789)" else cell[::-1] for cell in row] for row in HEBREW],
        x=(400, 290, 180) if is_to_left else (180, 290, 400),
    )
    shown = [(x, y, size, "".join(codes.get(sign, sign) for sign in cell)) for x, y, size, cell in cells]
    prose = [] if is_to_left else [(70.0, 780 - 14.0 * row, 10.0, "x" * 40) for row in range(3)]
    letters = {code: sign for sign, code in codes.items()} | {sign: sign for sign in "0123456789.x() "}
    content = drawn([*prose, *shown], letters=letters)
    assert PdfReader().read(content, "a.pdf").text.endswith(read(HEBREW))


def test_figures_that_end_at_one_place_are_a_column() -> None:
    rows = [("Crop", "Year", "Nitrogen"), ("Wheat", "2021", "1.5"), ("", "2022", "1,120.5"), ("Total", "", "9")]
    ends = {cell: 300 - 5.56 * len(cell) for _, _, cell in rows[1:]}
    cells = [(ends.get(cell, x), y, size, cell) for x, y, size, cell in table(rows)]
    assert text_of(cells) == read(rows)


@pytest.mark.parametrize("up", [0, 6, 12])
def test_a_cell_of_several_lines_is_one_cell(up: float) -> None:
    """The other cells of its row are at the top, in the middle or at the bottom of it."""
    cells = [
        *((70.0, 700.0, 10.0, "Crop"), (180.0, 700.0, 10.0, "Advice"), (400.0, 700.0, 10.0, "Limit")),
        *(
            (70.0, 676 - up, 10.0, "Wheat"),
            (180.0, 676.0, 10.0, "Sow before the end of October"),
        ),
        *((180.0, 664.0, 10.0, "and not deeper than four centimetres"), (400.0, 676 - up, 10.0, "120")),
        *((70.0, 640.0, 10.0, "Barley"), (400.0, 640.0, 10.0, "80")),
        *((70.0, 616.0, 10.0, "Oats"), (180.0, 616.0, 10.0, "Sow in March")),
    ]
    advice = "Sow before the end of October and not deeper than four centimetres"
    rows = [("Crop", "Advice", "Limit"), ("Wheat", advice, "120"), ("Barley", "", "80"), ("Oats", "Sow in March", "")]
    assert text_of(cells) == read(rows)


def test_names_of_rows_across_the_columns_stay_lines() -> None:
    """A name that is as wide as several columns does not end the table."""
    name = "Cereals of the northern regions of Europe"
    cells = table([*CROPS[:2], ("", "", ""), *CROPS[2:]])
    shown = text_of([*cells[:6], (70.0, 700 - 2 * 16.0, 10.0, name), *cells[6:]])
    assert shown == f"{read(CROPS[:2])}\n{name}\n{read(CROPS[2:])}"


def test_rows_in_groups_are_rows() -> None:
    """Space between groups, as books have it, does not make one row of those of a group."""
    places = (0, 20, 32, 52, 64, 84)
    rows = [(*row[:1], row[1] or "1", row[2]) for row in CROPS]
    cells = [
        (x, 700.0 - y, 10.0, each)
        for y, row in zip(places, rows, strict=True)
        for x, each in zip((70, 180, 290), row, strict=True)
        if each
    ]
    assert text_of(cells) == read(rows)


def test_first_cells_of_several_lines_are_one_cell_each() -> None:
    """Browsers draw a cell after the other, so that lines go up again; rows are farther apart than lines."""
    cells = [
        *((70.0, 700.0, 10.0, "Variety"), (180.0, 700.0, 10.0, "Yield"), (290.0, 700.0, 10.0, "Remark")),
        *((70.0, 676.0, 10.0, "Winter wheat"), (70.0, 662.0, 10.0, "of the valleys")),
        *((180.0, 676.0, 10.0, "7.4"), (180.0, 662.0, 10.0, "(6.9 to 7.9)"), (290.0, 676.0, 10.0, "early")),
        *((70.0, 638.0, 10.0, "Barley"), (290.0, 638.0, 10.0, "late")),
    ]
    rows = [("Variety", "Yield", "Remark"), ("Winter wheat of the valleys", "7.4 (6.9 to 7.9)", "early")]
    assert text_of(cells) == read([*rows, ("Barley", "", "late")])


def test_lines_that_may_be_rows_or_continue_cells_stay_lines() -> None:
    """With rows as close as lines, "of the valleys" would become a row whose other cells are empty."""
    cells = [
        *((70.0, 700.0, 10.0, "Variety"), (180.0, 700.0, 10.0, "Yield"), (290.0, 700.0, 10.0, "Remark")),
        *((70.0, 686.0, 10.0, "Winter wheat"), (180.0, 686.0, 10.0, "7.4"), (290.0, 686.0, 10.0, "early")),
        *((70.0, 672.0, 10.0, "of the valleys"), (70.0, 658.0, 10.0, "Barley"), (180.0, 658.0, 10.0, "5.1")),
        (290.0, 658.0, 10.0, "late"),
    ]
    assert " | " not in text_of(cells)


def test_a_table_does_not_begin_within_a_row() -> None:
    """The name of the first row is drawn before its other cells, which are no row without it."""
    above = [(70.0, 714.0, 10.0, "Winter"), (70.0, 700.0, 10.0, "wheat")]
    rows = [("", "120", "7.4"), ("Barley", "", "5.1"), ("Oats", "80", "4.0"), ("Rye", "60", "")]
    assert text_of([*above, *((x, y + 10, size, cell) for x, y, size, cell in table(rows, step=24))]).startswith(
        "Winter\nwheat\n120 7.4\n"
    )


def test_words_of_code_are_no_cells() -> None:
    """In fonts of one width a space is .6 of the letters' size."""
    rows = [("aaaa", ",", "bbbb"), ("cccc", ",", "dddd"), ("eeee", "", "ffff")]
    cells = table(rows, x=(70, 70 + 22.24 + 6, 70 + 22.24 + 6 + 2.78 + 6))
    assert " | " not in text_of(cells)


LISTED = [
    [("", "1.1.", PROSE), ("", "1.2.", PROSE), ("A", "1.3.", PROSE)],
    [("", "(a)", PROSE), ("-", "(b)", PROSE), ("", "(c)", PROSE)],
]
FULL = [("Crop", "Nitrogen", "Yield"), ("Wheat", "120", "7.4"), ("Barley", "90", "5.1")]
TWO = [("Name", "Clover"), ("Height", ""), ("Colour", "white"), ("Roots", "deep")]


@pytest.mark.parametrize("rows", [*LISTED, FULL, TWO])
def test_lists_and_complete_tables_and_pairs_read_as_lines(rows: Sequence[Sequence[str]]) -> None:
    """Nothing is displaced in them: numbers and marks of paragraphs, rows without empty cells, names and values."""
    cells = table(rows, x=(40, 70, 100) if rows in LISTED else (70, 180, 290))
    assert text_of(cells) == "\n".join(" ".join(filter(None, row)) for row in rows)


def test_a_line_next_to_a_part_of_a_row_leaves_the_table_as_it_is() -> None:
    """What does not fit into the columns could belong to an empty cell."""
    cells = [*table(CROPS[:-1]), (150.0, 700 - 2 * 16.0, 10.0, "see the notes of the previous chapter, page 7")]
    assert " | " not in text_of(cells)


def test_the_table_of_amendments_of_the_regulation(test_data: Path) -> None:
    content = (test_data / "corpus" / "eur178468consolidation.pdf").read_bytes()
    lines = PdfReader().read(content, "a.pdf").text.split("\n")
    cells = [line.split(" | ") for line in lines if " | " in line and "Corrigendum" not in line]
    assert [row[0] for row in cells] == ["", *(f"\u25baM{number}" for number in range(1, 12))]
    assert cells[0] == ["", "", "No", "page", "date"]
    assert cells[2][1] == "amended by Commission Delegated Regulation (EU) 2021/269 of 4 December 2020"
    assert cells[2][2:] == ["L 60", "24", "22.2.2021"]
