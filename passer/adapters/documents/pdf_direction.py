"""Order of the characters of a PDF page in Arabic, Hebrew and other scripts that are written from right to left."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import NamedTuple
from unicodedata import bidirectional, combining

from passer.adapters.documents.pdf_glyphs import ExtentAt, Glyph
from passer.adapters.documents.pdf_parts import BRACKETS, Part, in_order, sides_of

_RIGHT_TO_LEFT = re.compile("[\u0591-\u065f\u066e-\u06ef\u06fa-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]{2,}")
"""Letters and marks of scripts from right to left, without their figures, which run from left to right."""
_NEAR = 0.5
_LAM, _ALEFS = "\u0644", "\u0622\u0623\u0625\u0627\u0671"
_LINE, _LONGEST, _BLANK = re.compile(r"[^\r\n\x02]+"), 1000, " \t\xa0\0"
_PART = re.compile(r"[^\W\d_]+(?:[\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670]|[^\W\d_])*|\d+|[^\s\0]")
"""A word with its marks, a number, or another sign."""


def is_from_right(text: str) -> bool:
    """Return whether a text has words in scripts from right to left."""
    return _RIGHT_TO_LEFT.search(text) is not None


class Direction(NamedTuple):
    """How a page with words from right to left is read."""

    is_to_left: bool
    """Whether most of its letters run to the left."""
    read: Callable[[int, int], str]
    """Returns what is between two places of a line, in logical order and as long as before."""


def direction_of(text: str, glyph: Callable[[int], Glyph | None], extent: ExtentAt) -> Direction | None:
    """Return how to read right-to-left words (Arabic, Hebrew and others) in logical order; None without such words.

    PDFium reads them from left to right if a program drew each word separately, as browsers do.
    """
    if not is_from_right(text):
        return None
    words = _RIGHT_TO_LEFT.sub(lambda found: _from_right(found, glyph), text)
    is_to_left = _runs_to_left(words)

    def read(start: int, end: int) -> str:
        line = _LINE.match(words, start, end)
        if line is None:
            return ""
        return _ordered(line, glyph, extent, is_page_to_left=is_to_left) or _with_brackets(line, extent)

    return Direction(is_to_left, read)


def in_reading_order(text: str, direction: Direction | None) -> str:
    """Return the lines of a text in logical order."""
    return text if direction is None else _LINE.sub(lambda line: direction.read(*line.span()), text)


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


def _ordered(
    line: re.Match[str],
    glyph: Callable[[int], Glyph | None],
    extent: ExtentAt,
    *,
    is_page_to_left: bool,
) -> str | None:
    """Return a line from right to left in the order of its places; None for other lines.

    PDFium puts some numbers, points and words of other scripts on the wrong side of one another.
    """
    text = line[0]
    if len(text) > _LONGEST or not is_from_right(text) or not (is_page_to_left or _runs_to_left(text)):
        return None
    parts = list(_parts(line, glyph, extent))
    letters = [part for part in parts if part and part.way in ("R", "AL", "L")]
    # A line of such a page may begin or end with words of another script.
    if None in parts or not letters:
        return None
    known = [part for part in parts if part is not None]
    letters.sort(key=lambda part: part.left)
    is_to_left = {letters[0].way, letters[-1].way} != {"L"} or _runs_to_left(text)
    before, after = text[: len(text) - len(text.lstrip(_BLANK))], text[len(text.rstrip(_BLANK)) :]
    ordered = in_order(known, len(text) - len(before) - len(after)) if is_to_left else None
    return None if ordered is None else before + ordered + after


def _parts(line: re.Match[str], glyph: Callable[[int], Glyph | None], extent: ExtentAt) -> Iterator[Part | None]:
    """Yield the parts of a line; None for one whose place is unknown or that does not run along the page."""
    for found in _PART.finditer(line[0]):
        places = [line.start() + place for place in range(*found.span()) if not combining(line[0][place])]
        own, ends = [glyph(place) for place in places], [extent(place) for place in places]
        signs, edges = [each for each in own if each and each.is_along((0, 1))], [each for each in ends if each]
        if not places or len(signs) < len(places) or len(edges) < len(places):
            yield None
        else:
            lefts, rights = zip(*edges, strict=True)
            yield Part(found[0], min(lefts), max(rights), max(each.size for each in signs))


def _runs_to_left(text: str) -> bool:
    ways = [bidirectional(sign) for sign in text]
    return ways.count("R") + ways.count("AL") > ways.count("L")


def _with_brackets(line: re.Match[str], extent: ExtentAt) -> str:
    """Return a line whose brackets open before what they enclose.

    PDFium mirrors the brackets of some lines twice, and puts the space before a bracket after it.
    """
    text = line[0]
    if len(text) > _LONGEST or not is_from_right(text) or not any(sign in BRACKETS for sign in text):
        return text
    is_to_left = _runs_to_left(text)
    signs = list(text)
    for place, encloses_left in _sides(text, line.start(), extent):
        opens = encloses_left == is_to_left
        signs[place] = BRACKETS[text[place]][0 if opens else 1]
        # The space belongs to the other side of the bracket.
        other = place + 1 if opens else place - 1
        beyond = text[place - 1 : place] if opens else text[place + 1 : place + 2]
        if 0 <= other < len(text) and text[other] == " " == signs[other] and beyond.strip():
            signs[place], signs[other] = " ", signs[place]
    return "".join(signs)


def _sides(text: str, start: int, extent: ExtentAt) -> Iterator[tuple[int, bool]]:
    places = (place for place, sign in enumerate(text) if not sign.isspace() and sign != "\0")
    at = {place: found for place in places if (found := extent(start + place)) is not None}
    signs = list(at)
    yield from ((signs[place], is_left) for place, is_left in sides_of([(text[each], *at[each]) for each in signs]))
