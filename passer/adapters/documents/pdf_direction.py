"""Order of the characters of a PDF page in Arabic, Hebrew and other scripts that are written from right to left."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import pairwise
from math import inf
from typing import TYPE_CHECKING
from unicodedata import bidirectional, combining

from passer.adapters.documents.pdf_glyphs import Glyph, extent_of

if TYPE_CHECKING:
    import pypdfium2

_RIGHT_TO_LEFT = re.compile("[\u0591-\u065f\u066e-\u06ef\u06fa-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]{2,}")
"""Letters and marks of scripts from right to left, without their figures, which run from left to right."""
_NEAR = 0.5
_LAM, _ALEFS = "\u0644", "\u0622\u0623\u0625\u0627\u0671"
_PAIRS = ("()", "[]", "{}", "<>", "\xab\xbb", "\u2039\u203a")
_BRACKETS = {sign: pair for pair in _PAIRS for sign in pair}
_LINE = re.compile(r"[^\r\n]+")
_LONGEST = 1000
_NEARER = 0.1
"""Size of a letter by which a bracket is nearer to the text that it encloses."""


def in_reading_order(text: str, glyph: Callable[[int], Glyph | None], page: pypdfium2.PdfTextPage) -> str:
    """Return the text with right-to-left words (Arabic, Hebrew and others) in logical order.

    PDFium reads them from left to right if a program drew each word separately, as browsers do.
    """
    if _RIGHT_TO_LEFT.search(text) is None:
        return text
    return _LINE.sub(
        lambda line: _with_brackets(line, page), _RIGHT_TO_LEFT.sub(lambda found: _from_right(found, glyph), text)
    )


def _from_right(word: re.Match[str], glyph: Callable[[int], Glyph | None]) -> str:
    at = {sign: own.x * own.up[1] - own.y * own.up[0] for sign in range(*word.span()) if (own := glyph(sign))}
    signs = {place: word.string[place] for place in range(*word.span())}
    letters = [place for place, sign in signs.items() if not combining(sign)]
    if len(at) < len(signs) or not letters:
        return word[0]
    # A mark is above or below its letter, which begins to the left of it or at the same position.
    bases = {
        place: max(
            (each for each in letters if at[each] <= at[place] + _NEAR), key=lambda each: at[each], default=place
        )
        for place in signs
    }
    ordered = sorted(signs, key=lambda place: (-at[bases[place]], bool(combining(signs[place])), place))
    for first, second in pairwise(range(len(ordered))):
        # The one sign of lam and alef has its letters at one place.
        lam, alef = ordered[second], ordered[first]
        if signs[lam] == _LAM and signs[alef] in _ALEFS and at[lam] == at[alef]:
            ordered[first], ordered[second] = lam, alef
    return "".join(signs[place] for place in ordered)


def _with_brackets(line: re.Match[str], page: pypdfium2.PdfTextPage) -> str:
    """Return a line whose brackets open before what they enclose.

    PDFium mirrors the brackets of some lines twice, and puts the space before a bracket after it.
    """
    text = line[0]
    if len(text) > _LONGEST or not _RIGHT_TO_LEFT.search(text) or not any(sign in _BRACKETS for sign in text):
        return text
    ways = [bidirectional(sign) for sign in text]
    is_to_left = ways.count("R") + ways.count("AL") > ways.count("L")
    signs = list(text)
    for place, encloses_left in _sides(text, line.start(), page):
        opens = encloses_left == is_to_left
        signs[place] = _BRACKETS[text[place]][0 if opens else 1]
        # The space belongs to the other side of the bracket.
        other = place + 1 if opens else place - 1
        beyond = text[place - 1 : place] if opens else text[place + 1 : place + 2]
        if 0 <= other < len(text) and text[other] == " " == signs[other] and beyond.strip():
            signs[place], signs[other] = " ", signs[place]
    return "".join(signs)


def _sides(text: str, start: int, page: pypdfium2.PdfTextPage) -> Iterator[tuple[int, bool]]:
    """Yield the places of brackets that are next to text on one side, and whether that is the left one."""
    places = (place for place, sign in enumerate(text) if not sign.isspace() and sign != "\0")
    at = {place: found for place in places if (found := extent_of(page, start + place)) is not None}
    words = [own for place, own in at.items() if text[place].isalnum()]
    for place, (left, right) in at.items():
        if text[place] in _BRACKETS:
            middle = (left + right) / 2
            to_left = min((left - end for begin, end in words if begin + end < 2 * middle), default=inf)
            to_right = min((begin - right for begin, end in words if begin + end > 2 * middle), default=inf)
            if abs(to_left - to_right) > _NEARER * 2 * (right - left):
                yield place, to_left < to_right
