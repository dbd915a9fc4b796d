"""PDF, by PDFium, or by pypdf if PDFium cannot open the file."""

from __future__ import annotations

import re
import threading
from collections import Counter
from ctypes import c_float, c_int, c_void_p
from itertools import repeat
from math import degrees
from typing import TYPE_CHECKING, Literal
from unicodedata import east_asian_width

from passer.adapters.documents.pdf_glyphs import Box, address_of, quick
from passer.adapters.documents.pdf_hyphens import compounds_of
from passer.adapters.documents.pdf_lost import fonts_left_out, opened_by_pypdf, warnings_on
from passer.adapters.documents.pdf_page import PageText, finished, page_text
from passer.adapters.documents.pdf_running import Sheet, running_lines
from passer.adapters.documents.plain import document_of_pages, reader_version
from passer.domain.extras import requires_extra
from passer.domain.retrieval.passages import Document
from passer.domain.wording.sentence import Sentence, sentence
from passer.errors import DocumentError

if TYPE_CHECKING:
    import pypdfium2

# PDFium keeps global state: only one thread of the process may use it at a time.
_PDFIUM = threading.Lock()
_LETTERS = 100
"""Letters of a page by which its direction is found."""
_APART = re.compile("(?<=[\u2e80-\u9fff]) +(?=[\u2e80-\u9fff])| +(?= )")
"""Spaces between Chinese and Japanese signs, and all but one between others."""


class PdfReader:
    """Reads the text layer page by page, without headers and footers, and records where each page begins."""

    suffixes: tuple[str, ...] = (".pdf",)

    @property
    def version(self) -> str:
        with requires_extra("retrieval", sentence("extra.pdf")):
            return reader_version("pdf-7", "pypdfium2", "pypdf")

    def read(self, content: bytes, name: str) -> Document:
        if not content:
            raise DocumentError(sentence("document.empty", name=name))
        warnings: tuple[Sentence, ...] = ()
        found = _pages_by_pdfium(content, name=name)
        if found is None:
            pages = _pages_by_pypdf(content, name=name)
        else:
            pages, warnings = found
            if not any(map(str.strip, pages)):
                pages, warnings = _single_signs(content, name=name) or pages, ()
        return document_of_pages(pages, content=content, name=name, reader=self.version, warnings=warnings)


def _encrypted(name: str) -> DocumentError:
    return DocumentError(sentence("document.encrypted", name=name))


def _pages_by_pdfium(content: bytes, *, name: str) -> tuple[list[str], tuple[Sentence, ...]] | None:
    """Return the text of each page and what they lack, or None if PDFium cannot read the file."""
    with requires_extra("retrieval", sentence("extra.pdf")):
        import pypdfium2
        from pypdfium2 import raw

    with _PDFIUM:
        try:
            pdf = pypdfium2.PdfDocument(content)
        except pypdfium2.PdfiumError as exc:
            if getattr(exc, "err_code", None) == raw.FPDF_ERR_PASSWORD:
                raise _encrypted(name) from exc
            return None
        try:
            # Forms of this kind are drawn by Adobe's own program; others have a page that says "Please wait...".
            if pdf.get_formtype() == raw.FORMTYPE_XFA_FULL:
                raise DocumentError(sentence("document.xfa", name=name))
            pdf.init_forms()
            pages = [_page_text(pdf, number) for number in range(len(pdf))]
            attached = pdf.count_attachments()
        except pypdfium2.PdfiumError:
            return None
        finally:
            pdf.close()
    if None in pages and not any(page.text.strip() for page in pages if page is not None):
        raise DocumentError(sentence("document.no-letters", name=name))
    running = running_lines([Sheet((), 0.0) if page is None else page.sheet for page in pages])
    compounds = compounds_of(page.text for page in pages if page is not None)
    found = (page and finished(page, lines, compounds) for page, lines in zip(pages, running, strict=True))
    texts = [text or "" for text in found]
    return (texts, warnings_on(content, name, pages, texts, attached)) if texts else None


def _page_text(pdf: pypdfium2.PdfDocument, number: int) -> PageText | None:
    page = pdf[number]
    if _has_notes(page):
        # Only now is what people wrote into fields a part of the page.
        page = _flattened(pdf, page, number)
    try:
        text_page = page.get_textpage()
        if (rotation := _upright(page, text_page)) is not None:
            # PDFium reads the lines of text that is shown turned to the right from the last to the first.
            text_page.close()
            page.set_rotation(rotation)
            text_page = page.get_textpage()
        try:
            found = page_text(text_page, Box(*page.get_bbox()), is_upright=rotation is None)
            return found and found._replace(left_out=fonts_left_out(page, text_page))
        finally:
            text_page.close()
    finally:
        page.close()


def _has_notes(page: pypdfium2.PdfPage) -> bool:
    """Return whether a page has fields of a form, or text that was written onto it."""
    from pypdfium2 import raw

    for number in range(raw.FPDFPage_GetAnnotCount(page.raw)):
        note = raw.FPDFPage_GetAnnot(page.raw, number)
        kind = raw.FPDFAnnot_GetSubtype(note)
        raw.FPDFPage_CloseAnnot(note)
        if kind in (raw.FPDF_ANNOT_WIDGET, raw.FPDF_ANNOT_FREETEXT):
            return True
    return False


def _flattened(pdf: pypdfium2.PdfDocument, page: pypdfium2.PdfPage, number: int) -> pypdfium2.PdfPage:
    from pypdfium2 import raw

    raw.FPDFPage_Flatten(page.raw, raw.FLAT_NORMALDISPLAY)
    page.close()
    return pdf[number]


def _upright(page: pypdfium2.PdfPage, text_page: pypdfium2.PdfTextPage) -> int | None:
    """Return the rotation of a page at which most of its letters are upright; None if they already are."""
    count = text_page.count_chars()
    places = range(0, count, max(1, count // _LETTERS))
    angle_of = quick("FPDFText_GetCharAngle", c_float, c_void_p, c_int)
    quarters = Counter[int]()
    for angle, times in Counter(map(angle_of, repeat(address_of(text_page)), places)).items():
        quarters[round(degrees(angle) / 90) % 4] += times
    [(quarter, most)] = quarters.most_common(1) or [(0, 0)]
    rotation = (4 - quarter) % 4 * 90
    return rotation if 2 * most > len(places) and rotation != page.get_rotation() else None


def _single_signs(content: bytes, *, name: str) -> list[str] | None:
    """Return the text of a file whose East Asian signs are each drawn alone; None if it has others, or none at all.

    PDFium gives such signs no width, and leaves them out, if neither the file nor the computer has their font.
    """
    try:
        pages = [_APART.sub("", page) for page in _pages_by_pypdf(content, name=name, mode="layout")]
    except DocumentError:
        return None
    signs = [sign for sign in "".join(pages) if not sign.isspace()]
    wide = sum(east_asian_width(sign) in "WF" for sign in signs)
    return pages if 2 * wide > len(signs) else None


def _pages_by_pypdf(content: bytes, *, name: str, mode: Literal["plain", "layout"] = "plain") -> list[str]:
    """Return the text of each page; `layout` puts it together by its places."""
    try:
        reader = opened_by_pypdf(content)
        if reader.is_encrypted and not reader.decrypt(""):
            raise _encrypted(name)
        pages = [page.extract_text(extraction_mode=mode) for page in reader.pages]
    except (DocumentError, MemoryError):
        raise
    except Exception as exc:  # pypdf raises errors of every kind on damaged files
        raise DocumentError(sentence("document.not-pdf", name=name)) from exc
    if not pages:
        raise DocumentError(sentence("document.no-pages", name=name))
    return pages
