"""Reader of Markdown files."""

from __future__ import annotations

import re

from passer.adapters.documents.plain import decoded, document_of
from passer.domain.retrieval import Document

_FRONT_MATTER = re.compile(r"\A---[ \t]*\r?\n.*?\r?\n---[ \t]*(\r?\n|\Z)", re.DOTALL)


class MarkdownReader:
    """Reads Markdown as written, without YAML front matter and comments."""

    suffixes: tuple[str, ...] = (".md", ".markdown")

    def read(self, content: bytes, name: str) -> Document:
        """Return the text with its Markdown syntax; DocumentError if it is empty or not UTF-8."""
        text = _without_comments(_FRONT_MATTER.sub("", decoded(content, name=name)))
        return document_of(text, content=content, name=name)


def _without_comments(text: str) -> str:
    """Remove comments. A pattern would search to the end again for each comment that is never closed."""
    kept, position = [], 0
    while (start := text.find("<!--", position)) >= 0 and (end := text.find("-->", start)) >= 0:
        kept.append(text[position:start])
        position = end + len("-->")
    return "".join((*kept, text[position:]))
