"""Documents of others: wrong suffixes, damaged encodings, raised figures, symbols, rules at the beginning."""

from __future__ import annotations

import io
from collections.abc import Callable

import docx
import pytest
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from docx.text.paragraph import Paragraph

from passer.adapters.documents.docx import DocxReader
from passer.adapters.documents.html import HtmlReader
from passer.adapters.documents.plain import MarkdownReader, TextReader
from passer.errors import DocumentError

BULGARIAN = "Добивът от пшеница е 500 кг. Семената се засяват през октомври.\n"


def text_of(fill: Callable[[Paragraph], None]) -> str:
    document, stream = docx.Document(), io.BytesIO()
    fill(document.add_paragraph())
    document.save(stream)
    return DocxReader().read(stream.getvalue(), "a.docx").text


@pytest.mark.parametrize(
    ("content", "suffixes"),
    [
        (b"{\\rtf1 Hello}", ".rtf"),
        (b"PK\x03\x04\x14", ".docx, .epub"),
        (b"%PDF-1.4 text", ".pdf"),
        (b"\xd0\xcf\x11\xe0", ".doc"),
    ],
)
def test_a_text_file_that_is_another_format_is_refused_by_what_it_is(content: bytes, suffixes: str) -> None:
    with pytest.raises(DocumentError, match="begins like a file of another format") as caught:
        TextReader().read(content, "a.txt")
    assert suffixes in caught.value.message


def test_a_text_about_the_protein_par1_is_no_parquet_file() -> None:
    assert TextReader().read(b"PAR1 is a receptor.", "a.txt").text == "PAR1 is a receptor."


@pytest.mark.parametrize("encoding", ["latin-1", "cp1251"])
def test_a_text_that_was_read_in_another_encoding_is_refused_with_what_it_means(encoding: str) -> None:
    damaged = "".join(bytes([byte]).decode(encoding, "ignore") or chr(byte) for byte in BULGARIAN.encode())
    for reader, text in ((TextReader(), damaged), (HtmlReader(), f"<html><body><p>{damaged}</p></body></html>")):
        with pytest.raises(DocumentError, match="“Добивът от пшеница”"):
            reader.read(text.encode(), "a.txt")
    assert TextReader().read(BULGARIAN.encode(), "a.txt").text == BULGARIAN


def test_an_article_about_damaged_texts_is_read() -> None:
    text = "UTF-8 in Latin-1: “Größe” becomes “GrÃ¶ÃŸe”, and é becomes Ã©.\n"
    assert TextReader().read(text.encode(), "a.txt").text == text
    assert TextReader().read("é becomes Ã©".encode(), "a.txt").text.endswith("Ã©")


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("---\n\nFirst section.\n\n---\n\nSecond.\n", "First section."),
        ("---\nFirst section\n---\nSecond.\n", "First section"),
        ("---\n# Set by hand\ntitle: T\ntags: [a]\n---\nSecond.\n", None),
        ('---\r\n"title": T\r\n---\r\nSecond.\r\n', None),
    ],
)
def test_a_text_between_rules_is_no_front_matter(text: str, kept: str | None) -> None:
    read = MarkdownReader().read(text.encode(), "a.md").text
    assert "Second." in read
    assert kept in read if kept else read.strip() == "Second."


def test_raised_figures_of_a_page_stay_apart_from_the_number_before() -> None:
    said = (
        "The yield is 10<sup>5</sup> kg, then 500<sup><a href='#n1'>1</a></sup> kg, 10<sup>−3</sup> m<sup>2</sup>, "
        "on the 4<sup>th</sup> field with the note<sup>[2]</sup>."
    )
    text = HtmlReader().read(f"<html><body><p>{said}</p></body></html>".encode(), "a.html").text
    wanted = "The yield is 10⁵ kg, then 500¹ kg, 10⁻³ m², on the 4th field with the note[2]."
    # A page of one sentence is read by another function, which breaks lines at elements.
    assert "".join(text.split()) == "".join(wanted.split())


def test_raised_figures_of_a_word_document_stay_apart_from_the_number_before() -> None:
    def fill(paragraph: Paragraph) -> None:
        for text, is_raised in (
            ("10", False),
            ("5", True),
            (" kg on the 4", False),
            ("th", True),
            (" of 500", False),
            ("12", True),
        ):
            paragraph.add_run(text).font.superscript = is_raised or None

    assert text_of(fill) == "10⁵ kg on the 4th of 500¹²"


def test_hidden_text_of_a_word_document_is_left_out() -> None:
    def fill(paragraph: Paragraph) -> None:
        for text, is_hidden in (("The answer", None), (" (only for teachers)", True), (" is 7.", False)):
            paragraph.add_run(text).font.hidden = is_hidden

    assert text_of(fill) == "The answer is 7."


@pytest.mark.parametrize(
    ("font", "code", "sign"),
    [
        *(("Symbol", "F0B0", "°"), ("Symbol", "00A3", "≤"), ("Symbol", "F0B3", "≥"), ("Symbol", "F06D", "μ")),
        *(("Symbol", "F0B1", "±"), ("Symbol", "F044", "Δ"), ("Symbol", "F0E5", "∑"), ("Wingdings", "F0FE", "☑")),
        *(("Arial", "20AC", "€"), ("Odd Font", "F041", ""), ("Symbol", "zz", "")),
    ],
)
def test_characters_that_a_word_document_gives_by_their_code(font: str, code: str, sign: str) -> None:
    def fill(paragraph: Paragraph) -> None:
        symbol = OxmlElement("w:sym")
        symbol.set(qn("w:font"), font)
        symbol.set(qn("w:char"), code)
        paragraph.add_run("25")._r.append(symbol)
        paragraph.add_run("C")

    assert text_of(fill) == f"25{sign}C"


def test_cells_that_span_rows_stand_in_each_of_them() -> None:
    table = (
        "<table><thead><tr><th>Crop</th><th rowspan='9'>Yield</th></tr></thead><tbody>"
        "<tr><td rowspan='2'>Rye</td><td>400</td></tr><tr><td>300</td></tr>"
        "<tr><td colspan='1'>Wheat</td><td>500</td></tr></tbody></table>"
    )
    above = "<p>The yields of two crops are listed below for the farms of the region.</p>" * 4
    page = f"<html><body><h1>Crops</h1>{above}{table}</body></html>"
    lines = [line.strip(" |") for line in HtmlReader().read(page.encode(), "a.html").text.split("\n") if "|" in line]
    assert [line for line in lines if "-" not in line] == ["Crop | Yield", "Rye | 400", "Rye | 300", "Wheat | 500"]


def test_deleted_text_of_a_page_is_left_out_and_captions_are_kept() -> None:
    page = (
        "<html><body><h1>Crops</h1><p>The limit is <del>170</del><ins>120</ins> kg per hectare in every zone.</p>"
        "<figure><img src='a.png'><figcaption>Figure 1: yields fell by 12 %.</figcaption></figure></body></html>"
    )
    text = HtmlReader().read(page.encode(), "a.html").text
    assert "170" not in text
    assert "The limit is" in text
    assert "Figure 1: yields fell by 12 %." in text
