"""Decodes bytes as UTF-8, with or without a byte order mark, and nothing else."""

from __future__ import annotations

from passer.errors import DatasetError

_OTHER_MARKS = ((b"\xff\xfe", "UTF-16"), (b"\xfe\xff", "UTF-16"))


def decode(content: bytes) -> str:
    """Return the text of a file; DatasetError if it is empty, binary, or in another encoding."""
    for mark, name in _OTHER_MARKS:
        if content.startswith(mark):
            raise DatasetError(f"The file is {name}, not UTF-8. Save it as UTF-8 and import it again.")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as exc:
        # With a mark the decoder counts from after it; both counts start at the same line.
        line, byte = exc.object[: exc.start].count(b"\n") + 1, f"0x{exc.object[exc.start]:02X}"
        said = f"The file is not UTF-8 (line {line} contains the byte {byte}). Save it as UTF-8 and import it again."
        raise DatasetError(said) from exc
    if "\0" in text:
        raise DatasetError("The file contains binary data, not text. Check that its name has the right suffix.")
    if not text.strip():
        raise DatasetError("The file is empty. Add at least one question.")
    return text
