"""Reader of plain text files."""

from __future__ import annotations

from passer.adapters.documents.plain import decoded, document_of
from passer.domain.retrieval import Document


class TextReader:
    """Reads UTF-8 text files unchanged."""

    suffixes: tuple[str, ...] = (".txt", ".text")

    def read(self, content: bytes, name: str) -> Document:
        """Return the text; DocumentError if it is empty or not UTF-8."""
        return document_of(decoded(content, name=name), content=content, name=name)
