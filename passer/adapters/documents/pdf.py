"""PDF, by PDFium; by pypdf where PDFium cannot open it."""

from __future__ import annotations

import io
import threading
from typing import TYPE_CHECKING

from passer.adapters.documents.plain import document_of_pages
from passer.domain.retrieval import Document
from passer.errors import DocumentError

if TYPE_CHECKING:
    import pypdfium2

# PDFium keeps global state: one thread at a time in the whole process.
_PDFIUM = threading.Lock()


class PdfReader:
    """Reads the text layer page by page and keeps where each page begins."""

    suffixes: tuple[str, ...] = (".pdf",)

    def read(self, content: bytes, name: str) -> Document:
        """All pages; DocumentError where it is damaged, encrypted, or holds only pictures."""
        if not content:
            raise DocumentError(f"{name} is empty: give a document with text in it.")
        pages = _pages_by_pdfium(content, name=name)
        if pages is None:
            pages = _pages_by_pypdf(content, name=name)
        return document_of_pages(pages, content=content, name=name)


def _encrypted(name: str) -> DocumentError:
    return DocumentError(f"{name} is encrypted: save it without a password and ingest that.")


def _pages_by_pdfium(content: bytes, *, name: str) -> list[str] | None:
    """Text of each page, or None where PDFium cannot read it."""
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
            return [_page_text(pdf, number) for number in range(len(pdf))] or None
        except pypdfium2.PdfiumError:
            return None
        finally:
            pdf.close()


def _page_text(pdf: pypdfium2.PdfDocument, number: int) -> str:
    page = pdf[number]
    try:
        text_page = page.get_textpage()
        try:
            # PDFium joins a word that was broken over two lines with U+FFFE, which normalising takes away.
            return str(text_page.get_text_range())
        finally:
            text_page.close()
    finally:
        page.close()


def _pages_by_pypdf(content: bytes, *, name: str) -> list[str]:
    import pypdf

    try:
        reader = pypdf.PdfReader(io.BytesIO(content))
        if reader.is_encrypted and not reader.decrypt(""):
            raise _encrypted(name)
        pages = [page.extract_text() for page in reader.pages]
    except DocumentError:
        raise
    except Exception as exc:  # pypdf meets damage with errors of every kind
        raise DocumentError(f"{name} is damaged or not a PDF: open it, save it again, and ingest that.") from exc
    if not pages:
        raise DocumentError(f"{name} is damaged or has no pages: open it, save it again, and ingest that.")
    return pages
