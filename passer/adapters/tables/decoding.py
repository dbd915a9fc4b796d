"""Bytes of table files, and their text: UTF-8, with or without a byte order mark, or UTF-16 and UTF-32 with one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from passer.adapters.encodings import UTF_8, encoding_of, misread_at
from passer.domain.wording.sentence import sentence
from passer.errors import DatasetError

if TYPE_CHECKING:
    from passer.ports import TableContent


def bytes_of(content: TableContent) -> bytes:
    """Return the bytes of a table file."""
    return content if isinstance(content, bytes) else content.read_bytes()


def decode(content: bytes) -> str:
    """Return the text of a file; DatasetError if it is empty, binary, or in another encoding.

    Excel writes UTF-16 with a mark as "Unicode text". Encodings without a mark would have to be guessed.
    """
    encoding = encoding_of(content)
    try:
        text = content.decode(encoding)
    except UnicodeDecodeError as exc:
        if encoding != UTF_8:
            raise DatasetError(sentence("file.not-utf16")) from exc
        # With a mark the decoder counts from after it; both counts start at the same line.
        line, byte = exc.object[: exc.start].count(b"\n") + 1, f"0x{exc.object[exc.start]:02X}"
        raise DatasetError(sentence("file.not-utf8", line=line, byte=byte)) from exc
    if "\0" in text:
        raise DatasetError(sentence("file.binary"))
    if not text.strip():
        raise DatasetError(sentence("file.empty"))
    if (place := misread_at(text)) is not None:
        line, byte = text[:place].count("\n") + 1, f"0x{ord(text[place]):02X}"
        raise DatasetError(sentence("file.not-utf8", line=line, byte=byte))
    return text
