"""Encodings of untrusted text files, and formats of other files by their first bytes.

The encoding is given by the byte-order mark or declared by a page; it is never guessed.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable

UTF_8 = "utf-8-sig"

# The mark of UTF-32 begins with that of UTF-16.
_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
HTML = ".html, .htm"
_SIGNATURES = (
    (b"PK\x03\x04", b"", ".xlsx, .docx, .epub, .odt, .zip"),
    (b"\xd0\xcf\x11\xe0", b"", ".xls, .doc"),
    # A text may well begin with the name of the protein PAR1.
    (b"PAR1", b"PAR1", ".parquet"),
    (b"%PDF", b"", ".pdf"),
    (b"{\\rtf", b"", ".rtf"),
    (b"\x1f\x8b", b"", ".gz"),
    *((begin, b"", HTML) for begin in (b"<!DOCTYPE html", b"<!doctype html", b"<html", b"<HTML", b"<!DOCTYPE HTML")),
    # A page that a browser saved with its pictures in one file.
    *((begin, b"", ".mht, .eml") for begin in (b"From: <Saved by ", b"MIME-Version: ")),
)
"""First and last bytes of formats that are no text, with the ends of their files' names."""
_PARTS = {"mimetype": ".ods, .odt, .epub", "word": ".docx", "ppt": ".pptx"}
"""First folders or files of zip archives that are no workbooks, whose first bytes are all equal, with the same ends."""
_CHARSETS = re.compile(
    r"ascii|utf-8(-sig)?|utf-(16|32)(-[bl]e)?|iso8859-\d+|cp\d+|koi8-[rtu]|kz1048|mac-\w+|big5(hkscs)?|gb2312|gbk|gb18030|hz|"
    r"shift_jis(x0213|_2004)?|euc_\w+|iso2022_\w+|johab|tis-620"
)
"""Names, by Python, of the encodings that web pages use. Python knows others that are no encodings of text, or slow."""
_AS_BROWSERS = {
    **{"ascii": "cp1252", "iso8859-1": "cp1252", "iso8859-9": "cp1254", "iso8859-11": "cp874", "tis-620": "cp874"},
    **{"gb2312": "gb18030", "gbk": "gb18030", "shift_jis": "cp932", "euc_kr": "cp949", "big5": "big5hkscs"},
}
"""Encodings that the Encoding Standard (encoding.spec.whatwg.org) reads as a larger one, because pages do.

By ISO 8859-1 the quotes and the euro sign of Windows would become control characters, which no reader keeps.
"""
_SEVEN_BITS = re.compile(r"iso2022_\w+|hz")
_CONTROLS = re.compile(r"[\x00-\x08\x0e-\x1f\x7f]")
_SWITCH = "\x1b$"
"""Begins double-byte characters in ISO 2022, whose bytes are all valid UTF-8."""
_MOST_STRAY, _STRAY_EVERY = 4, 50
"""A text is in another encoding if it has more than 4 control characters, and more than one in 50 characters."""


def format_of(content: bytes) -> str | None:
    """Return how the names of files end that begin as this one does; None for a text, or a format that is not known."""
    return next(
        (ends for first, last, ends in _SIGNATURES if content.startswith(first) and content.endswith(last)), None
    )


def format_of_parts(names: Iterable[str]) -> str | None:
    """Return how the names of archives with these parts end; None for a workbook, or a format that is not known."""
    found = {name.partition("/")[0] for name in names}
    return next((ends for part, ends in _PARTS.items() if part in found), None)


def encoding_of(content: bytes) -> str:
    """Return the encoding that a byte-order mark names, which decoding removes; UTF-8 without a mark."""
    return next((encoding for mark, encoding in _MARKS if content.startswith(mark)), UTF_8)


def misread_at(text: str) -> int | None:
    """Return the place of the first character that shows that a text is not in the encoding it was decoded from.

    UTF-16 without a mark and ISO-2022-JP are valid UTF-8 where they have no byte above 127: Cyrillic letters become
    digits and marks between control characters. A few stray control characters are in many texts. None: no such sign.
    """
    controls = [found.start() for found in _CONTROLS.finditer(text)]
    if len(controls) > max(_MOST_STRAY, len(text) // _STRAY_EVERY):
        return controls[0]
    switch = text.find(_SWITCH) if controls else -1
    return None if switch < 0 else switch


def has_seven_bits(charset: str) -> bool:
    """Return whether an encoding has only bytes below 128, so that its texts pass for UTF-8."""
    try:
        return _SEVEN_BITS.fullmatch(_python_name(charset)) is not None
    except LookupError:
        return False


def decoded_from(content: bytes, charset: str) -> str:
    """Decode text from a charset that it names; LookupError for one that no page is written in, UnicodeError."""
    found = _python_name(charset)
    if not _CHARSETS.fullmatch(found):
        raise LookupError(f"{charset} is no encoding of web pages")
    return content.decode(_AS_BROWSERS.get(found, found))


def _python_name(charset: str) -> str:
    """Return Python's name of an encoding; browsers know names that Python does not, such as x-sjis and windows-949."""
    label = charset.lower()
    for name in (label, label.removeprefix("x-"), label.replace("windows-", "cp")):
        try:
            return codecs.lookup(name).name
        except LookupError:
            continue
    raise LookupError(f"{charset} is not known")
