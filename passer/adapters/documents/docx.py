"""Word documents, by python-docx."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from typing import TYPE_CHECKING

from passer.adapters.documents.plain import document_of
from passer.domain.extras import requires_extra
from passer.domain.retrieval import Document
from passer.domain.wording.sentence import sentence
from passer.errors import DocumentError

if TYPE_CHECKING:
    import docx.document
    import docx.table

_OLE = bytes.fromhex("d0cf11e0a1b11ae1")
_MOST_UNPACKED = 512 * 1024 * 1024


class DocxReader:
    """Reads headings, paragraphs and tables in order. A table row becomes one line, cells separated by ` | `."""

    suffixes: tuple[str, ...] = (".docx",)

    def read(self, content: bytes, name: str) -> Document:
        if not content:
            raise DocumentError(sentence("document.empty", name=name))
        if content.startswith(_OLE):
            raise DocumentError(sentence("document.old-word", name=name))
        return document_of("\n\n".join(_blocks(_opened(content, name=name))), content=content, name=name)


def _opened(content: bytes, *, name: str) -> docx.document.Document:
    with requires_extra("retrieval", sentence("extra.word")):
        import docx

    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            unpacked = sum(entry.file_size for entry in archive.infolist())
        if unpacked > _MOST_UNPACKED:
            raise DocumentError(sentence("document.unpacks", name=name, size=unpacked // 2**20))
        return docx.Document(io.BytesIO(content))
    except (DocumentError, MemoryError):
        raise
    except Exception as exc:  # python-docx raises zip, XML and package errors of every kind
        raise DocumentError(sentence("document.not-word", name=name)) from exc


def _blocks(container: docx.document.Document | docx.table._Cell) -> Iterator[str]:
    from docx.table import Table

    for block in container.iter_inner_content():
        text = _rows(block) if isinstance(block, Table) else block.text
        if text.strip():
            yield text


def _rows(table: docx.table.Table) -> str:
    from docx.table import _Cell

    lines = []
    above: dict[int, str] = {}
    for row in table.rows:
        texts: dict[int, str] = {}
        column = row.grid_cols_before
        # Not `row.cells`: it holds a cell once per column that it spans, which may be two thousand million, and looks
        # for the beginning of cells that are merged downwards row by row, the square of their number.
        for cell in row._tr.tc_lst:
            continues = cell.vMerge == "continue" and column in above
            own = above[column] if continues else " ".join(" ".join(_blocks(_Cell(cell, table))).split())
            texts[column] = own
            column += cell.grid_span
        lines.append(" | ".join(texts.values()))
        above = texts
    return "\n".join(lines)
