"""Bytes of table files, and their text: UTF-8, with or without a byte order mark, or UTF-16 with one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from passer.domain.wording.sentence import sentence
from passer.errors import DatasetError

if TYPE_CHECKING:
    from passer.ports import TableContent

_UTF_16_MARKS = (b"\xff\xfe", b"\xfe\xff")
"""Excel writes UTF-16 as "Unicode text". Encodings without a mark would have to be guessed."""


def bytes_of(content: TableContent) -> bytes:
    """Return the bytes of a table file."""
    return content if isinstance(content, bytes) else content.read_bytes()


def decode(content: bytes) -> str:
    """Return the text of a file; DatasetError if it is empty, binary, or in another encoding."""
    encoding = "utf-16" if content.startswith(_UTF_16_MARKS) else "utf-8-sig"
    try:
        text = content.decode(encoding)
    except UnicodeDecodeError as exc:
        if encoding == "utf-16":
            raise DatasetError(sentence("file.not-utf16")) from exc
        # With a mark the decoder counts from after it; both counts start at the same line.
        line, byte = exc.object[: exc.start].count(b"\n") + 1, f"0x{exc.object[exc.start]:02X}"
        raise DatasetError(sentence("file.not-utf8", line=line, byte=byte)) from exc
    if "\0" in text:
        raise DatasetError(sentence("file.binary"))
    if not text.strip():
        raise DatasetError(sentence("file.empty"))
    return text
