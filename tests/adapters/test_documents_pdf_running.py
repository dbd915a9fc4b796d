"""Headers and footers of PDFs: left out where they surely are, and nothing else."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from passer.adapters.documents.pdf import PdfReader
from tests.adapters.drawn_pdf import Drawn, drawn

SENTENCES = (
    "Wheat needs nitrogen in spring, because the plants grow quickly after the",
    "winter. Clover fixes it from the air by means of bacteria in its roots. It is",
    "sown with grass and is cut three or four times in a year. After two years it",
    "leaves enough nitrogen for one crop of wheat and a part of the next one.",
)
Headers = Callable[[int], Sequence[Drawn]]
TOP, BOTTOM = 800.0, 40.0


def pages_of(count: int, headers: Headers, *, body_top: float = 760.0) -> list[str]:
    """Return the texts of pages; each line of a body names its page, and `headers` draws the headers of a page."""
    pages = [
        [
            *headers(page),
            *(
                (70, body_top - 13 * row, 10, f"{SENTENCES[(row + page) % 4]} {page}-{row}")
                for row in range(50 if page < count else 20)
            ),
        ]
        for page in range(1, count + 1)
    ]
    document = PdfReader().read(drawn(*pages), "a.pdf")
    ends = (*document.page_starts[1:], len(document.text))
    texts = [document.text[start:end] for start, end in zip(document.page_starts, ends, strict=True)]
    for page, text in enumerate(texts, 1):
        assert all(f" {page}-{row}" in text for row in range(20)), "no line of the text is lost"
    return texts


def numbered(text: str, page: int) -> list[Drawn]:
    """A header with the number of the page at the right margin, lower than other headers, as LaTeX sets them."""
    return [(70, 745, 10, text), (500, 745, 10, str(page))]


def header(text: str, *, x: float = 70, y: float = TOP, size: float = 9) -> Drawn:
    return (x, y, size, text)


def test_a_header_with_the_number_of_the_page_stays_on_the_first_page_alone() -> None:
    texts = pages_of(6, lambda page: [header(f"02018R0848 - EN - 01.01.2022 - 002.008 - {page}", x=300)])
    assert ["02018R0848" in text for text in texts] == [True] + [False] * 5
    assert texts[1].startswith(SENTENCES[2])


@pytest.mark.parametrize(
    "written", ["{}", "- {} -", "Page {} of 6", "{} / 6", "[{}]", "S. {}", "{0} Soils of Europe {0}"]
)
def test_numbers_of_pages_are_left_out(written: str) -> None:
    texts = pages_of(6, lambda page: [header(written.format(page + 16), x=290, y=BOTTOM)])
    for text in texts[1:]:
        assert all(line.startswith(SENTENCES) for line in text.strip().split("\n")), "the page has the text alone"


def test_roman_numbers_of_a_preface_are_left_out_like_the_figures_behind_it() -> None:
    roman = ["iii", "iv", "v", "vi", "vii"]
    texts = pages_of(9, lambda page: [header(roman[page - 1] if page < 6 else str(page - 5), x=290, y=BOTTOM)])
    assert [text.strip().split("\n")[-1].startswith(SENTENCES) for text in texts] == [True] * 9


def test_headers_of_left_and_right_pages_by_turns_with_names_of_chapters() -> None:
    chapters = ["Soil and water"] * 6 + ["Crop rotation"] * 6

    def headers(page: int) -> list[Drawn]:
        if page % 2:
            return [header(f"{chapters[page - 1]}     {page}", x=400)]
        return [header(f"{page}     A handbook of organic farming")]

    texts = pages_of(12, headers)
    assert [page for page, text in enumerate(texts, 1) if "A handbook" in text] == [2]
    assert [page for page, text in enumerate(texts, 1) if "Soil and water" in text] == [1]
    assert [page for page, text in enumerate(texts, 1) if "Crop rotation" in text] == [7]


def test_a_number_at_the_right_margin_shows_a_header() -> None:
    texts = pages_of(8, lambda page: numbered("CHAPTER 3. SOIL", page + 40), body_top=712)
    assert ["CHAPTER 3" in text for text in texts] == [True] + [False] * 7


def test_a_header_of_a_chapter_of_one_page_stays() -> None:
    names = ["Soil", "Soil", "Soil", "Bees", "Water", "Water", "Water", "Water"]
    texts = pages_of(8, lambda page: [header(f"Chapter on {names[page - 1]}")])
    assert [page for page, text in enumerate(texts, 1) if "Chapter on" in text] == [1, 4, 5]


@pytest.mark.parametrize("count", [1, 2, 3])
def test_a_document_of_few_pages_loses_nothing(count: int) -> None:
    texts = pages_of(count, lambda page: [header("Annual report"), header(str(page), y=BOTTOM)])
    for page, text in enumerate(texts, 1):
        assert {"Annual report", str(page)} <= {line.strip() for line in text.split("\n")}


@pytest.mark.parametrize(
    ("line", "size"),
    [
        ("Crop Yield Nitrogen", 10),  # the first row of a table, next to the second
        ("Question {page}", 10),
        ("Table 3 (continued)", 10),
    ],
)
def test_a_line_next_to_the_text_stays_on_each_page(line: str, size: float) -> None:
    texts = pages_of(8, lambda page: [header(line.format(page=page), y=760 + 17, size=size)])
    assert all(text.startswith(line.format(page=page)) for page, text in enumerate(texts, 1))


def test_a_first_row_of_a_table_stays_where_its_rows_are_as_far_apart() -> None:
    rows = [[(70, 780 - 40 * row, 10, f"Crop {page}{row} needs 120 kg") for row in range(1, 18)] for page in range(8)]
    text = PdfReader().read(drawn(*([(70, 780, 10, "Crop and nitrogen"), *page] for page in rows)), "a.pdf").text
    assert text.count("Crop and nitrogen") == 8


def test_a_row_that_begins_with_a_name_and_the_number_of_the_page_stays() -> None:
    pages = [[(70, 770 - 22 * row, 10, f"Plot{page}-{row} needs lime") for row in range(28)] for page in range(1, 9)]
    text = PdfReader().read(drawn(*pages), "a.pdf").text
    assert [text.count(f"Plot{page}-0 ") for page in range(1, 9)] == [1] * 8


def test_titles_of_slides_stay_and_their_feet_go() -> None:
    slides = [
        [
            (70, 780, 24, "Results of the field trial"),
            (70, 700, 16, f"Slide {page} says that wheat needs nitrogen"),
            (70, 670, 16, f"and that clover {page} fixes it."),
            (70, 30, 8, f"Institute of Soil Science    {page}"),
        ]
        for page in range(1, 8)
    ]
    text = PdfReader().read(drawn(*slides), "a.pdf").text
    assert text.count("Results of the field trial") == 7
    assert text.count("Institute of Soil Science") == 1


def test_totals_at_the_same_place_of_each_page_stay() -> None:
    totals = [311, 17, 205, 96, 148, 74]
    texts = pages_of(6, lambda page: [header(f"Total: {totals[page - 1]} kg", y=BOTTOM)])
    assert [f"Total: {total} kg" in text for total, text in zip(totals, texts, strict=True)] == [True] * 6


@pytest.mark.parametrize(("y", "body_top"), [(800, 760), (BOTTOM, 800)])
def test_values_of_forms_stay_at_the_edges_of_pages(y: float, body_top: float) -> None:
    """One form a page: yes and no come back in no order, as no headers of chapters or of left and right pages do."""
    approved = ["yes", "yes", "no", "yes", "no", "no", "yes", "yes", "no", "yes"]
    texts = pages_of(10, lambda page: [header(f"Approved: {approved[page - 1]}", y=y)], body_top=body_top)
    assert [f"Approved: {value}" in text for value, text in zip(approved, texts, strict=True)] == [True] * 10


@pytest.mark.parametrize("line", ["§ {}", "({})", "{}. Obligations", "{}.1 Scope", "Harvest, 20{:02d}"])
@pytest.mark.parametrize("y", [770, 800])
def test_headings_with_other_numbers_than_the_feet_stay(line: str, y: float) -> None:
    """One section a page: its number rises with the page's, but is another one."""

    def headers(page: int) -> list[Drawn]:
        return [header(line.format(page + 7), y=y, size=10), header(str(page), x=290, y=30)]

    for page, text in enumerate(pages_of(8, headers, body_top=730), 1):
        assert text.startswith(line.format(page + 7))
        assert text.strip().split("\n")[-1].startswith(SENTENCES)


def test_numbers_of_pages_that_begin_again_with_each_chapter_are_left_out() -> None:
    texts = pages_of(12, lambda page: [header(str((page - 1) % 4 + 1), x=290, y=BOTTOM)])
    assert [text.strip().split("\n")[-1].startswith(SENTENCES) for text in texts] == [True] * 12


def test_what_most_pages_do_not_have_stays() -> None:
    texts = pages_of(10, lambda page: [header("Annex to the permit")] if page > 6 else [])
    assert sum("Annex to the permit" in text for text in texts) == 4


@pytest.mark.parametrize(("line", "y"), [("Question {page}", 800), ("Ingredients", 800), ("Crop Yield Loss", 770)])
def test_a_heading_that_each_page_begins_with_stays(line: str, y: float) -> None:
    """Pages that are not filled begin with something new, and a table may begin where the text does."""
    filled = 12 if y == 800 else 42
    pages = [
        [
            (70, y, 10, line.format(page=page)),
            (290, 40, 9, str(page)),
            *((70, 730 - 15 * row, 10, SENTENCES[row % 4]) for row in range(filled)),
        ]
        for page in range(1, 9)
    ]
    text = PdfReader().read(drawn(*pages), "a.pdf").text
    assert [text.count(line.format(page=page)) for page in (1, 8)] == ([8, 8] if "{" not in line else [1, 1])


def test_a_refrain_within_the_text_stays() -> None:
    texts = pages_of(6, lambda page: [header("And the clover is green again", y=400, x=300)], body_top=780)
    assert all("And the clover is green again" in text for text in texts)


def test_a_header_of_two_rows_is_left_out_whole() -> None:
    texts = pages_of(
        6, lambda page: [header("Ministry of Agriculture", y=812), header(f"Order 41, page {page}", y=800)]
    )
    assert [("Ministry" in text, "Order 41" in text) for text in texts] == [(True, True)] + [(False, False)] * 5


def test_a_word_that_the_foot_of_a_page_breaks_does_not_become_a_word_with_its_number() -> None:
    pages = [
        [*((70.0, 760 - 13.0 * row, 10.0, f"{SENTENCES[row % 4]}") for row in range(40)), (70, 227, 10, "the fertili-")]
        for _ in range(5)
    ]
    footers = [[*page, (290.0, 40.0, 10.0, f"{number}")] for number, page in enumerate(pages, 11)]
    text = PdfReader().read(drawn(*footers), "a.pdf").text
    assert text.count("the fertili-") == 5
    assert "11" not in text


def test_columns_that_are_drawn_line_by_line_lose_their_header() -> None:
    left = "the plants grow quickly after the winter and"
    right = "of bacteria in the roots it is sown with grass"
    pages = [
        [
            header(f"Journal of Soils 12 (2021)     {page}"),
            *(
                each
                for row in range(40)
                for each in ((50, 760 - 14 * row, 10, f"{left} {row}"), (310, 760 - 14 * row, 10, f"{right} {row}"))
            ),
        ]
        for page in range(100, 106)
    ]
    text = PdfReader().read(drawn(*pages), "a.pdf").text
    assert text.count("Journal of Soils") == 1
    assert f"{left} 0\n{left} 1\n" in text
    assert f"{right} 38\n{right} 39\n\n{left} 0" in text


@pytest.mark.parametrize("line", ["{}. Scope", "({}) Scope", "{}.1 Scope", "§ {} Scope", "§{}"])
def test_a_heading_with_the_number_of_its_page_stays(line: str) -> None:
    """One section a page, apart from its text, in the margin of books: its number is that of its page, also there."""
    texts = pages_of(8, lambda page: [header(line.format(page), y=770, size=10)], body_top=730)
    assert [text.startswith(line.format(page)) for page, text in enumerate(texts, 1)] == [True] * 8


@pytest.mark.parametrize("columns", [(70, 300), (70, 250, 400)])
@pytest.mark.parametrize("gap", [13, 26])
def test_the_first_row_of_a_table_stays_also_in_the_usual_margin(columns: Sequence[int], gap: int) -> None:
    names = ["Crop", "Yield", "Nitrogen"]
    pages = [
        [
            *((x, 800, 10, name) for x, name in zip(columns, names, strict=False)),
            *((x, 800 - gap - 13 * row, 10, f"{page}-{row}-{x}") for row in range(56) for x in columns),
        ]
        for page in range(8)
    ]
    text = PdfReader().read(drawn(*pages), "a.pdf").text
    assert text.count("Yield") == 8
