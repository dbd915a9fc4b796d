"""Markdown."""

from __future__ import annotations

import re

from passer.adapters.documents.plain import decoded, document_of
from passer.domain.retrieval import Document

_FRONT_MATTER = re.compile(r"\A---[ \t]*\r?\n.*?\r?\n---[ \t]*(\r?\n|\Z)", re.DOTALL)
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)


class MarkdownReader:
    """Reads Markdown as it is written; YAML front matter and comments are not part of the text."""

    suffixes: tuple[str, ...] = (".md", ".markdown")

    def read(self, content: bytes, name: str) -> Document:
        """The text with its Markdown signs; DocumentError where it is empty or not UTF-8."""
        text = _COMMENT.sub("", _FRONT_MATTER.sub("", decoded(content, name=name)))
        return document_of(text, content=content, name=name)
