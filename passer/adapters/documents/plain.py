"""What every reader ends with: plain, normalised text, and the Document made of it."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Sequence

from passer.domain.retrieval import Document
from passer.errors import DocumentError

_NEW_LINES = re.compile(r"\r\n|[\r\x0b\x0c\x85\u2028\u2029]")
# Control characters, lone surrogates, byte-order marks and non-characters: none of them is text, and some stores
# refuse them.
_NOT_TEXT = re.compile("[\x00-\x08\x0e-\x1f\x7f\ud800-\udfff\ufdd0-\ufdef\ufeff\ufffe\uffff]")
PAGE_BREAK = "\n\n"


def normalised(text: str) -> str:
    """Unicode NFC with `\\n` as the only line end, without control characters and lone surrogates."""
    return unicodedata.normalize("NFC", _NOT_TEXT.sub("", _NEW_LINES.sub("\n", text)))


def document_of(text: str, *, content: bytes, name: str) -> Document:
    """A document without pages; DocumentError where no text is left."""
    plain = normalised(text)
    if not plain.strip():
        raise DocumentError(f"{name} holds no text: give a document with text in it.")
    return Document(name=name, digest=hashlib.sha256(content).hexdigest(), text=plain)


def document_of_pages(pages: Sequence[str], *, content: bytes, name: str) -> Document:
    """A document whose `page_starts` give the first character of each page; DocumentError where no page has text."""
    plain = [normalised(page) for page in pages]
    if not any(page.strip() for page in plain):
        raise DocumentError(f"{name} holds pictures but no text: run text recognition (OCR) on it and ingest that.")
    starts, position = [], 0
    for page in plain:
        starts.append(position)
        position += len(page) + len(PAGE_BREAK)
    digest = hashlib.sha256(content).hexdigest()
    return Document(name=name, digest=digest, text=PAGE_BREAK.join(plain), page_starts=tuple(starts))


def decoded(content: bytes, *, name: str) -> str:
    """UTF-8 text, with or without byte-order mark; any other encoding is refused rather than guessed."""
    if not content:
        raise DocumentError(f"{name} is empty: give a document with text in it.")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as exc:
        raise DocumentError(f"{name} is not UTF-8 text (byte {exc.start}): save it as UTF-8 and try again.") from exc
