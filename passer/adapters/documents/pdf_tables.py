"""Tables of a PDF page with empty cells, whose rows would otherwise read as if the next values stood in these cells."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from math import inf
from statistics import median
from typing import NamedTuple

from passer.adapters.documents.pdf_columns import HYPHEN, LINE
from passer.adapters.documents.pdf_direction import is_from_right
from passer.adapters.documents.pdf_glyphs import ExtentAt, Glyph

_WORD = re.compile(rf"[^\s\0{HYPHEN}]+")
_BETWEEN = " | "
"""Between cells, as in tables of Word documents and web pages."""
_APART, _GUTTER = 0.6, 0.3
"""Smallest distance of two cells of a line, and of two columns, in sizes of letters; a space has about 0.3."""
_FEWEST, _MOST = 3, 200
"""Fewest rows and columns, and the most lines that are compared."""
_FEWEST_GAPS = 4
"""Gaps of the smallest table: two in its complete row, and one in two others."""
_LABEL = re.compile(r"[(\[]?(?:\w{1,5}\.)*\w{0,5}[.)\]](?: (?:\w{1,5}\.)+)?|[^\w\s(\[]\w{0,4}")
"""Numbers of paragraphs and points of lists, with which lists begin."""
_FARTHEST, _LEVEL, _CLOSER = 4.0, 0.3, 0.85
"""Largest distance of two lines and largest difference of height within one, in sizes of letters. Lines of one row are
closer to each other than rows: by this share of their distance.
"""


class Row(NamedTuple):
    """A row of a table, with its place in the text of the page."""

    start: int
    end: int
    text: str


class _Cell(NamedTuple):
    start: int
    end: int
    left: float
    right: float


class _Line(NamedTuple):
    y: float
    size: float
    cells: tuple[_Cell, ...]


_Span = tuple[float, float]
_UNREADABLE = _Line(inf, 1.0, ())
"""A line that is turned or whose words are not in the order of their places; no table contains it."""


def may_have_tables(gaps: Sequence[Sequence[float]]) -> bool:
    """Return whether enough pieces of text begin behind a gap, two of them on one line."""
    return sum(map(len, gaps)) >= _FEWEST_GAPS and max(map(len, gaps)) >= _FEWEST - 1


def rows_with_empty_cells(text: str, glyph: Callable[[int], Glyph | None], extent: ExtentAt) -> Iterator[Row]:
    """Yield the rows of all tables that have an empty cell, in order."""
    if is_from_right(text):
        return
    lines = [_line(each, glyph, extent) for each in LINE.finditer(text) if _WORD.search(each[0])]
    place = 0
    while place < len(lines):
        block = _block(lines, place) if len(lines[place].cells) > 1 else ()
        columns = _columns(block)
        rows = [_row(row, columns, text) for row in _groups(block, columns)] if len(columns) >= _FEWEST else []
        if _is_table(rows):
            yield from (Row(row.start, row.end, _BETWEEN.join(row.cells)) for row in rows if row is not None)
            place += len(block)
        else:
            place += 1


def _line(found: re.Match[str], glyph: Callable[[int], Glyph | None], extent: ExtentAt) -> _Line:
    """Return the cells of a line."""
    first: Glyph | None = None
    cells: list[_Cell] = []
    for word in _WORD.finditer(found.string, *found.span()):
        first = first or glyph(word.start())
        begin, end = extent(word.start()), extent(word.end() - 1)
        if first is None or begin is None or end is None or not first.is_along((0, 1)):
            return _UNREADABLE
        left, start = begin[0], word.start()
        if cells and -first.size < left - cells[-1].right < _APART * first.size:
            left, start = cells[-1].left, cells.pop().start
        cells.append(_Cell(start, word.end(), left, end[1]))
    is_in_order = all(before.right <= after.left for before, after in pairwise(cells))
    return _Line(first.y, first.size, tuple(cells)) if first is not None and is_in_order else _UNREADABLE


def _block(lines: Sequence[_Line], start: int) -> Sequence[_Line]:
    """Return the lines from one on whose cells have common columns; none if only a part of a row has them.

    A line across the columns, such as the name of the rows below it, has no cells.
    """
    if start and abs(lines[start - 1].y - lines[start].y) < _LEVEL * lines[start].size:
        return ()
    columns, widest, block = list[_Span](), 0, list[_Line]()
    floor = top = bottom = inf
    for line, following in pairwise((*lines[start : start + _MOST], _UNREADABLE)):
        merged, widest = _merged((*columns, *_spans(line)), line.size), max(widest, len(line.cells))
        # The lines of a cell may be above those of the cells before, if these are in the middle of their row.
        is_apart = line.y > floor - line.size or bottom - line.y > _FARTHEST * line.size
        fits = len(merged) >= widest and len(set(_places(line, merged))) == len(line.cells) > 0
        is_across = len(line.cells) == 1 < len(following.cells) and bool(block) and bool(block[-1].cells)
        if not (fits or is_across) or (block and is_apart):
            if block and bottom - _LEVEL * line.size < line.y < top + _FARTHEST * line.size:
                return ()
            break
        if line.y < bottom - _LEVEL * line.size and len(line.cells) > 1:
            floor, top = bottom, line.y
        columns, bottom = merged if fits else columns, min(bottom, line.y)
        block.append(line if fits else line._replace(cells=()))
    while block and len(block[-1].cells) < 2 and _begins(block[-1], columns):
        block.pop()
    return block


def _begins(line: _Line, columns: Sequence[_Span]) -> bool:
    """Return whether a line has no cells, or one in the first column."""
    return not line.cells or line.cells[0].left < columns[0][1]


def _spans(line: _Line) -> Iterator[_Span]:
    return ((cell.left, cell.right) for cell in line.cells)


def _places(line: _Line, columns: Sequence[_Span]) -> list[int]:
    """Return the number of the column of each cell."""
    return [sum(left <= cell.left for left, _ in columns) - 1 for cell in line.cells]


def _columns(lines: Sequence[_Line]) -> list[_Span]:
    """Return the left and right end of each column, from the left."""
    return _merged([span for line in lines for span in _spans(line)], lines[0].size) if lines else []


def _merged(spans: Sequence[_Span], size: float) -> list[_Span]:
    columns: list[_Span] = []
    for left, right in sorted(spans):
        if columns and left - columns[-1][1] < _GUTTER * size:
            first, last = columns.pop()
            left, right = first, max(last, right)
        columns.append((left, right))
    return columns


def _groups(lines: Sequence[_Line], columns: Sequence[_Span]) -> Iterator[list[_Line]]:
    """Yield the lines of each row: those of cells of several lines are closer to each other than rows."""
    down, bottom = [0.0], lines[0].y
    for line in lines[1:]:
        down.append(bottom - line.y)
        bottom = min(bottom, line.y)
    begins = [_begins(line, columns) for line in lines]
    usual = median([step for step, has_first in zip(down[1:], begins[1:], strict=True) if has_first] or [0.0])
    row: list[_Line] = []
    for line, step, has_first in zip(lines, down, begins, strict=True):
        has_others = len(line.cells) != 1 or any(len(each.cells) != 1 or not _begins(each, columns) for each in row)
        continues = step < _LEVEL * line.size or (step < _CLOSER * usual and not (has_first and has_others))
        if row and not continues:
            yield row
            row = []
        if line.cells:
            row.append(line)
    yield row


class _Cells(NamedTuple):
    start: int
    end: int
    cells: tuple[str, ...]


def _row(lines: Sequence[_Line], columns: Sequence[_Span], text: str) -> _Cells | None:
    """Return the texts of a row by column; None if a line has two cells in one of them."""
    parts: list[list[str]] = [[] for _ in columns]
    for line in lines:
        places = _places(line, columns)
        if len(set(places)) < len(places):
            return None
        for place, cell in zip(places, line.cells, strict=True):
            has_hyphen = text[cell.end : cell.end + 1] == HYPHEN
            parts[place].append(text[cell.start : cell.end] + (HYPHEN if has_hyphen else " "))
    cells = [cell for line in lines for cell in line.cells]
    end = max(cell.end for cell in cells)
    texts = tuple("".join(each).removesuffix(" ").removesuffix(HYPHEN) for each in parts)
    return _Cells(min(cell.start for cell in cells), end, texts)


def _is_table(rows: Sequence[_Cells | None]) -> bool:
    """Return whether rows are a table with empty cells, and not a list: its points, numbers and texts are as far apart.

    One row is complete, half of them have several cells, and each column has several.
    """
    found = [row.cells for row in rows if row is not None]
    if len(found) < max(len(rows), _FEWEST):
        return False
    filled = [sum(map(bool, row)) for row in found]
    is_list = all(_LABEL.fullmatch(cell) for row in found for cell in row[:-1] if cell)
    has_rows = min(filled) < len(found[0]) == max(filled) and 2 * sum(n > 1 for n in filled) >= len(filled)
    return has_rows and not is_list and all(sum(map(bool, column)) > 1 for column in zip(*found, strict=True))
