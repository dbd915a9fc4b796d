"""Readers of text, Markdown, Word and web pages: real bytes in, the expected text out."""

from __future__ import annotations

import hashlib
import io
import zipfile

import docx
import pytest
from docx.opc.constants import CONTENT_TYPE
from docx.opc.packuri import PackURI
from docx.opc.part import Part
from docx.oxml.parser import parse_xml

from passer.adapters.documents import document_readers
from passer.adapters.web import MEDIA_SUFFIXES
from passer.domain.retrieval.passages import Document
from passer.errors import DocumentError
from passer.services.library.document_ingest import NOT_READ


def read(content: bytes, name: str) -> Document:
    suffix = name[name.rindex(".") :]
    (reader,) = [each for each in document_readers() if suffix in each.suffixes]
    return reader.read(content, name)


def docx_bytes(document: docx.document.Document) -> bytes:
    stream = io.BytesIO()
    document.save(stream)
    return stream.getvalue()


def test_every_suffix_has_one_reader() -> None:
    suffixes = [suffix for reader in document_readers() for suffix in reader.suffixes]
    assert len(set(suffixes)) == len(suffixes)
    assert {".txt", ".md", ".pdf", ".docx", ".html"} <= set(suffixes)


def test_a_format_is_also_fetched_from_the_web_and_is_not_among_those_that_are_refused() -> None:
    refused = {suffix for ends in NOT_READ for suffix in ends}
    for reader in document_readers():
        assert {*reader.suffixes} & {*MEDIA_SUFFIXES.values()}, f"web.MEDIA_SUFFIXES has none of {reader.suffixes}"
        assert not {*reader.suffixes} & refused, "remove it from NOT_READ of document_ingest.py"


def test_text_is_normalised_and_the_digest_is_of_the_bytes() -> None:
    content = "\ufeffCafe\u0301\r\nsecond\rthird\x00 \u2028end".encode()
    document = read(content, "note.txt")
    assert document.text == "Café\nsecond\nthird \nend"
    assert document.digest == hashlib.sha256(content).hexdigest()
    assert (document.name, document.page_starts) == ("note.txt", ())


@pytest.mark.parametrize("content", [b"", b"\xef\xbb\xbf", b" \r\n\t "])
@pytest.mark.parametrize("name", ["a.txt", "a.md", "a.html"])
def test_a_document_without_text_is_refused(content: bytes, name: str) -> None:
    with pytest.raises(DocumentError, match=r"^a\.\w+ .*\. Use a document with text\.$"):
        read(content, name)


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "cp1252"])
@pytest.mark.parametrize("name", ["a.txt", "a.md"])
def test_other_encodings_are_refused_not_guessed(encoding: str, name: str) -> None:
    with pytest.raises(DocumentError, match=r"is not UTF-8 text .*\. Save it as UTF-8"):
        read("Žluťoučký – 5 €".encode(encoding, "replace"), name)


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("Нормата е сто килограма.", "utf-16-le"),
        ("Нормата е сто килограма.", "utf-16-be"),
        ("The dose is ten.", "utf-16-le"),
        ("अनुशंसित मात्रा दस है", "utf-16-le"),
        ("推奨される量は十キロです。", "iso2022_jp"),
    ],
)
@pytest.mark.parametrize("name", ["a.txt", "a.md", "a.html"])
def test_an_encoding_whose_bytes_pass_for_utf_8_is_refused(text: str, encoding: str, name: str) -> None:
    with pytest.raises(DocumentError, match="Save it as UTF-8"):
        read(text.encode(encoding), name)


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
@pytest.mark.parametrize("name", ["a.txt", "a.md", "a.html"])
def test_a_byte_order_mark_names_the_encoding(encoding: str, name: str) -> None:
    text = "Нормата е сто килограма. 推奨される量は十キロです。"
    assert text in read(f"\ufeff<html><p>{text}</p></html>".encode(encoding), name).text


def test_a_word_document_keeps_the_order_of_headings_paragraphs_and_tables() -> None:
    source = docx.Document()
    source.add_heading("Conversion", level=1)
    source.add_paragraph("Two years for annual crops.")
    table = source.add_table(rows=2, cols=2)
    for cell, text in zip((c for row in table.rows for c in row.cells), ("Crop", "Years", "Vines", "3"), strict=True):
        cell.text = text
    source.add_paragraph("After the table.")
    assert read(docx_bytes(source), "rules.docx").text == (
        "Conversion\n\nTwo years for annual crops.\n\nCrop | Years\nVines | 3\n\nAfter the table."
    )


_WORD = (
    'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" '
    'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math" '
    'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"'
)


@pytest.mark.parametrize(
    ("xml", "text"),
    [
        ("<w:ins><w:r><w:t>twenty</w:t></w:r></w:ins><w:del><w:r><w:delText>ten</w:delText></w:r></w:del>", "twenty"),
        ("<w:moveTo><w:r><w:t>a</w:t></w:r></w:moveTo><w:moveFrom><w:r><w:t>b</w:t></w:r></w:moveFrom>", "a"),
        ("<w:sdt><w:sdtPr/><w:sdtContent><w:r><w:t>(Smith 2020)</w:t></w:r></w:sdtContent></w:sdt>", "(Smith 2020)"),
        ('<w:fldSimple w:instr="REF x"><w:r><w:t>Table 3</w:t></w:r></w:fldSimple>', "Table 3"),
        ('<w:smartTag w:element="place"><w:r><w:t>Sofia</w:t></w:r></w:smartTag>', "Sofia"),
        ("<m:oMath><m:r><m:t>a+b</m:t></m:r></m:oMath>", "a+b"),
        ("<w:r><w:t>well</w:t><w:noBreakHyphen/><w:t>known</w:t></w:r>", "well-known"),
        (
            "<w:r><w:ruby><w:rt><w:r><w:t>せひ</w:t></w:r></w:rt><w:rubyBase><w:r><w:t>施肥</w:t></w:r></w:rubyBase>"
            "</w:ruby></w:r>",
            "施肥",
        ),
    ],
)
def test_a_paragraph_of_word_is_read_whole_with_tracked_changes_as_accepted(xml: str, text: str) -> None:
    source = docx.Document()
    paragraph = source.add_paragraph("The dose is ")
    for element in parse_xml(f"<w:p {_WORD}>{xml}</w:p>"):
        paragraph._p.append(element)
    paragraph.add_run(" here.")
    assert read(docx_bytes(source), "a.docx").text == f"The dose is {text} here."


def test_content_controls_of_word_hold_paragraphs_and_rows_of_the_text() -> None:
    source = docx.Document()
    source.add_paragraph("First")
    source.add_table(rows=1, cols=1).cell(0, 0).text = "row"
    control = f"<w:sdt {_WORD}><w:sdtContent>{{}}</w:sdtContent></w:sdt>"
    source.element.body.insert(1, parse_xml(control.format("<w:p><w:r><w:t>Inside</w:t></w:r></w:p>")))
    row = "<w:tr><w:tc><w:p><w:r><w:t>row inside</w:t></w:r></w:p></w:tc></w:tr>"
    source.tables[0]._tbl.append(parse_xml(control.format(row)))
    assert read(docx_bytes(source), "a.docx").text == "First\n\nInside\n\nrow\nrow inside"


def test_a_deleted_row_of_a_word_table_is_left_out() -> None:
    source = docx.Document()
    table = source.add_table(rows=2, cols=1)
    table.cell(0, 0).text, table.cell(1, 0).text = "kept", "deleted"
    table.rows[1]._tr.get_or_add_trPr().append(parse_xml(f"<w:del {_WORD}/>"))
    assert read(docx_bytes(source), "a.docx").text == "kept"


def test_text_boxes_and_notes_of_word_follow_their_paragraph_once() -> None:
    source = docx.Document()
    box = "<w:txbxContent><w:p><w:r><w:t>In a box.</w:t></w:r></w:p></w:txbxContent>"
    alternative = f"<mc:Choice>{box}</mc:Choice><mc:Fallback>{box}</mc:Fallback>"
    run = f"<w:r {_WORD}><mc:AlternateContent>{alternative}</mc:AlternateContent></w:r>"
    note = f'<w:r {_WORD}><w:footnoteReference w:id="2"/></w:r>'
    paragraph = source.add_paragraph("Dose ten.")
    paragraph._p.append(parse_xml(run))
    paragraph._p.append(parse_xml(note))
    source.add_paragraph("After.")
    text = "<w:p><w:r><w:t>On dry soil.</w:t></w:r></w:p>"
    blob = f'<w:footnotes {_WORD}><w:footnote w:id="2">{text}</w:footnote></w:footnotes>'
    kind = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/footnotes"
    part = Part(PackURI("/word/footnotes.xml"), CONTENT_TYPE.WML_FOOTNOTES, blob.encode(), source.part.package)
    source.part.relate_to(part, kind)
    assert read(docx_bytes(source), "a.docx").text == "Dose ten.\n\nIn a box.\n\nOn dry soil.\n\nAfter."


def test_a_merged_cell_of_a_word_table_is_read_once() -> None:
    source = docx.Document()
    table = source.add_table(rows=1, cols=3)
    table.cell(0, 0).merge(table.cell(0, 1)).text = "wide"
    table.cell(0, 2).text = "narrow"
    assert read(docx_bytes(source), "t.docx").text == "wide | narrow"


def test_a_cell_merged_downwards_is_read_in_each_of_its_rows() -> None:
    source = docx.Document()
    table = source.add_table(rows=3, cols=3)
    table.cell(0, 0).merge(table.cell(0, 1)).text = "wide"
    table.cell(0, 2).merge(table.cell(2, 2)).text = "tall"
    table.cell(1, 0).text, table.cell(1, 1).text = "a", "b"
    table.cell(2, 0).merge(table.cell(2, 1)).text = "c"
    assert read(docx_bytes(source), "t.docx").text == "wide | tall\na | b | tall\nc | tall"


def test_a_word_document_is_not_unpacked_beyond_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    source = docx.Document()
    source.add_paragraph("Clover fixes nitrogen.")
    stream = io.BytesIO(docx_bytes(source))
    with zipfile.ZipFile(stream, "a", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("word/media/picture.bmp", bytes(3 * 2**20))
    assert read(stream.getvalue(), "large.docx").text == "Clover fixes nitrogen."
    monkeypatch.setattr("passer.adapters.documents.docx._MOST_UNPACKED", 2 * 2**20)
    with pytest.raises(DocumentError, match=r"^large.docx unpacks to 3 MB. Split it into smaller documents.$"):
        read(stream.getvalue(), "large.docx")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is empty"),
        (b"PK\x03\x04 and then nothing", "is damaged or not a Word document"),
        (bytes.fromhex("d0cf11e0a1b11ae1") + b"\0" * 600, "is encrypted or in the old Word format"),
        (docx_bytes(docx.Document()), "contains no text"),
    ],
)
def test_a_bad_word_document_is_refused_in_one_sentence(content: bytes, message: str) -> None:
    with pytest.raises(DocumentError, match=message) as caught:
        read(content, "bad.docx")
    assert str(caught.value).endswith(".")
    assert "\n" not in str(caught.value)


PAGE = """<!doctype html><html><head><title>Bees</title><style>p {color: red}</style></head><body>
<nav><a href="/">Home</a> <a href="/x">Other</a></nav>
<article><h1>Organic beekeeping</h1>
<p>Apiaries stand where nectar and pollen within three kilometres come mainly from organic crops.</p>
<p>At the end of the season the hives keep enough honey and pollen to survive the winter.</p>
<table><tr><th>Treatment</th><th>Allowed</th></tr><tr><td>Formic acid</td><td>yes</td></tr></table></article>
<script>track("reader")</script><footer>Imprint</footer></body></html>"""


def test_a_web_page_gives_its_main_text() -> None:
    text = read(PAGE.encode(), "bees.html").text
    assert text.index("Organic beekeeping") < text.index("three kilometres") < text.index("survive the winter")
    assert "Formic acid" in text
    assert not any(word in text for word in ("track", "color", "Imprint", "<p>"))


def test_a_page_without_a_main_part_is_taken_whole() -> None:
    page = b"<html><body><script>hidden()</script><div>Only a <b>few</b> words</div></body></html>"
    assert read(page, "few.html").text.split() == ["Only", "a", "few", "words"]


def test_a_page_in_the_charset_it_names_is_read() -> None:
    page = '<html><head><meta charset="iso-8859-2"></head><body><p>žluťoučký kůň</p></body></html>'
    assert "žluťoučký kůň" in read(page.encode("iso-8859-2"), "cz.html").text


@pytest.mark.parametrize(
    ("named", "encoding", "text"),
    [
        # What browsers read these names as: https://encoding.spec.whatwg.org/#names-and-labels
        ("iso-8859-1", "cp1252", "It costs “ten” € – cheap"),
        ("iso-8859-9", "cp1254", "“Önerilen” miktar"),
        ("gb2312", "gbk", "朱镕基推荐的施肥量"),
        ("shift_jis", "cp932", "①推奨される量"),
        ("x-sjis", "cp932", "推奨される量"),
        ("euc-kr", "cp949", "똠방각하 권장량"),
        ("iso-2022-jp", "iso2022_jp", "推奨される量"),
    ],
)
def test_a_page_is_read_by_the_charset_that_browsers_mean(named: str, encoding: str, text: str) -> None:
    page = f'<html><head><meta charset="{named}"></head><body><p>{text}</p></body></html>'
    assert text in read(page.encode(encoding), "page.html").text


def test_the_declaration_of_xml_names_a_charset() -> None:
    page = '<?xml version="1.0" encoding="windows-1251"?><html><body><p>Нормата е сто килограма.</p></body></html>'
    assert "Нормата е сто килограма." in read(page.encode("cp1251"), "page.xhtml").text


def test_a_page_in_an_unnamed_charset_is_refused() -> None:
    with pytest.raises(DocumentError, match="Save it as UTF-8"):
        read("<html><body><p>žluťoučký</p></body></html>".encode("iso-8859-2"), "cz.html")
    # Its bytes are all below 128.
    with pytest.raises(DocumentError, match="Save it as UTF-8"):
        read('<html><head><meta charset="utf-8"></head><body><p>推奨</p></body></html>'.encode("iso2022_jp"), "ja.html")
