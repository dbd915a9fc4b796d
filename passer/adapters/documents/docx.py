"""Word documents, by python-docx."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from typing import TYPE_CHECKING

from passer.adapters.documents.plain import document_of
from passer.domain.retrieval import Document
from passer.errors import DocumentError

if TYPE_CHECKING:
    import docx.document
    import docx.table

_OLE = bytes.fromhex("d0cf11e0a1b11ae1")
_MOST_UNPACKED = 512 * 1024 * 1024


class DocxReader:
    """Reads headings, paragraphs and tables in their order; a table row is one line, its cells parted by ` | `."""

    suffixes: tuple[str, ...] = (".docx",)

    def read(self, content: bytes, name: str) -> Document:
        """The body's text; DocumentError where it is damaged, encrypted, or holds no text."""
        if not content:
            raise DocumentError(f"{name} is empty: give a document with text in it.")
        if content.startswith(_OLE):
            raise DocumentError(f"{name} is encrypted or an old Word file: save it as .docx without a password.")
        return document_of("\n\n".join(_blocks(_opened(content, name=name))), content=content, name=name)


def _opened(content: bytes, *, name: str) -> docx.document.Document:
    import docx

    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            unpacked = sum(entry.file_size for entry in archive.infolist())
        if unpacked > _MOST_UNPACKED:
            raise DocumentError(f"{name} unpacks to {unpacked // 2**20} MB: split it into smaller documents.")
        return docx.Document(io.BytesIO(content))
    except DocumentError:
        raise
    except Exception as exc:  # zip, XML and package errors of every kind
        raise DocumentError(
            f"{name} is damaged or not a Word document: open it, save it again as .docx, and ingest that."
        ) from exc


def _blocks(container: docx.document.Document | docx.table._Cell) -> Iterator[str]:
    from docx.table import Table

    for block in container.iter_inner_content():
        text = _rows(block) if isinstance(block, Table) else block.text
        if text.strip():
            yield text


def _rows(table: docx.table.Table) -> str:
    lines = []
    for row in table.rows:
        # A merged cell is given once for each column it spans.
        cells = list(dict.fromkeys(row.cells))
        lines.append(" | ".join(" ".join(" ".join(_blocks(cell)).split()) for cell in cells))
    return "\n".join(lines)
