"""Document readers, one file per format."""

from __future__ import annotations

from typing import TYPE_CHECKING

from passer.adapters.documents.docx import DocxReader
from passer.adapters.documents.html import HtmlReader
from passer.adapters.documents.pdf import PdfReader
from passer.adapters.documents.plain import MarkdownReader, TextReader

if TYPE_CHECKING:
    from passer.ports import DocumentReader


def document_readers() -> tuple[DocumentReader, ...]:
    """Return one reader per format."""
    return (TextReader(), MarkdownReader(), PdfReader(), DocxReader(), HtmlReader())
