"""The PDF reader: pages kept, the real regulation read whole, bad files refused in one sentence."""

from __future__ import annotations

import io
from concurrent.futures import ThreadPoolExecutor
from ctypes import c_ushort
from pathlib import Path
from typing import Any, cast

import numpy as np
import pypdf
import pypdfium2
import pytest
from pypdf.generic import DecodedStreamObject, DictionaryObject, NameObject, TextStringObject
from pypdfium2 import raw

from passer.adapters.documents import pdf as pdf_module
from passer.adapters.documents.pdf import PdfReader
from passer.adapters.splitter import RecursiveSplitter
from passer.domain.retrieval.passages import Chunking
from passer.errors import DocumentError
from tests.adapters.drawn_pdf import drawn

FONT = {"Type": "Font", "Subtype": "Type1", "BaseFont": "Helvetica"}


def pdf_bytes(*pages: str) -> bytes:
    """A PDF with one line of text on each page."""
    pdf = pypdfium2.PdfDocument.new()
    font = raw.FPDFText_LoadStandardFont(pdf, b"Helvetica")
    for text in pages:
        page = pdf.new_page(595, 842)
        line = raw.FPDFPageObj_CreateTextObj(pdf, font, 12.0)
        code = (text + "\0").encode("utf-16-le")
        raw.FPDFText_SetText(line, (c_ushort * (len(code) // 2)).from_buffer_copy(code))
        raw.FPDFPageObj_Transform(line, 1, 0, 0, 1, 72, 700)
        raw.FPDFPage_InsertObject(page, line)
        page.gen_content()
        page.close()
    stream = io.BytesIO()
    pdf.save(stream)
    raw.FPDFFont_Close(font)
    pdf.close()
    return stream.getvalue()


@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
@pytest.mark.parametrize("matrix", [(1, 0, 0, 1), (0, 1, -1, 0), (-1, 0, 0, -1), (0, -1, 1, 0)])
def test_lines_keep_their_order_however_a_page_is_turned(matrix: tuple[int, int, int, int], rotation: int) -> None:
    lines = ["Wheat needs nitrogen", "in spring. It gets", "120 kg per hectare."]
    a, b, c, d = matrix
    # The next line is below in the direction of the text.
    places = [(300 - 14 * c * row, 400 - 14 * d * row) for row in range(3)]
    shown = "".join(
        f"BT /F1 11 Tf {a} {b} {c} {d} {x} {y} Tm ({line}) Tj ET\n" for line, (x, y) in zip(lines, places, strict=True)
    )
    writer = pypdf.PdfWriter()
    page = writer.add_blank_page(595, 842).rotate(rotation)
    font = DictionaryObject({NameObject(f"/{key}"): NameObject(f"/{value}") for key, value in FONT.items()})
    fonts = DictionaryObject({NameObject("/F1"): font})
    page[NameObject("/Resources")] = DictionaryObject({NameObject("/Font"): fonts})
    content = DecodedStreamObject()
    content.set_data(shown.encode())
    page[NameObject("/Contents")] = writer._add_object(content)
    stream = io.BytesIO()
    writer.write(stream)
    assert PdfReader().read(stream.getvalue(), "turned.pdf").text.split("\n") == lines


def picture_pdf() -> bytes:
    """A page that holds a picture and no text, as a scanner makes it."""
    pdf = pypdfium2.PdfDocument.new()
    page = pdf.new_page(200, 200)
    picture = pypdfium2.PdfImage.new(pdf)
    bitmap = pypdfium2.PdfBitmap.new_native(8, 8, raw.FPDFBitmap_BGR)
    picture.set_bitmap(bitmap)
    picture.set_matrix(pypdfium2.PdfMatrix().scale(200, 200))
    page.insert_obj(picture)
    page.gen_content()
    page.close()
    stream = io.BytesIO()
    pdf.save(stream)
    bitmap.close()
    pdf.close()
    return stream.getvalue()


def encrypted(content: bytes, password: str) -> bytes:
    writer = pypdf.PdfWriter(clone_from=io.BytesIO(content))
    writer.encrypt(user_password=password, owner_password="owner", algorithm="AES-256")
    stream = io.BytesIO()
    writer.write(stream)
    return stream.getvalue()


def test_pages_are_kept() -> None:
    document = PdfReader().read(pdf_bytes("Soil life", "Crop rotation", "Bees"), "three.pdf")
    assert document.text == "Soil life\n\nCrop rotation\n\nBees"
    assert document.page_starts == (0, 11, 26)
    assert [document.page_at(document.text.index(word)) for word in ("life", "Crop", "Bees")] == [1, 2, 3]


def test_an_empty_user_password_opens() -> None:
    assert PdfReader().read(encrypted(pdf_bytes("Soil"), ""), "soil.pdf").text == "Soil"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is empty"),
        (b"not a PDF at all", "is damaged or not a PDF"),
        (pdf_bytes("Soil life")[:120], "is damaged or not a PDF"),
        (encrypted(pdf_bytes("Soil life"), "secret"), "is encrypted. Save it without a password"),
        (picture_pdf(), "contains images but no text. Run text recognition"),
    ],
)
@pytest.mark.filterwarnings("ignore::pypdf.errors.PdfReadWarning")
def test_a_bad_pdf_is_refused_in_one_sentence(content: bytes, message: str) -> None:
    with pytest.raises(DocumentError, match=message) as caught:
        PdfReader().read(content, "bad.pdf")
    assert str(caught.value).endswith(".")


@pytest.mark.parametrize("content", [pdf_bytes("Soil life"), encrypted(pdf_bytes("Soil life"), "")])
def test_pypdf_reads_what_pdfium_cannot(content: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pdf_module, "_pages_by_pdfium", lambda content, *, name: None)
    assert PdfReader().read(content, "soil.pdf").text.strip() == "Soil life"


def test_east_asian_signs_that_are_drawn_alone_in_a_font_of_the_reader(tmp_path: Path) -> None:
    """PDFium finds no text in such a file on a computer without Chinese fonts."""
    signs = [(70 + 12.0 * place, 700.0, 12.0, sign) for place, sign in enumerate(("W\x1f", "X\xe4"))]
    writer = pypdf.PdfWriter(clone_from=io.BytesIO(drawn(signs, has_codes_only=True)))
    font: Any = cast("Any", writer.pages[0])["/Resources"]["/Font"]["/F1"]
    inner: Any = font["/DescendantFonts"][0].get_object()
    for each, key, name in ((font, "/Encoding", "/UniGB-UCS2-H"), (inner, "/Subtype", "/CIDFontType0")):
        each[NameObject(key)] = NameObject(name)
    inner["/CIDSystemInfo"][NameObject("/Ordering")] = TextStringObject("GB1")
    for each in (font, inner):
        each[NameObject("/BaseFont")] = NameObject("/STSong-Light")
    writer.write(tmp_path / "soil.pdf")
    assert PdfReader().read((tmp_path / "soil.pdf").read_bytes(), "soil.pdf").text.split() == ["\u571f\u58e4"]


def test_what_pypdf_repairs_is_not_logged(caplog: pytest.LogCaptureFixture) -> None:
    """Without a handler, Python prints warnings on the terminal of the command line."""
    caplog.set_level("WARNING")
    with pytest.raises(DocumentError):
        PdfReader().read(pdf_bytes("Soil life")[:300], "soil.pdf")
    assert caplog.records == []


def test_pypdf_says_encrypted_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pdf_module, "_pages_by_pdfium", lambda content, *, name: None)
    with pytest.raises(DocumentError, match="is encrypted"):
        PdfReader().read(encrypted(pdf_bytes("Soil life"), "secret"), "soil.pdf")


def test_many_threads_read_the_same() -> None:
    contents = [pdf_bytes(f"Page of document {n}", "and a second") for n in range(4)]
    with ThreadPoolExecutor(8) as pool:
        texts = list(pool.map(lambda n: PdfReader().read(contents[n % 4], "t.pdf").text, range(64)))
    assert texts == [f"Page of document {n % 4}\n\nand a second" for n in range(64)]


def test_the_regulation_is_read_completely(test_data: Path) -> None:
    """Against pypdf, an independent reader: the same pages, and on each nearly the same words."""
    content = (test_data / "corpus" / "eur178468consolidation.pdf").read_bytes()
    document = PdfReader().read(content, "regulation.pdf")
    other = pypdf.PdfReader(io.BytesIO(content))
    assert len(document.page_starts) == len(other.pages)
    assert document.page_at(len(document.text) - 1) == len(other.pages)
    ends = (*document.page_starts[1:], len(document.text))
    for number in (0, 40, len(other.pages) - 1):
        ours = set(document.text[document.page_starts[number] : ends[number]].split())
        theirs = set(other.pages[number].extract_text().split())
        assert len(ours & theirs) > 0.9 * len(theirs), f"page {number + 1}"
    assert "List of subcontractors" in document.text[document.page_starts[-1] :]


def test_passages_cover_every_character_of_the_regulation(test_data: Path) -> None:
    content = (test_data / "corpus" / "eur178468consolidation.pdf").read_bytes()
    document = PdfReader().read(content, "regulation.pdf")
    passages = RecursiveSplitter().split(document, Chunking())
    covered = np.zeros(len(document.text), dtype=bool)
    for passage in passages:
        assert document.text[passage.start : passage.end] == passage.text
        assert passage.page == document.page_at(passage.start)
        covered[passage.start : passage.end] = True
    left = "".join(document.text[i] for i in np.flatnonzero(~covered))
    assert not left.strip()
    # 327,000 characters in steps of at most 1,024 - 50, and no more than twice that many pieces.
    assert len(document.text) / 1024 < len(passages) < 2 * len(document.text) / (1024 - 50)
    assert {p.page for p in passages} >= {1, len(document.page_starts)}
