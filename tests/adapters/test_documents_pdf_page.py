"""Pages of a PDF whose text layer is not what is seen: raised figures, hyphens, columns, words from right to left."""

from __future__ import annotations

import io
from pathlib import Path

import pypdf
import pytest
from pypdf.generic import (
    ArrayObject,
    BooleanObject,
    DecodedStreamObject,
    DictionaryObject,
    FloatObject,
    NameObject,
    TextStringObject,
)
from pypdfium2 import raw

from passer.adapters.documents.pdf import PdfReader
from passer.errors import DocumentError
from tests.adapters.drawn_pdf import Drawn, drawn

LEFT = (
    "Wheat needs nitrogen in spring, because the",
    "plants grow quickly after the winter and take",
    "up most of it within six weeks. The fertili-",
    "sation is divided into three portions, so that",
    "the leaching of nitrate remains low and the",
    "protein content is high. Organic farms use",
    "compost and manure instead of mineral ferti-",
    "lisers, which release their nitrogen slowly and",
    "reach the crop in the following year as well.",
)
RIGHT = (
    "Clover fixes nitrogen from the air by means",
    "of bacteria in its roots. It is sown with grass",
    "and is cut three or four times in a year. After",
    "two years it leaves enough nitrogen for one",
    "crop of wheat and a part of the next. Environ-",
    "mental organisations recommend covering the",
    "soil during the winter with intermediate crops,",
    "which take up the remaining nitrogen, and a",
    "rotation of at least five years on each field.",
)


def text_of(content: bytes) -> str:
    return PdfReader().read(content, "a.pdf").text


def lines(*texts: str, x: float = 50, size: float = 10) -> list[Drawn]:
    return [(x, 740 - 14 * number, size, text) for number, text in enumerate(texts)]


def words(text: str) -> list[str]:
    """The words of a column, with those that a hyphen breaks as one."""
    return text.replace("- ", "").split()


def test_raised_figures_stay_apart_from_the_number_before() -> None:
    # Helvetica's figures are .556 of the size wide, and the first text 6.447.
    base, raised = 12.0, 8.0
    shown = [
        (50.0, 700.0, base, "The yield is 10"),
        (50 + 6.447 * base, 704.5, raised, "5"),
        (50.0, 670.0, base, "500"),
        (50 + 3 * 0.556 * base, 674.5, raised, "12"),
        (50 + 4 * 0.556 * base + 6, 670.0, base, "kg on the 4"),
        (50.0, 610.0, base, "CO"),
        (50 + 1.5 * base, 607.0, raised, "2"),
        (50.0, 580.0, raised, "105"),
    ]
    found = text_of(drawn(shown)).split("\n")
    assert [line.strip() for line in found] == [
        "The yield is 10⁵",
        "500¹² kg on the 4",
        "CO2",
        "105",
    ]


@pytest.mark.parametrize("height", [4, 5, 6])
def test_raised_and_lowered_signs_stay_on_their_line(height: float) -> None:
    """Helvetica's widths: It holds 10 is 4.614 sizes wide, kg of H 3.168, a figure .556 and a space .278."""
    at = 50 + 12 * 4.614
    shown = [
        (50.0, 700.0, 12.0, "It holds 10"),
        (at, 700 + height, 8.0, "5"),
        (at + 8 * 0.556 + 12 * 0.278, 700.0, 12.0, "kg of H"),
        (at + 8 * 0.556 + 12 * (0.278 + 3.168), 700 - height / 2, 8.0, "2"),
        (at + 16 * 0.556 + 12 * (0.278 + 3.168), 700.0, 12.0, "O, and note"),
        (50.0, 680.0, 12.0, "Next line"),
    ]
    assert text_of(drawn(shown)).split("\n") == ["It holds 10⁵ kg of H2O, and note", "Next line"]


def test_a_table_of_long_numbers_asks_for_few_of_their_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    matrix_of = raw.FPDFText_GetMatrix
    monkeypatch.setattr(raw, "FPDFText_GetMatrix", lambda *given: [matrix_of(*given), asked.append(given[1])][0])
    numbers = lines(*["Sum 123456789012345,25 987654321098765,75"] * 40)
    assert text_of(drawn(numbers)).count("123456789012345,25 987654321098765,75") == 40
    # And for the ends of each line, those around its break, and the words at the edge of the page.
    assert len(asked) <= 40 * (2 * 3 + 2 + 2) + 20


def test_square_and_cubic_metres_of_the_regulation(test_data: Path) -> None:
    text = text_of((test_data / "corpus" / "eur178468consolidation.pdf").read_bytes())
    assert "shall not exceed 1 600 m²" in text
    assert "a volume of minimum 20 m³" in text
    # Its notes are in brackets, which keep them apart.
    assert "of the Council (1)" in text


@pytest.mark.parametrize(
    ("line", "following", "read"),
    [
        ("the nitro-", "gen content", "the nitrogen content"),
        ("THE ENVIRON-", "MENT IS", "THE ENVIRONMENT IS"),
        ("Regulation EC-", "178/2002 is", "Regulation EC-178/2002 is"),
        ("the COVID-", "19 pandemic", "the COVID-19 pandemic"),
        ("of Smith-", "Jones in", "of Smith-Jones in"),
        ("the EU-", "UK treaty", "the EU-UK treaty"),
    ],
)
def test_a_hyphen_at_the_end_of_a_line_goes_only_where_it_breaks_a_word(line: str, following: str, read: str) -> None:
    assert text_of(drawn(lines(line, following))) == read


@pytest.mark.parametrize(("second", "lower"), [(310, 0), (262, 0), (310, 2), (310, 6)])
def test_columns_that_are_drawn_line_by_line_are_read_one_after_the_other(second: float, lower: float) -> None:
    by_turns = [
        each
        for left, right in zip(lines(*LEFT), lines(*RIGHT, x=second), strict=True)
        for each in (left, (right[0], right[1] - lower, *right[2:]))
    ]
    title = (50.0, 780.0, 16.0, "A title across both columns of the page, and it is long")
    last = (
        50.0,
        600.0,
        10.0,
        "A last line across the page, which says in full what the columns above have said of crops.",
    )
    found = text_of(drawn([title, *by_turns, last]))
    assert found.split() == words(" ".join((title[3], *LEFT, *RIGHT, last[3])))


def test_a_table_is_read_row_by_row() -> None:
    rows = [(f"crop number {n}, of the winter", f"{n} kilograms of nitrogen in a year") for n in range(12)]
    cells = [(x, 740 - 14 * n, 10, cell) for n, row in enumerate(rows) for x, cell in zip((50, 310), row, strict=True)]
    tabled = [(x, y, size, cell.capitalize()) for x, y, size, cell in cells]
    assert text_of(drawn(tabled)).split("\n") == [f"{left.capitalize()} {right.capitalize()}" for left, right in rows]


def test_words_from_right_to_left_that_are_drawn_letter_by_letter_keep_their_order() -> None:
    """As browsers print them: each letter by itself, from the left of the line, with its text for screen readers."""
    letters = dict(zip("ABCDE", "القمح", strict=True))
    shown = [(60 + 10 * place, 700.0, 14.0, sign) for place, sign in enumerate("EDCBA EDCBA EDCBA") if sign != " "]
    assert text_of(drawn(shown, letters=letters, is_spoken=True)).split() == ["القمح"] * 3


@pytest.mark.parametrize("shapes", ["()", ")("])
@pytest.mark.parametrize(
    ("seen", "read"),
    [
        ("EDCBA <EDCBA> EDCBA", "القمح (القمح) القمح"),
        ("<EDCBA 120> EDCBA", "القمح (120 القمح)"),
        ("EDCBA <120> EDCBA", "القمح (120) القمح"),
        ("The wheat <EDCBA> and", "The wheat (القمح) and"),
    ],
)
def test_brackets_beside_words_from_right_to_left_enclose_what_they_are_next_to(
    seen: str, read: str, shapes: str
) -> None:
    """`seen` from left to right; some programs store the shape of a bracket, others that it opens or closes."""
    latin = {sign: sign for sign in "The watnd120"}
    letters = {**dict(zip("EDCBA", "حمقلا", strict=True)), **latin, **dict(zip("<>", shapes, strict=True))}
    widths = {"<": 0.584, ">": 0.584, " ": 0.278}
    shown, x = [], 60.0
    for sign in seen:
        shown.append((x, 700.0, 14.0, sign))
        x += 14 * widths.get(sign, 0.667 if sign.isupper() else 0.556)
    assert text_of(drawn([each for each in shown if each[3] != " "], letters=letters, is_spoken=True)) == read


def test_signs_beyond_the_basic_plane_are_kept_beside_raised_figures() -> None:
    shown = [(50.0, 700.0, 12.0, "A is 10"), (50 + 3.057 * 12, 704.5, 8.0, "5")]
    assert text_of(drawn(shown, letters={"A": "𝑥", **{each: each for each in " is105"}})) == "𝑥 is 10⁵"


def test_fonts_that_do_not_say_their_letters_are_refused() -> None:
    shown = lines("$ WLWOH DFURVV ERWK FROXPQV")
    with pytest.raises(DocumentError, match="fonts that do not say which letters they show"):
        text_of(drawn(shown, has_codes_only=True))


def form(kind: str, **more: bool) -> bytes:
    """A page with a field, or with a text that somebody wrote onto it."""
    writer = pypdf.PdfWriter(clone_from=io.BytesIO(drawn(lines("Name of the applicant"))))
    name = NameObject
    look = TextStringObject("/Helv 12 Tf 0 g")
    font = {name("/Type"): name("/Font"), name("/Subtype"): name("/Type1"), name("/BaseFont"): name("/Helvetica")}
    fonts = DictionaryObject({name("/Font"): DictionaryObject({name("/Helv"): DictionaryObject(font)})})
    drawing = DecodedStreamObject()
    drawing.set_data(b"BT /Helv 12 Tf 2 5 Td (Maria Petrova) Tj ET")
    box = ArrayObject(map(FloatObject, (0, 0, 200, 20)))
    drawing |= {name("/Subtype"): name("/Form"), name("/BBox"): box, name("/Resources"): fonts}
    field = {
        **{name("/Type"): name("/Annot"), name("/Subtype"): name(f"/{kind}"), name("/FT"): name("/Tx")},
        **{name("/T"): TextStringObject("applicant"), name("/V"): TextStringObject("Maria Petrova"), name("/DA"): look},
        name("/Rect"): ArrayObject(map(FloatObject, (200, 735, 400, 755))),
        name("/AP"): DictionaryObject({name("/N"): writer._add_object(drawing)}),
    }
    place = writer._add_object(DictionaryObject(field))
    writer.pages[0][name("/Annots")] = ArrayObject([place])
    fields = {name("/Fields"): ArrayObject([place]), name("/DR"): fonts, name("/DA"): look}
    xfa = {name("/XFA"): ArrayObject()} if more else {}
    writer._root_object[name("/AcroForm")] = DictionaryObject({**fields, **xfa})
    writer._root_object |= {name(f"/{key}"): BooleanObject(value) for key, value in more.items()}
    stream = io.BytesIO()
    writer.write(stream)
    return stream.getvalue()


@pytest.mark.parametrize("kind", ["Widget", "FreeText"])
def test_what_people_wrote_into_fields_and_onto_pages_is_read(kind: str) -> None:
    assert text_of(form(kind)).split("\n") == ["Name of the applicant", "Maria Petrova"]


def test_a_form_that_only_adobe_shows_is_refused() -> None:
    with pytest.raises(DocumentError, match="Print it to a PDF"):
        text_of(form("Widget", NeedsRendering=True))
