"""Readers of plain text and Markdown, and the last step of every reader: normalise the text and build the Document."""

from __future__ import annotations

import codecs
import hashlib
import re
from collections.abc import Sequence

from passer.domain.retrieval import Document
from passer.domain.wording.sentence import sentence
from passer.domain.words import composed
from passer.errors import DocumentError

_NEW_LINES = re.compile(r"\r\n|[\r\x0b\x0c\x85\u2028\u2029]")
# Control characters, lone surrogates, byte-order marks and non-characters are not text, and some stores
# refuse them.
_NOT_TEXT = re.compile("[\x00-\x08\x0e-\x1f\x7f\ud800-\udfff\ufdd0-\ufdef\ufeff\ufffe\uffff]")
PAGE_BREAK = "\n\n"
_CHARSETS = re.compile(
    r"ascii|utf-8(-sig)?|utf-(16|32)(-[bl]e)?|iso8859-\d+|cp\d+|koi8-[rtu]|kz1048|mac-\w+|big5(hkscs)?|gb2312|gbk|gb18030|hz|"
    r"shift_jis(x0213|_2004)?|euc_\w+|iso2022_\w+|johab|tis-620"
)
"""Names, by Python, of the encodings that web pages use. Python knows others that are no encodings of text, or slow."""


def normalised(text: str) -> str:
    """Return Unicode NFC with line feeds as the only line ends, without control characters and lone surrogates."""
    return composed(_NOT_TEXT.sub("", _NEW_LINES.sub("\n", text)))


def document_of(text: str, *, content: bytes, name: str) -> Document:
    """Build a document without pages; DocumentError if no text is left."""
    plain = normalised(text)
    if not plain.strip():
        raise DocumentError(sentence("document.no-text", name=name))
    return Document(name=name, digest=hashlib.sha256(content).hexdigest(), text=plain)


def document_of_pages(pages: Sequence[str], *, content: bytes, name: str) -> Document:
    """Build a document whose `page_starts` hold each page's first character; DocumentError if no page has text."""
    plain = [normalised(page) for page in pages]
    if not any(page.strip() for page in plain):
        raise DocumentError(sentence("document.images", name=name))
    starts, position = [], 0
    for page in plain:
        starts.append(position)
        position += len(page) + len(PAGE_BREAK)
    digest = hashlib.sha256(content).hexdigest()
    return Document(name=name, digest=digest, text=PAGE_BREAK.join(plain), page_starts=tuple(starts))


def decoded_from(content: bytes, charset: str) -> str:
    """Decode text from a charset that it names; LookupError for one that no page is written in, UnicodeError."""
    found = codecs.lookup(charset).name
    if not _CHARSETS.fullmatch(found):
        raise LookupError(f"{charset} is no encoding of web pages")
    return content.decode(found)


def decoded(content: bytes, *, name: str) -> str:
    """Decode UTF-8, with or without byte-order mark. Other encodings are refused, not guessed."""
    if not content:
        raise DocumentError(sentence("document.empty", name=name))
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as exc:
        raise DocumentError(sentence("document.not-utf8", name=name, byte=exc.start)) from exc


class TextReader:
    """Reads UTF-8 text files unchanged."""

    suffixes: tuple[str, ...] = (".txt", ".text")

    def read(self, content: bytes, name: str) -> Document:
        return document_of(decoded(content, name=name), content=content, name=name)


_FRONT_MATTER = re.compile(r"\A---[ \t]*\r?\n.*?\r?\n---[ \t]*(\r?\n|\Z)", re.DOTALL)


class MarkdownReader:
    """Reads Markdown as written, without YAML front matter and comments."""

    suffixes: tuple[str, ...] = (".md", ".markdown")

    def read(self, content: bytes, name: str) -> Document:
        text = _without_comments(_FRONT_MATTER.sub("", decoded(content, name=name)))
        return document_of(text, content=content, name=name)


def _without_comments(text: str) -> str:
    """Remove comments. A pattern would search to the end again for each comment that is never closed."""
    kept, position = [], 0
    while (start := text.find("<!--", position)) >= 0 and (end := text.find("-->", start)) >= 0:
        kept.append(text[position:start])
        position = end + len("-->")
    return "".join((*kept, text[position:]))
