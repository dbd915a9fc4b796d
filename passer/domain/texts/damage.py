"""Signs that a text was damaged before it came here, and spellings that make equal words different in scores."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

import regex

from passer.domain.wording.sentence import Sentence, sentence

_ENCODINGS = ("cp1252", "cp1251", "cp1253", "cp1254")
"""Encodings in which programs misread UTF-8. In cp1250, cp866 and KOI8-R real words, such as *zvlášť*, would pass."""
_HTML = re.compile(
    r"&(?:[a-z]{2,8}|#\d{2,6}|#x[0-9a-f]{2,5});|</?(?:p|b|i|br|em|li|ul|ol|strong|span|div|sub|sup)\b[^<>]*>", re.I
)
_HIDDEN = re.compile(r"[\u00ad\u2060\ufeff\u200e\u200f\u202a-\u202e\u2066-\u2069]")
"""Soft hyphens, word joiners and marks of direction. Joiners that change the shape of letters are not among them."""
_VOWELED = regex.compile(r"(?V1)[[\p{Arabic}\p{Hebrew}\p{Inherited}]&&\p{Mn}&&[\u05b0-\u05c7\u064b-\u0670]]")
_OTHER_DIGITS = regex.compile(r"(?V1)[\p{Nd}--[0-9\p{Block=Halfwidth_And_Fullwidth_Forms}]]+")
_OTHER_FORMS = regex.compile(
    r"(?V1)[[\p{L}\p{Nd}]&&[\p{Block=Halfwidth_And_Fullwidth_Forms}\p{Block=Alphabetic_Presentation_Forms}"
    r"\p{Block=Arabic_Presentation_Forms_A}\p{Block=Arabic_Presentation_Forms_B}]]"
)
_SPELLINGS = {"spelling.vowel-marks": _VOWELED, "spelling.digits": _OTHER_DIGITS, "spelling.forms": _OTHER_FORMS}
# Codes are written whole, so that a test finds which messages are used.
_OF_ANSWERS = {
    "spelling.vowel-marks": "spelling.vowel-marks-of-answer",
    "spelling.digits": "spelling.digits-of-answer",
    "spelling.forms": "spelling.forms-of-answer",
}
_WITHOUT_WIDTH = re.compile(f"{_HIDDEN.pattern}|\u200b")
_LONG = re.compile(r"\d{16,}|\d[.,]\d+E\+\d+", re.IGNORECASE)
_ROUNDED = re.compile(r"\d{15}0+|\d[.,]\d+E\+\d+", re.IGNORECASE)
_SHOWN = 40
_AS_LATIN_1 = "passer-as-latin-1"

BesideOthers = tuple[int, str, Sequence[str]]
"""A text with its row, and the texts with which it is compared."""


def _as_latin_1(error: UnicodeError) -> tuple[bytes, int]:
    """Encode what an encoding lacks as the control character that programs read its byte as."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return error.object[error.start : error.end].encode("latin-1"), error.end


codecs.register_error(_AS_LATIN_1, _as_latin_1)


def damage_notes(texts: Iterable[tuple[int, str]]) -> list[Sentence]:
    """Return what to know of texts, given with their rows: each damage once, with the number of rows and the first."""
    return _notes((row, *sign) for row, text in texts for sign in _damages(text))


def spelling_notes(references: Iterable[tuple[int, str]]) -> list[Sentence]:
    """Return which spellings of references make words different from the same words of an answer, as `damage_notes`."""
    return _notes((row, *sign) for row, text in references for sign in _spellings(text))


def spelling_differences(texts: Iterable[BesideOthers], *, of: Literal["answer", "reference"]) -> list[Sentence]:
    """Return which spellings texts have and the texts with which they are compared have not, as `damage_notes`."""
    return _notes(
        (row, code if of == "reference" else _OF_ANSWERS[code], example)
        for row, text, others in texts
        for code, example in _spellings(text)
        if code not in {other for each in others for other, _ in _spellings(each)}
    )


def rounded_notes(ids: Mapping[str, int]) -> list[Sentence]:
    """Return whether ids, given with their rows, are numbers that a spreadsheet program rounded.

    It keeps 15 digits, and writes 1.23457E+16 to a CSV. Some ids of 16 digits end with a zero by chance.
    """
    rounded = [found for found in ids if _ROUNDED.fullmatch(found)]
    if not rounded or 2 * len(rounded) < sum(_LONG.fullmatch(found) is not None for found in ids):
        return []
    return [sentence("damage.rounded", n=len(rounded), row=ids[rounded[0]], example=rounded[0])]


def _notes(signs: Iterable[tuple[int, str, str]]) -> list[Sentence]:
    found: dict[str, dict[int, str]] = {}
    for row, code, example in signs:
        found.setdefault(code, {}).setdefault(row, example[:_SHOWN])
    return [sentence(code, n=len(rows), row=min(rows), example=rows[min(rows)]) for code, rows in found.items()]


def visible(text: str) -> str:
    """Return a text without soft hyphens, marks of direction, and spaces and joiners that have no width."""
    return text if text.isascii() else _WITHOUT_WIDTH.sub("", text)


def has_lost_letters(text: str) -> bool:
    """Return whether a text is question marks alone: a program wrote it in an encoding without its letters."""
    return "??" in text and not any(map(str.isalnum, text))


def read_twice(text: str) -> str | None:
    """Return the text that UTF-8 was before it was read in another encoding; None where it was not."""
    if text.isascii():
        return None
    for encoding in _ENCODINGS:
        try:
            return text.encode(encoding, _AS_LATIN_1).decode()
        except UnicodeError:
            continue
    return None


def _damages(text: str) -> Sequence[tuple[str, str]]:
    found = []
    if "\ufffd" in text:
        found.append(("damage.replaced", text))
    elif (meant := read_twice(text)) is not None:
        found.append(("damage.read-twice", meant))
    if html := _HTML.search(text):
        found.append(("damage.html", html[0]))
    if hidden := next(filter(_HIDDEN.search, text.split()), None):
        found.append(("damage.invisible", _HIDDEN.sub(lambda each: f"[U+{ord(each[0]):04X}]", hidden)))
    return found


def _spellings(text: str) -> Sequence[tuple[str, str]]:
    if text.isascii():
        return ()
    found = [(code, found) for code, pattern in _SPELLINGS.items() if (found := pattern.search(text))]
    return [(code, each[0] if code == "spelling.digits" else _word_around(each)) for code, each in found]


def _word_around(found: regex.Match[str]) -> str:
    """Return the text between two blanks that contains what was found."""
    # Not by a pattern with `\S*`, which tries each start anew: 8,000 letters without a blank took 2 s, and twice as
    # many took four times as long.
    text, word = found.string, str(found[0])
    before, after = text[: found.start()], text[found.end() :]
    return f"{before}.".split()[-1][:-1] + word + f".{after}".split()[0][1:]
