"""Plain text."""

from __future__ import annotations

from passer.adapters.documents.plain import decoded, document_of
from passer.domain.retrieval import Document


class TextReader:
    """Reads UTF-8 text files as they are."""

    suffixes: tuple[str, ...] = (".txt", ".text")

    def read(self, content: bytes, name: str) -> Document:
        """The text; DocumentError where it is empty or not UTF-8."""
        return document_of(decoded(content, name=name), content=content, name=name)
