"""Raised and lowered figures of a PDF page, and the line breaks that PDFium puts around them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from passer.adapters.documents.pdf_glyphs import MISSING, ExtentAt, Glyph, GlyphAt, OriginAt
from passer.adapters.documents.plain import SUPERSCRIPTS

_FIGURES = re.compile(r"\S?[^\S\r\n]?(?:[+\-\u2212\u2013,]?\d+)+")
"""Figures with the sign before them that they may be raised above."""
_BEFORE_FIGURES = 3
"""Most characters of these before the first figure."""
_NUMBER = re.compile(r"\d+")
_BREAK, _SPACE = re.compile(r"\r\n(?=[^\s\0])"), 0.3
_RAISED = re.compile(r"[+\-\u2212\u2013]?\d{1,3}(?:,\d{1,3})*(?![\w.])")
"""A break of lines, the size of a space in sizes of letters, and raised figures that begin a line."""
_SMALLER, _LOWEST, _HIGHEST, _WIDEST = 0.85, 0.15, 0.8, 1.6
"""Raised figures are smaller than the sign before, 0.15 to 0.8 of its size above its line, and next to it.

Word raises by a third of the size and shrinks to two thirds, as browsers do; LaTeX raises by .36 and shrinks to .7.
"""
_SAME_LEVEL, _MOST_LEVEL = 0.05, 1.0
"""Sizes of letters by which the heights of two letters of one line differ, and by which its words are apart."""


def with_lines(text: str, glyph: GlyphAt, extent: ExtentAt) -> str:
    """Return the text without the line breaks that PDFium puts around superscripts and subscripts.

    On pages of short lines, which it takes for vertical text, it puts them between the letters of each line.
    """
    signs = list(text)
    for found in _BREAK.finditer(text):
        start = found.start() - (text[found.start() - 1 : found.start()] == " ")
        if start < 1 or text[start - 1].isspace() or text[start - 1] == "\0":
            continue
        before, after = glyph(start - 1), glyph(found.end())
        if before is None or after is None:
            continue
        size = max(before.size, after.size)
        # Most breaks are between two lines, which needs no closer look.
        if abs(before.y - after.y) >= _HIGHEST * size:
            continue
        is_level = _is_level(before, after)
        if not is_level and not _is_shifted(before, after):
            continue
        behind, begin = extent(start - 1), extent(found.end())
        if behind is None or begin is None:
            continue
        gap, most = begin[0] - behind[1], (_MOST_LEVEL if is_level else 2 * _SPACE) * size
        if not -_SPACE * size < gap < most:
            continue
        signs[start : found.end()] = [" " if gap > _SPACE * size / 2 else MISSING, *MISSING * (found.end() - start - 1)]
        is_power = not is_level and after.size < before.size and after.y > before.y
        if is_power and (raised := _RAISED.match(text, found.end())) is not None:
            signs[slice(*raised.span())] = raised[0].translate(SUPERSCRIPTS)
    return "".join(signs)


def _is_level(one: Glyph, other: Glyph) -> bool:
    return abs(one.y - other.y) < _SAME_LEVEL * one.size and one.is_along((0, 1)) and other.is_along((0, 1))


def _is_shifted(one: Glyph, other: Glyph) -> bool:
    """Return whether one of two signs of a line is smaller than the other, and raised or lowered."""
    size = max(one.size, other.size)
    if min(one.size, other.size) >= _SMALLER * size:
        return False
    is_upright = one.is_along((0, 1)) and other.is_along((0, 1))
    return is_upright and _LOWEST * size < abs(one.y - other.y) < _HIGHEST * size


def with_raised(text: str, glyph: GlyphAt, origin: OriginAt) -> str:
    """Return a text with its raised figures as such: 10 to the power of 5 is not 105."""
    signs = list(text)
    for found in _figures(text):
        is_first = found[0][0].isdigit() and text[found.start() - 1 : found.start()] in ("", "\n", "\0")
        if not is_first and _is_on_one_line(text, *found.span(), origin):
            continue
        for place in _raised(text, *found.span(), glyph, is_first=is_first):
            signs[place] = signs[place].translate(SUPERSCRIPTS)
    return "".join(signs)


def _figures(text: str) -> Iterator[re.Match[str]]:
    """Yield the figures of a text; the pattern alone would be tried at each letter."""
    end = 0
    while (digit := _NUMBER.search(text, end)) is not None:
        found = _FIGURES.search(text, max(end, digit.start() - _BEFORE_FIGURES))
        if found is None:
            return
        yield found
        end = found.end()


def _raised(text: str, start: int, end: int, glyph: GlyphAt, *, is_first: bool) -> Iterator[int]:
    """Yield the places of raised figures."""
    below: Glyph | None = None
    if is_first:
        # The number of a footnote begins its line: the text that follows shows the baseline.
        after = re.compile(r"[^\S\r\n]*(\S)").match(text, end)
        below = glyph(after.start(1)) if after else None
    for place in range(start, end):
        if text[place].isspace() or (own := glyph(place)) is None:
            continue
        if below is None or not _is_above(own, below):
            below = own
        # The note (1) is no part of a number.
        elif text[place] != "," and text[start] not in "([":
            yield place


def _is_on_one_line(text: str, start: int, end: int, origin: OriginAt) -> bool:
    """Return whether figures are at one height, by the last of each number: those of nearly all are."""
    first = origin(start + text[start].isspace())
    lasts = (origin(figures.end() - 1) for figures in _NUMBER.finditer(text, start, end))
    return first is not None and all(last is not None and last[1] == first[1] for last in lasts)


def _is_above(own: Glyph, below: Glyph) -> bool:
    x, y = own.x - below.x, own.y - below.y
    rise, way = x * below.up[0] + y * below.up[1], abs(x * below.up[1] - y * below.up[0])
    is_raised = _LOWEST * below.size < rise < _HIGHEST * below.size
    return own.is_along(below.up) and is_raised and own.size < _SMALLER * below.size and way < _WIDEST * below.size
