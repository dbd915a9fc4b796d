"""Documents of others: wrong suffixes, damaged encodings, raised figures, symbols, rules at the beginning."""

from __future__ import annotations

import io
import re
from collections.abc import Callable

import docx
import pytest
from docx.enum.style import WD_STYLE_TYPE
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from docx.oxml.parser import parse_xml
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
            (" or 700", False),
            ("1,2", True),
        ):
            paragraph.add_run(text).font.superscript = is_raised or None

    assert text_of(fill) == "10⁵ kg on the 4th of 500¹² or 700¹,²"


def test_figures_that_a_style_of_a_word_document_raises_stay_apart_from_the_number_before() -> None:
    document, stream = docx.Document(), io.BytesIO()
    document.styles.add_style("Power", WD_STYLE_TYPE.CHARACTER).font.superscript = True
    document.add_paragraph("10").add_run("5", style="Power")
    document.save(stream)
    assert DocxReader().read(stream.getvalue(), "a.docx").text == "10⁵"


@pytest.mark.parametrize(
    ("formula", "text"),
    [
        ("<m:sSup><m:e><m:r><m:t>10</m:t></m:r></m:e><m:sup><m:r><m:t>5</m:t></m:r></m:sup></m:sSup>", "10⁵"),
        ("<m:sSup><m:e><m:r><m:t>2</m:t></m:r></m:e><m:sup><m:r><m:t>n+1</m:t></m:r></m:sup></m:sSup>", "2^(n+1)"),
        ("<m:f><m:num><m:r><m:t>1</m:t></m:r></m:num><m:den><m:r><m:t>12</m:t></m:r></m:den></m:f>", "1/12"),
        ("<m:f><m:num><m:r><m:t>a+b</m:t></m:r></m:num><m:den><m:r><m:t>2</m:t></m:r></m:den></m:f>", "(a+b)/2"),
    ],
)
def test_powers_and_fractions_of_formulas_in_a_word_document_are_no_longer_numbers(formula: str, text: str) -> None:
    space = 'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"'
    found = text_of(lambda paragraph: paragraph._p.append(parse_xml(f"<m:oMath {space}>{formula}</m:oMath>")))
    assert found == text


def test_a_word_document_whose_parts_word_reads_later_is_refused() -> None:
    document, stream = docx.Document(), io.BytesIO()
    document.add_paragraph("Body")
    document.element.body.insert(0, OxmlElement("w:altChunk"))
    document.save(stream)
    with pytest.raises(DocumentError, match="Open it in Word, save it again"):
        DocxReader().read(stream.getvalue(), "a.docx")


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


ABOVE = "<p>The farm grows wheat and clover in turn on all of its fields, as the rules of the region ask.</p>" * 4


@pytest.mark.parametrize(
    "part",
    [
        "<p>The act was signed on <time datetime='2018-05-30'>30 May 2018</time> in Brussels.</p>",
        "<p>The <label>limit of copper</label> is <output>28</output> kg per hectare in seven years.</p>",
        "<h2><button class='accordion-button'>What is mulch?</button></h2><div class='collapse'><p>A cover.</p></div>",
        "<aside class='warning'><p>More copper than this is forbidden.</p></aside>",
        "<fieldset><legend>Duties of the farmer</legend><p>Keep a record of fertilisers.</p></fieldset>",
        "<footer><p>Source: Annex II, as amended in 2021.</p></footer>",
        "<section class='buying-guide'><p>Seeds come from the register.</p></section>",
        "<div id='authority'><p>The control authority visits each farm.</p></div>",
        "<div class='barley expandable'><p>Barley needs less nitrogen than wheat.</p></div>",
        "<div class='metadata message-box'><p>The certificate is valid for one year.</p></div>",
        "<section class='related-acts'><p>Regulation (EC) No 834/2007 is repealed.</p></section>",
        "<p>The area is <math><mi>r</mi><mo>=</mo><mn>10</mn></math> ha.</p>",
    ],
)
def test_all_of_the_main_part_of_a_page_is_its_text_whatever_its_elements_are_called(part: str) -> None:
    page = f"<html><body><main><h1>Rules</h1>{ABOVE}{part}{ABOVE}</main></body></html>"
    wanted = re.sub("<[^>]*>", " ", part).split()
    found = HtmlReader().read(page.encode(), "a.html").text.split()
    assert [word for word in wanted if word not in " ".join(found)] == []


def test_what_is_around_the_main_part_of_a_page_is_left_out_but_its_title() -> None:
    menu = "<nav><p>Home</p></nav><div class='sidebar'><p>Other pages of the ministry.</p></div>"
    share = "<div class='share-bar'><p>Share this page</p></div>"
    header, footer = "<header><h1>Rules on copper</h1></header>", "<footer><p>All rights reserved</p></footer>"
    page = f"<html><body>{header}{menu}<main>{ABOVE}{share}</main>{footer}</body></html>"
    text = HtmlReader().read(page.encode(), "a.html").text
    assert text.startswith("Rules on copper")
    assert not any(word in text for word in ("Home", "Other pages", "Share this", "All rights"))


@pytest.mark.parametrize(
    ("opening", "shown"),
    [
        ("<ol>", ["1. Keep a record.", "2. Sow clover.", "7. Report."]),
        ("<ol type='a' start='3'>", ["c. Keep a record.", "d. Sow clover.", "g. Report."]),
        ("<ol start='0'>", ["0. Keep a record.", "1. Sow clover.", "7. Report."]),
        ("<ol reversed>", ["3. Keep a record.", "2. Sow clover.", "7. Report."]),
        ("<ol style='list-style-type: Lower-Alpha'>", ["a. Keep a record.", "b. Sow clover.", "g. Report."]),
        ("<ol style='margin: 0; list-style:none'>", ["Keep a record.", "Sow clover.", "Report."]),
        ("<ul>", ["Keep a record.", "Sow clover.", "Report."]),
    ],
)
def test_points_of_a_numbered_list_of_a_page_have_their_numbers(opening: str, shown: list[str]) -> None:
    points = "<li>Keep a record.</li><li><p>Sow clover.</p></li><li value='7'><b>Report.</b></li>"
    closing = "</ul>" if "ul" in opening else "</ol>"
    page = f"<html><body><main><h1>Rules</h1>{ABOVE}{opening}{points}{closing}</main></body></html>"
    lines = HtmlReader().read(page.encode(), "a.html").text.split("\n")
    assert [line.removeprefix("- ") for line in lines[-3:]] == shown


def test_a_title_around_the_main_part_of_a_page_stays_where_it_is() -> None:
    page = f"<html><body><h1><main>{ABOVE}</main></h1></body></html>"
    assert "".join(re.findall(r"<p>([^<]*)", ABOVE)[:1]) in HtmlReader().read(page.encode(), "a.html").text


def test_powers_in_formulas_of_a_page_are_raised() -> None:
    power = "<math><msup><mn>10</mn><mn>5</mn></msup></math>"
    page = f"<html><body><main><h1>Rules</h1>{ABOVE}<p>It holds {power} seeds.</p></main></body></html>"
    assert "10⁵" in HtmlReader().read(page.encode(), "a.html").text


@pytest.mark.parametrize("begin", ["MIME-Version: 1.0\nContent-Type: multipart/related", "From: <Saved by Blink>\n"])
def test_a_page_saved_with_its_pictures_is_refused_by_what_it_is(begin: str) -> None:
    with pytest.raises(DocumentError, match=r"another format \(\.mht"):
        HtmlReader().read(f"{begin}<html><p>caf=C3=A9</p></html>".encode(), "a.html")


def test_a_page_under_the_name_of_a_text_is_refused_by_what_it_is() -> None:
    with pytest.raises(DocumentError, match=r"another format \(\.html"):
        TextReader().read(b"<!DOCTYPE html><p>One</p>", "a.txt")
