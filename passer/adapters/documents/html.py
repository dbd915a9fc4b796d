"""Web pages, by trafilatura; the whole body if it finds no main text."""

from __future__ import annotations

import re

from passer.adapters.documents.plain import SUPERSCRIPTS, check_read_once, document_of
from passer.adapters.encodings import UTF_8, decoded_from, encoding_of, has_seven_bits, misread_at
from passer.domain.extras import requires_extra
from passer.domain.retrieval import Document
from passer.domain.wording.sentence import sentence
from passer.errors import DocumentError

_CHARSET = re.compile(
    rb"""<(?:meta[^>]{0,200}charset|\?xml[^>]{0,200}encoding)\s*=\s*["']?([\w.:-]{1,40})""", re.IGNORECASE
)
_SUPERSCRIPT = re.compile(
    r"<sup\b[^<>]{0,300}>(?:\s*<[^<>/]{0,300}>){0,3}\s*"
    r"([+\-\u2212]?\d{1,3})\s*(?:</[^<>]{0,30}>\s*){0,3}</sup>",
    re.IGNORECASE,
)


class HtmlReader:
    """Reads the main text of a page, without menus and footers."""

    suffixes: tuple[str, ...] = (".html", ".htm", ".xhtml")

    def read(self, content: bytes, name: str) -> Document:
        if not content.strip():
            raise DocumentError(sentence("document.empty", name=name))
        page = _SUPERSCRIPT.sub(lambda found: found[1].translate(SUPERSCRIPTS), _decoded(content, name=name))
        check_read_once(page, name=name)
        with requires_extra("retrieval", sentence("extra.html")):
            import trafilatura

        text = trafilatura.extract(page, include_comments=False, include_tables=True, favor_recall=True)
        # trafilatura finds no main part in a page of a few words: use the whole body.
        return document_of(text or trafilatura.html2txt(page), content=content, name=name)


def _decoded(content: bytes, *, name: str) -> str:
    """Decode what a byte-order mark names, UTF-8, or the charset that the page names. Nothing is guessed."""
    marked = encoding_of(content)
    named = _CHARSET.search(content[:4096])
    charset = named.group(1).decode("ascii") if named else "no charset"
    try:
        if marked != UTF_8:
            return content.decode(marked)
        # A page that names UTF-8 wrongly is rare, and one that is UTF-8 and names another charset is not.
        text = None if has_seven_bits(charset) else _utf8(content)
        return decoded_from(content, charset) if text is None else text
    except (LookupError, UnicodeError) as exc:
        raise DocumentError(sentence("document.charset", name=name)) from exc


def _utf8(content: bytes) -> str | None:
    try:
        text = content.decode(UTF_8)
    except UnicodeDecodeError:
        return None
    return text if misread_at(text) is None else None
