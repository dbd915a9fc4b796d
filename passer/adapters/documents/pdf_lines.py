"""Lines of a PDF page as texts that are apart, which may be cells of a table."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise
from math import inf
from operator import itemgetter
from typing import NamedTuple

from passer.adapters.documents.pdf_columns import HYPHEN, LINE
from passer.adapters.documents.pdf_direction import Direction
from passer.adapters.documents.pdf_glyphs import ExtentAt, GlyphAt

_Part = tuple[int, int, float, float]
_SIGN, _WORD = re.compile(rf"[^\s\0{HYPHEN}]"), re.compile(rf"[^\s\0{HYPHEN}]+")
_APART = 0.7
"""Smallest distance of two cells of a line, in sizes of letters; a space has 0.3, in code 0.6."""
LEVEL = 0.3
"""Largest difference of height within a line, in sizes of letters."""


class Cell(NamedTuple):
    """A text of a line that is apart from its other texts."""

    start: int
    """Its place in the text of the page."""
    end: int
    """The place after it."""
    left: float
    """Where it begins on the page."""
    right: float
    """Where it ends."""


class Line(NamedTuple):
    """A line of a page, in its units."""

    y: float
    """Height of its first letter."""
    size: float
    """Size of that letter."""
    cells: tuple[Cell, ...]
    """Its texts, in the order of their places."""


UNREADABLE = Line(inf, 1.0, ())
"""A line that is turned or whose words are not in the order of their places; no table contains it."""


def lines_of(text: str, glyph: GlyphAt, extent: ExtentAt, direction: Direction | None) -> list[Line]:
    """Return the lines of a page; one that runs to the left is seen in a mirror, so that its first cells are left."""
    place_of = extent if direction is None or not direction.is_to_left else _mirrored(extent)
    found = (each for each in LINE.finditer(text) if _WORD.search(each[0]))
    return _joined(_line(each, glyph, place_of, is_sorted=direction is None) for each in found)


def _mirrored(extent: ExtentAt) -> ExtentAt:
    return lambda place: None if (found := extent(place)) is None else (-found[1], -found[0])


def _line(found: re.Match[str], glyph: GlyphAt, extent: ExtentAt, *, is_sorted: bool) -> Line:
    """Return the cells of a line; only words from left to right are drawn in the order of their places."""
    spans = [part.span() for part in (_WORD if is_sorted else _SIGN).finditer(found.string, *found.span())]
    first = glyph(spans[0][0]) if spans else None
    if first is None or not first.is_along((0, 1)):
        return UNREADABLE
    parts: list[_Part] = []
    for start, end in spans:
        begin, close = extent(start), extent(end - 1)
        if begin is None or close is None:
            return UNREADABLE
        parts.append((start, end, begin[0], close[1]))
    cells = tuple(_cells(parts if is_sorted else _by_place(parts), first.size))
    is_in_order = all(before.right <= after.left for before, after in pairwise(cells))
    is_whole = is_sorted or all(before.end <= after.start for before, after in pairwise(sorted(cells)))
    return Line(first.y, first.size, cells) if is_in_order and is_whole else UNREADABLE


def _by_place(signs: Iterable[_Part]) -> Iterator[_Part]:
    """Yield signs from the left; the right end of each is that of all until then, as marks are within letters."""
    end = -inf
    for place, after, left, right in sorted(signs, key=itemgetter(2)):
        end = max(end, right)
        yield place, after, left, end


def _cells(parts: Iterable[_Part], size: float) -> Iterator[Cell]:
    """Yield parts that are not apart as one."""
    start, end, left, right = 0, 0, -inf, -inf
    for begin, close, place, last in parts:
        if -size < place - right < _APART * size:
            start, end, right = min(start, begin), max(end, close), last
            continue
        if right > -inf:
            yield Cell(start, end, left, right)
        start, end, left, right = begin, close, place, last
    if right > -inf:
        yield Cell(start, end, left, right)


def _joined(lines: Iterable[Line]) -> list[Line]:
    """Return the lines with those of one height as one: PDFium may break a line between its cells."""
    joined: list[Line] = []
    for line in lines:
        last = joined[-1] if joined else UNREADABLE
        is_level = abs(line.y - last.y) < LEVEL * line.size
        if line.cells and last.cells and last.cells[-1].right < line.cells[0].left and is_level:
            joined[-1] = last._replace(cells=last.cells + line.cells)
        else:
            joined.append(line)
    return joined
