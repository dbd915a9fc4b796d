"""Columns of a PDF page that is drawn line by line across them, so that its text has a line of each by turns."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from ctypes import addressof, c_double, c_int, c_void_p
from itertools import pairwise
from math import inf
from statistics import median
from typing import TYPE_CHECKING, NamedTuple

from passer.adapters.documents.pdf_glyphs import address_of, quick

if TYPE_CHECKING:
    import pypdfium2

HYPHEN = "\x02"
"""PDFium's sign for a hyphen after which it joins two lines."""
LINE = re.compile(rf"[^\r\n{HYPHEN}]+{HYPHEN}?")
_WORD = re.compile(rf"[^\s{HYPHEN}]+")
_FEWEST, _SHARE = 8, 0.4
"""Least number and share of the lines in which a word begins a column. Columns may have lines of their own."""
_GAP, _NARROWEST = 1.2, 10.0
"""Smallest distance of a column from the letter before, and its smallest width, in sizes of its letters."""
_NEAR = 1.0
"""Points by which the lines of a column may begin to its left or right."""
_LONG, _FILLED, _CONTINUED, _BY_TURNS = 20, 0.75, 0.5, 0.6
"""Criteria that distinguish columns from a table: half of the lines have this many letters and fill this share of the
longest line, this share of them begin with a small letter, and this share of the lines on the left follow one on the
right.
"""


class Word(NamedTuple):
    """A word of a page."""

    start: int
    """Its place in the text."""
    end: int
    """The place behind it."""
    x: float
    """Place of its first letter on the page."""
    last_x: float
    """Place of its last letter."""
    size: float
    """Size of its letters."""


class _Part(NamedTuple):
    """The words of a line within one column; None is the column of a line across several."""

    column: int | None
    text: str
    last_x: float


def gaps_of(page: pypdfium2.PdfTextPage) -> list[list[float]]:
    """Return where pieces of text begin behind a gap, for each line; a quick look, as most lines have none."""
    lines: list[list[float]] = [[]]
    behind = -inf
    edges = left, top, right, bottom = c_double(), c_double(), c_double(), c_double()
    text, rect = address_of(page), quick("FPDFText_GetRect", c_int, c_void_p, c_int, *(c_void_p,) * len(edges))
    ways = [addressof(edge) for edge in edges]
    for number in range(page.count_rects()):
        rect(text, number, *ways)
        if left.value < behind - (size := top.value - bottom.value):
            lines.append([])
        elif left.value - behind > _GAP / 2 * size:
            lines[-1].append(left.value)
        behind = right.value
    return lines


def may_have_columns(gaps: Iterable[Iterable[float]]) -> bool:
    """Return whether enough pieces of text begin at one place behind a gap."""
    found = Counter(round(left) for line in gaps for left in line)
    return any(found[x - 1] + found[x] + found[x + 1] >= _FEWEST for x in found)


def without_interleaving(text: str, word: Callable[[int, int], Word | None]) -> str:
    """Return a text with interleaved columns as one column after the other; any other text unchanged.

    `word` returns the word between two positions of the text.
    """
    lines = [
        [found for each in _WORD.finditer(text, *line.span()) if (found := word(*each.span())) is not None]
        for line in LINE.finditer(text)
    ]
    lines = [line for line in lines if line]
    starts = _starts(lines)
    if len(starts) < 2:
        return text
    parts = [part for line in lines for part in _parts(line, text, starts)]
    return "\r\n".join(_columns(parts, starts)) if _are_columns(parts, starts) else text


def _starts(lines: Sequence[Sequence[Word]]) -> list[float]:
    """Return where columns begin, from the left; the first is the margin."""
    if len(lines) < _FEWEST:
        return []
    left = min(line[0].x for line in lines)
    size = median(line[0].size for line in lines)
    found = Counter(round(word.x) for line in lines for word in _beginnings(line) if word.x > left + _NARROWEST * size)
    starts = [left]
    for x, _ in found.most_common():
        near = sum(found[x + step] for step in (-1, 0, 1))
        is_apart = all(abs(x - other) > _NARROWEST * size for other in starts)
        if is_apart and near >= max(_FEWEST, _SHARE * len(lines)):
            starts.append(float(x))
    return sorted(starts)


def _beginnings(line: Sequence[Word]) -> Iterator[Word]:
    """Yield the first word of a line, and those behind a gap."""
    yield line[0]
    yield from (word for before, word in pairwise(line) if word.x - before.last_x > _GAP * word.size)


def _parts(line: Sequence[Word], text: str, starts: Sequence[float]) -> Iterator[_Part]:
    """Yield the parts of a line; the complete line if it crosses the beginning of a column."""
    behind_gap = set(_beginnings(line))
    columns = [sum(word.x > start - _NEAR for start in starts) - 1 for word in line]
    runs_across = any(
        column != other and word not in behind_gap
        for (column, other), word in zip(pairwise(columns), line[1:], strict=True)
    )
    for column in dict.fromkeys([None] if runs_across else columns):
        words = [word for word, own in zip(line, columns, strict=True) if column in (None, own)]
        end = words[-1].end
        hyphen = HYPHEN if text[end : end + 1] == HYPHEN else ""
        yield _Part(column, text[words[0].start : end] + hyphen, words[-1].last_x)


def _are_columns(parts: Sequence[_Part], starts: Sequence[float]) -> bool:
    order = [part.column for part in parts if part.column is not None]
    back = sum(after < before for before, after in pairwise(order))
    if back < _BY_TURNS * order.count(0):
        return False
    return all(
        _is_prose([part for part in parts if part.column == column], start) for column, start in enumerate(starts)
    )


def _is_prose(lines: Sequence[_Part], start: float) -> bool:
    if len(lines) < _FEWEST or median(len(line.text) for line in lines) < _LONG:
        return False
    width = max(line.last_x for line in lines) - start
    is_filled = median(line.last_x for line in lines) - start >= _FILLED * width
    return is_filled and sum(line.text[0].islower() for line in lines) >= _CONTINUED * len(lines)


def _columns(parts: Sequence[_Part], starts: Sequence[float]) -> Iterator[str]:
    """Yield the texts of columns and of the lines across them."""
    waiting: list[list[str]] = [[] for _ in starts]
    for part in (*parts, _Part(None, "", 0.0)):
        if part.column is not None:
            waiting[part.column].append(part.text)
            continue
        yield from (_joined(texts) for texts in waiting if texts)
        waiting = [[] for _ in starts]
        if part.text:
            yield part.text


def _joined(lines: Sequence[str]) -> str:
    """Return the lines of a column. PDFium misses a hyphen at its end if the next column is on the same line."""
    text = "\r\n".join(lines)
    return re.sub(rf"(?<=\w)[-\u00ad\u2010{HYPHEN}]\r\n(?=\w)|{HYPHEN}\r\n", HYPHEN, text)
