"""Web pages, by trafilatura; the whole body where it finds no main text."""

from __future__ import annotations

import re

from passer.adapters.documents.plain import document_of
from passer.domain.retrieval import Document
from passer.errors import DocumentError

_CHARSET = re.compile(rb"""<meta[^>]{0,200}charset\s*=\s*["']?([\w.:-]{1,40})""", re.IGNORECASE)


class HtmlReader:
    """Reads the main text of a page, without menus and footers."""

    suffixes: tuple[str, ...] = (".html", ".htm", ".xhtml")

    def read(self, content: bytes, name: str) -> Document:
        """The page's main text; DocumentError where there is none."""
        if not content.strip():
            raise DocumentError(f"{name} is empty: give a document with text in it.")
        page = _decoded(content, name=name)
        import trafilatura

        text = trafilatura.extract(page, include_comments=False, include_tables=True, favor_recall=True)
        # A page of a few words, or one without a main part, is taken whole.
        return document_of(text or trafilatura.html2txt(page), content=content, name=name)


def _decoded(content: bytes, *, name: str) -> str:
    """UTF-8, or else the charset that the page itself names; nothing is guessed."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        named = _CHARSET.search(content[:4096])
    charset = named.group(1).decode("ascii") if named else "no charset"
    try:
        return content.decode(charset)
    except (LookupError, UnicodeDecodeError) as exc:
        raise DocumentError(f"{name} is not UTF-8 and names {charset} that fits: save it as UTF-8.") from exc
