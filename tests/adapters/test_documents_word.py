"""Word documents: formulas, crossed-out text and tables within tables as they are seen."""

from __future__ import annotations

import io

import docx
import pytest
from docx.oxml.parser import parse_xml

from passer.adapters.documents.docx import DocxReader

SPACES = " ".join(
    f'xmlns:{name}="http://schemas.openxmlformats.org/{place}/2006/{kind}"'
    for name, place, kind in (("w", "wordprocessingml", "main"), ("m", "officeDocument", "math"))
)


def text_of(*paragraphs: str) -> str:
    document, stream = docx.Document(), io.BytesIO()
    for xml in paragraphs:
        document.add_paragraph()._p.getparent().append(parse_xml(f"<w:p {SPACES}>{xml}</w:p>"))
    document.save(stream)
    return DocxReader().read(stream.getvalue(), "a.docx").text


def run(text: str, looks: str = "") -> str:
    return f'<w:r><w:rPr>{looks}</w:rPr><w:t xml:space="preserve">{text}</w:t></w:r>'


def sign(text: str) -> str:
    return f"<m:r><m:t>{text}</m:t></m:r>"


def of(name: str, *parts: str) -> str:
    return f"<m:{name}>{''.join(parts)}</m:{name}>"


@pytest.mark.parametrize(
    ("formula", "read"),
    [
        (of("d", of("e", sign("a+b"))) + sign("c"), "(a+b)c"),
        (of("d", of("dPr", '<m:begChr m:val="["/><m:endChr m:val=""/>'), of("e", sign("a"))), "[a"),
        (of("rad", of("deg"), of("e", sign("x+1"))), "√(x+1)"),
        (of("rad", of("deg", sign("3")), of("e", sign("8"))), "√[3]8"),
        (
            of("nary", of("naryPr", '<m:chr m:val="∑"/>'), of("sub", sign("i=1")), of("sup", sign("n"))).replace(
                "</m:nary>", of("e", sign("i")) + "</m:nary>"
            ),
            "∑_(i=1)^(n) i",
        ),
        (of("func", of("fName", sign("log")), of("e", sign("x"))), "log x"),
        (of("m", *(of("mr", of("e", sign(a)), of("e", sign(b))) for a, b in ("12", "34"))), "1, 2; 3, 4"),
        (of("f", of("num", of("d", of("e", sign("a+b")))), of("den", sign("2"))), "(a+b)/2"),
    ],
)
def test_a_formula_keeps_its_signs(formula: str, read: str) -> None:
    assert text_of(f"<m:oMath>{formula}</m:oMath>") == read


def test_crossed_out_text_is_left_out() -> None:
    looks = ("<w:strike/>", '<w:strike w:val="0"/>', "<w:dstrike/>")
    words = zip((" 170", " 120", " 90"), looks, strict=True)
    assert text_of(run("The limit is"), "".join(run(text, look) for text, look in words)) == "The limit is\n\n 120"


def test_figures_that_are_set_higher_are_powers() -> None:
    assert text_of(run("10") + run("5", '<w:position w:val="8"/>') + run("0", '<w:position w:val="-4"/>')) == "10⁵0"


def test_words_on_both_sides_of_the_end_of_a_page_stay_apart() -> None:
    assert text_of(run("the end") + '<w:r><w:br w:type="page"/></w:r>' + run("The next")) == "the end\nThe next"


def test_a_table_within_a_cell_is_no_further_columns() -> None:
    document, stream = docx.Document(), io.BytesIO()
    table = document.add_table(1, 3)
    table.cell(0, 0).text, table.cell(0, 2).text = "Wheat", "2021"
    inner = table.cell(0, 1).add_table(2, 2)
    for number, cell in enumerate(inner._cells):
        cell.text = f"value {number}"
    document.save(stream)
    text = DocxReader().read(stream.getvalue(), "a.docx").text
    assert text == "Wheat | value 0, value 1; value 2, value 3 | 2021"


def test_a_paragraph_whose_end_was_deleted_goes_on_in_the_next() -> None:
    deleted = "<w:pPr><w:rPr><w:del w:id='1' w:author='a'/></w:rPr></w:pPr>"
    assert text_of(deleted + run("The yield "), deleted + run("is "), run("500 kg."), run("Next.")) == (
        "The yield is 500 kg.\n\nNext."
    )
    assert text_of(run("First."), deleted + run("Last.")) == "First.\n\nLast."


def test_a_field_that_nobody_filled_in_has_no_text() -> None:
    def field(properties: str, text: str) -> str:
        return f"<w:sdt><w:sdtPr>{properties}</w:sdtPr><w:sdtContent>{run(text)}</w:sdtContent></w:sdt>"

    asked, filled = field("<w:showingPlcHdr/>", "Click here to enter text."), field("", "Maria")
    assert text_of(run("Name: ") + filled + run(", farm: ") + asked) == "Name: Maria, farm: "
