"""Text of web pages, by trafilatura; of the complete body if it finds no main text."""

from __future__ import annotations

import re
from typing import Any

from passer.adapters.documents.html_marks import marked, without_marks
from passer.adapters.documents.html_tree import prepare
from passer.adapters.documents.plain import check_read_once, document_of, reader_version
from passer.adapters.encodings import HTML, UTF_8, decoded_from, encoding_of, format_of, has_seven_bits, misread_at
from passer.domain.extras import requires_extra
from passer.domain.retrieval.passages import Document
from passer.domain.wording.sentence import sentence
from passer.errors import DocumentError

_CHARSET = re.compile(
    rb"""<(?:meta[^>]{0,200}charset|\?xml[^>]{0,200}encoding)\s*=\s*["']?([\w.:-]{1,40})""", re.IGNORECASE
)


_SHOWN = (
    "[normalize-space() and not("
    + " or ".join(
        f"ancestor::{name}" for name in ("nav", "header", "footer", "aside", "script", "style", "noscript", "template")
    )
    + ")]"
)
"""XPath of texts that are no menus or programs."""
_FRAMES = (
    "(.//iframe | .//object | .//embed[not(ancestor::object)])[not(@hidden or number(@width) < 2"
    " or number(@height) < 2 or contains(translate(@style, ' ', ''), 'display:none'))]"
)
"""XPath of frames that readers see: counters of visits show nothing."""
_ADDRESSES = ("data-src", "data-lazy-src", "src", "data")
"""Attributes with the address of a frame. Programs copy the first two into `src` when it is scrolled into view."""
_WITHOUT_TEXT = re.compile(
    r"about:|data:|(?:https?:)?//(?:[\w-]+\.)*(?:youtu|vimeo|google\.[\w.]+/maps|openstreetmap)", re.IGNORECASE
)
"""Addresses of frames that show nothing, a video or a map."""
_PAGE = re.compile(r"[^?#]*\.(?:x?html?|pdf)(?:[?#]|$)", re.IGNORECASE)
"""Addresses of objects that have text; others are pictures and players."""
_PAGE_TYPES = frozenset(("text/html", "application/xhtml+xml", "application/pdf"))
_EAST_ASIAN = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]")
_FEWEST_SIGNS, _FEW_SIGNS = 25, 100
"""The fewest characters of a main part, and those below which programs probably fill a page: East Asian characters
count three times, as what they say takes about three letters."""


class HtmlReader:
    """Reads the main text of a page, without menus and footers."""

    suffixes: tuple[str, ...] = (".html", ".htm", ".xhtml")

    @property
    def version(self) -> str:
        with requires_extra("retrieval", sentence("extra.html")):
            return reader_version("html-6", "trafilatura", "lxml")

    def read(self, content: bytes, name: str) -> Document:
        if not content.strip():
            raise DocumentError(sentence("document.empty", name=name))
        if (ends := format_of(content)) not in (None, HTML):
            raise DocumentError(sentence("document.other-kind", name=name, suffixes=ends or ""))
        page = _decoded(content, name=name)
        check_read_once(page, name=name)
        with requires_extra("retrieval", sentence("extra.html")):
            text, frames, has_programs = _text_of(page)
        warnings = [sentence("document.frames", name=name, n=frames)] if frames else []
        if has_programs and len(text.strip()) + 2 * len(_EAST_ASIAN.findall(text)) < _FEW_SIGNS:
            warnings.append(sentence("document.programs", name=name))
        if warnings and not text.strip():
            raise DocumentError(warnings[0])
        return document_of(text, content=content, name=name, reader=self.version, warnings=warnings)


def _text_of(page: Any) -> tuple[str, int, bool]:
    """Return the text of a page, its number of frames, and whether it has programs of other files."""
    import trafilatura

    tree, config = trafilatura.load_html(page), trafilatura.settings.use_config()
    has_marks, frames, has_programs = False, 0, False
    if tree is not None:
        has_programs = bool(tree.xpath("//script[@src]"))
        main = prepare(tree)
        frames = len(tree.xpath("//frame[@src]")) + (0 if main is None else sum(map(_is_page, main.xpath(_FRAMES))))
        # Of a page with less text, trafilatura returns menus and footers too, and each cell of a table as a line.
        if _has_most(main, tree):
            config.set("DEFAULT", "MIN_EXTRACTED_SIZE", "1")
        has_marks = marked(tree)
    page = page if tree is None else tree
    text = trafilatura.extract(page, include_comments=False, include_tables=True, favor_recall=True, config=config)
    # trafilatura finds no main part in a page of a few words: use the whole body.
    text = text or trafilatura.html2txt(page)
    return without_marks(text) if has_marks else text, frames, has_programs


def _is_page(frame: Any) -> bool:
    """Return whether a frame or object shows another page or PDF."""
    address = next((frame.get(name) for name in _ADDRESSES if frame.get(name)), "about:")
    is_text = frame.tag == "iframe" or frame.get("type") in _PAGE_TYPES or _PAGE.match(address) is not None
    return is_text and _WITHOUT_TEXT.match(address) is None


def _has_most(main: Any, tree: Any) -> bool:
    """Return whether a page has a main part, with at least half of its text; programs fill empty ones later."""
    own = 0 if main is None else sum(map(len, main.xpath(f".//text(){_SHOWN}")))
    return own >= _FEWEST_SIGNS and 2 * own >= sum(map(len, tree.xpath(f"//body//text(){_SHOWN}")))


def _decoded(content: bytes, *, name: str) -> str:
    """Decode by the byte-order mark, as UTF-8, or by the charset that the page declares; never guess."""
    marked = encoding_of(content)
    named = _CHARSET.search(content[:4096])
    charset = named.group(1).decode("ascii") if named else "no charset"
    try:
        if marked != UTF_8:
            return content.decode(marked)
        # A page that names UTF-8 wrongly is rare, and one that is UTF-8 and names another charset is not.
        text = None if has_seven_bits(charset) else _utf8(content)
        found = decoded_from(content, charset) if text is None else text
    except (LookupError, UnicodeError) as exc:
        raise DocumentError(sentence("document.charset", name=name)) from exc
    if misread_at(found) is not None:
        raise DocumentError(sentence("document.charset", name=name))
    return found


def _utf8(content: bytes) -> str | None:
    try:
        text = content.decode(UTF_8)
    except UnicodeDecodeError:
        return None
    return text if misread_at(text) is None else None
