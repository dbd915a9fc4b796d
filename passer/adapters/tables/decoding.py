"""Bytes of table files, and their text: UTF-8, with or without a byte order mark, and nothing else."""

from __future__ import annotations

from passer.domain.wording.sentence import sentence
from passer.errors import DatasetError
from passer.ports import TableContent

_OTHER_MARKS = ((b"\xff\xfe", "UTF-16"), (b"\xfe\xff", "UTF-16"))


def bytes_of(content: TableContent) -> bytes:
    """Return the bytes of a table file."""
    return content if isinstance(content, bytes) else content.read_bytes()


def decode(content: bytes) -> str:
    """Return the text of a file; DatasetError if it is empty, binary, or in another encoding."""
    for mark, name in _OTHER_MARKS:
        if content.startswith(mark):
            raise DatasetError(sentence("file.encoding", encoding=name))
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as exc:
        # With a mark the decoder counts from after it; both counts start at the same line.
        line, byte = exc.object[: exc.start].count(b"\n") + 1, f"0x{exc.object[exc.start]:02X}"
        said = f"The file is not UTF-8 (line {line} contains the byte {byte}). Save it as UTF-8 and import it again."
        raise DatasetError(said) from exc
    if "\0" in text:
        raise DatasetError(sentence("file.binary"))
    if not text.strip():
        raise DatasetError(sentence("file.empty"))
    return text
