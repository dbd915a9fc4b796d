"""Bytes of table files, and their text: UTF-8, with or without a byte order mark, or UTF-16 and UTF-32 with one."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from passer.adapters.encodings import UTF_8, encoding_of, format_of, format_of_parts, misread_at
from passer.domain.wording.sentence import sentence
from passer.errors import DatasetError

if TYPE_CHECKING:
    from passer.ports import TableContent


def bytes_of(content: TableContent) -> bytes:
    """Return the bytes of a table file."""
    return content if isinstance(content, bytes) else content.read_bytes()


def check_kind(content: bytes) -> None:
    """Raise DatasetError if a file begins as those of other formats do, whose names end differently."""
    if (ends := format_of(content)) is not None:
        raise DatasetError(sentence("file.other-kind", suffixes=ends))


def check_text(content: bytes) -> None:
    """Raise DatasetError if a file that should be a workbook is text, or of another known format."""
    if not content.startswith(b"PK"):
        check_kind(content)
    if not any(sign < 9 for sign in content[:1000]):
        raise DatasetError(sentence("file.text-as-workbook"))


def check_parts(names: Iterable[str]) -> None:
    """Raise DatasetError if the parts of an archive are those of another format than a workbook."""
    if (ends := format_of_parts(names)) is not None:
        raise DatasetError(sentence("file.other-kind", suffixes=ends))


def _is_utf16(content: bytes) -> bool:
    """Return whether a file is UTF-16 without a byte-order mark.

    Its zero bytes are in one half of its pairs only, which one zero byte in other text is too, but it has lines then.
    """
    is_big = 0 in content[::2]
    if len(content) % 2 or is_big == (0 in content[1::2]) or not content.strip(b"\0"):
        return False
    text = content.decode("utf-16-be" if is_big else "utf-16-le", "replace")
    return not {"\r", "\n"}.isdisjoint(text) or text.lstrip()[:1] in ("[", "{")


def decode(content: bytes) -> str:
    """Return the text of a file; DatasetError if it is empty, binary, or in another encoding.

    Excel writes UTF-16 with a mark as "Unicode text". Encodings without a mark would have to be guessed.
    """
    check_kind(content)
    encoding = encoding_of(content)
    if encoding == UTF_8 and _is_utf16(content):
        raise DatasetError(sentence("file.unmarked-utf16"))
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
