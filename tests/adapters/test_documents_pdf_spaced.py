"""PDFs: titles with spaces between their letters, texts across the page, and pages of short lines."""

from __future__ import annotations

import io
from collections.abc import Iterator

import pypdf
import pypdfium2
import pytest

from passer.adapters.documents.pdf import PdfReader
from tests.adapters.drawn_pdf import Drawn, drawn

LINES = [(70.0, 740 - 14.0 * row, 10.0, f"Clover fixes nitrogen from the air in row {row}") for row in range(40)]


WIDTHS = dict(
    zip("IMTLESFaneusilt ", (278, 833, 611, 556, 667, 667, 611, *(556,) * 4, 500, 222, 222, 278, 278), strict=True)
)
"""Widths of Helvetica's letters in thousandths of their size; others are as wide as N, 722."""


def spaced(text: str, spacing: float, x: float = 70, y: float = 780) -> Iterator[Drawn]:
    """Each sign of a text alone, as browsers draw it, also with letter spacing."""
    for sign in text:
        if sign != " ":
            yield x, y, 10, sign
        x += WIDTHS.get(sign, 722) / 100 + spacing


def cells(text: str, step: float) -> Iterator[Drawn]:
    return ((70 + step * place, 780, 10, sign) for place, sign in enumerate(text))


def text_of(*items: Drawn) -> str:
    return PdfReader().read(drawn([*items, *LINES]), "a.pdf").text


@pytest.mark.parametrize("title", ["INTRODUCTION", "RULES OF USE", "Main Results"])
@pytest.mark.parametrize("spacing", [3, 5])
def test_a_title_with_spaces_between_its_letters_is_read_as_words(title: str, spacing: float) -> None:
    assert text_of(*spaced(title, spacing)).split("\n")[0] == title


@pytest.mark.parametrize("title", ["I N T R O D U C T I O N", "R U L E S   O F   U S E"])
def test_a_title_that_is_written_with_spaces_is_read_as_words(title: str) -> None:
    assert text_of((70, 780, 12, title)).split("\n")[0] == title.replace("   ", "/").replace(" ", "").replace("/", " ")


@pytest.mark.parametrize(
    ("signs", "step"),
    [("ABCDEF", 13), ("BCAABC", 40), ("123456", 13), ("XOXOXO", 13), ("ab+c=d", 13)],
)
def test_single_signs_stay_apart(signs: str, step: float) -> None:
    """Names of columns, grades in cells, numbers, crosses of a table, a formula."""
    assert text_of(*cells(signs, step)).split("\n")[0].split() == list(signs)


def with_watermark(count: int, *, is_last: bool) -> bytes:
    [mark] = pypdf.PdfReader(io.BytesIO(drawn([(0.0, 0.0, 90.0, "DRAFT")]))).pages
    writer = pypdf.PdfWriter(io.BytesIO(drawn(*[LINES] * count)))
    for page in writer.pages:
        turned = pypdf.Transformation().rotate(45).translate(150, 250)
        page.merge_transformed_page(mark, turned, over=is_last)
    stream = io.BytesIO()
    writer.write(stream)
    return stream.getvalue()


@pytest.mark.parametrize("is_last", [True, False])
@pytest.mark.parametrize("count", [1, 6])
def test_a_text_across_all_pages_stays_on_the_first_alone_as_a_line_of_its_own(count: int, is_last: bool) -> None:
    text = PdfReader().read(with_watermark(count, is_last=is_last), "a.pdf").text
    assert [line for line in text.split("\n") if "DRAFT" in line] == ["DRAFT"]
    assert text.count("in row 39") == count


def test_words_of_a_page_of_short_lines_are_whole() -> None:
    """PDFium takes two narrow columns for vertical text, with a line for each letter."""
    lines = ["MEN 1", "1 Main Nuts", "NEST I"] * 4
    items = [item for row, line in enumerate(lines) for x in (70, 400) for item in spaced(line, 0, x, 760 - 13 * row)]
    page = pypdfium2.PdfDocument(drawn(items))[0].get_textpage()
    assert "M\r\n" in page.get_text_range(), "PDFium breaks the words"
    text = PdfReader().read(drawn(items), "a.pdf").text
    assert text.split() == [word for line in lines for word in line.split() * 2]
