"""Tables of a PDF page with empty cells, whose rows would otherwise read as if the next values stood in these cells."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate, pairwise
from math import inf
from typing import NamedTuple

from passer.adapters.documents.pdf_columns import HYPHEN
from passer.adapters.documents.pdf_direction import Direction
from passer.adapters.documents.pdf_glyphs import ExtentAt, GlyphAt
from passer.adapters.documents.pdf_lines import LEVEL, UNREADABLE, Line, lines_of

_SPACED = re.compile(r"(?<=[(\[{]) | (?=[)\]}])")
"""Spaces within brackets: PDFium puts those before the brackets of a line from right to left after them."""
_BETWEEN = " | "
"""Between cells, as in tables of Word documents and web pages."""
_GUTTER = 0.3
"""Smallest distance of two columns in sizes of letters, as that of two words."""
_FEWEST, _MOST = 3, 200
"""Fewest rows and columns, and the most lines that are compared."""
_FEWEST_GAPS = 4
"""Gaps of the smallest table: two in its complete row, and one in two others."""
_LABEL = re.compile(r"[(\[]?(?:\w{1,5}\.)*\w{0,5}[.)\]](?: (?:\w{1,5}\.)+)?|[^\w\s(\[]\w{0,4}")
"""Numbers of paragraphs and points of lists, with which lists begin."""
_FARTHEST, _LOWER, _WITHIN = 4.0, 0.9, 1.6
"""Sizes of letters: largest distance of two lines of a table, smallest one, and largest one of two lines of a cell."""
_CLOSER, _LONG = 1.15, 15
"""Largest ratio of the distances of lines in rows, and letters of a cell from which it may have a second line."""


class Row(NamedTuple):
    """A row of a table, with its place in the text of the page."""

    start: int
    end: int
    text: str


_Span = tuple[float, float]


def may_have_tables(gaps: Sequence[Sequence[float]]) -> bool:
    """Return whether enough pieces of text begin behind a gap, two of them on one line."""
    return sum(map(len, gaps)) >= _FEWEST_GAPS and max(map(len, gaps)) >= _FEWEST - 1


def rows_with_empty_cells(text: str, glyph: GlyphAt, extent: ExtentAt, direction: Direction | None) -> Iterator[Row]:
    """Yield the rows of all tables that have an empty cell, in order; their cells begin on the right if the page does.

    The text is as it is drawn: each sign is at the place of its character.
    """
    lines = lines_of(text, glyph, extent, direction)

    def read(start: int, end: int) -> str:
        return text[start:end] if direction is None else _SPACED.sub("", direction.read(start, end))

    place = 0
    while place < len(lines):
        block = _block(lines, place) if len(lines[place].cells) > 1 else ()
        columns = _columns(block)
        if _is_begun(block, columns, lines[place - 1] if place else UNREADABLE):
            block, columns = (), []
        rows = (
            [_row(row, columns, text, read) for row in _groups(block, columns, text)] if len(columns) >= _FEWEST else []
        )
        if _is_table(rows):
            yield from (Row(row.start, row.end, _BETWEEN.join(row.cells)) for row in rows if row is not None)
            place += len(block)
        else:
            place += 1


def _block(lines: Sequence[Line], start: int) -> Sequence[Line]:
    """Return the lines from one on whose cells have common columns; none if only a part of a row has them.

    A line across the columns, such as the name of the rows below it, has no cells.
    """
    columns, apart, widest, block = list[_Span](), 0.0, 0, list[Line]()
    floor = top = bottom = inf
    for line, following in pairwise((*lines[start : start + _MOST], UNREADABLE)):
        merged, places = columns, _places(line, columns)
        # Most lines have nothing outside the columns, which are then as far apart as before.
        if line.size > apart or not _is_inside(line, places, columns):
            merged = _merged((*columns, *_spans(line)), line.size)
            places = _places(line, merged)
        widest = max(widest, len(line.cells))
        # The lines of a cell may be above those of the cells before, if these are in the middle of their row.
        is_apart = line.y > floor - line.size or bottom - line.y > _FARTHEST * line.size
        fits = len(merged) >= widest and len(set(places)) == len(line.cells) > 0
        is_across = len(line.cells) == 1 < len(following.cells) and bool(block) and bool(block[-1].cells)
        if not (fits or is_across) or (block and is_apart):
            if block and bottom - LEVEL * line.size < line.y < top + _FARTHEST * line.size:
                return ()
            break
        if line.y < bottom - LEVEL * line.size and len(line.cells) > 1:
            floor, top = bottom, line.y
        if fits and merged is not columns:
            columns, apart = merged, line.size
        bottom = min(bottom, line.y)
        block.append(line if fits else line._replace(cells=()))
    while block and len(block[-1].cells) < 2 and _begins(block[-1], columns):
        block.pop()
    return block


def _is_begun(block: Sequence[Line], columns: Sequence[_Span], before: Line) -> bool:
    """Return whether the line before a block belongs to its first row: it is as high, or in a cell that seems empty."""
    if not block or not before.cells:
        return False
    size, down, right = block[0].size, before.y - block[0].y, before.cells[-1].right
    free = columns[: _places(block[0], columns)[0]]
    is_within = any(left - size < before.cells[0].left and right < end + size for left, end in free)
    return -_FARTHEST * size < down < (_WITHIN if is_within else LEVEL) * size


def _begins(line: Line, columns: Sequence[_Span]) -> bool:
    """Return whether a line has no cells, or one in the first column."""
    return not line.cells or line.cells[0].left < columns[0][1]


def _spans(line: Line) -> Iterator[_Span]:
    return ((cell.left, cell.right) for cell in line.cells)


def _places(line: Line, columns: Sequence[_Span]) -> list[int]:
    """Return the number of the column of each cell."""
    lefts = [left for left, _ in columns]
    return [bisect_right(lefts, cell.left) - 1 for cell in line.cells]


def _is_inside(line: Line, places: Sequence[int], columns: Sequence[_Span]) -> bool:
    """Return whether each cell is within the column where it begins."""
    return all(place >= 0 and cell.right <= columns[place][1] for place, cell in zip(places, line.cells, strict=True))


def _columns(lines: Sequence[Line]) -> list[_Span]:
    """Return the left and right end of each column, from the left."""
    columns: list[_Span] = []
    for line in lines:
        if not _is_inside(line, _places(line, columns), columns):
            columns = _merged((*columns, *_spans(line)), lines[0].size)
    return columns


def _merged(spans: Sequence[_Span], size: float) -> list[_Span]:
    columns: list[_Span] = []
    for left, right in sorted(spans):
        if columns and left - columns[-1][1] < _GUTTER * size:
            first, last = columns.pop()
            left, right = first, max(last, right)
        columns.append((left, right))
    return columns


def _groups(lines: Sequence[Line], columns: Sequence[_Span], text: str) -> list[list[Line]]:
    """Return the lines of each row; none where it is not clear if a line is a row or continues the cells above.

    Lines of one row are closer to each other than rows are. But rows may also be in groups with space between them.
    """
    steps = [inf, *_steps(lines)]
    downward = [step for step, line in zip(steps, lines, strict=True) if step > _LOWER * line.size]
    near = _CLOSER * min(downward)
    rest = [_is_rest(line, columns) for line in lines]
    has_near_rows = any(step <= near and not is_rest for step, is_rest in zip(steps[1:], rest[1:], strict=True))
    is_wrapped = any(near < step < inf for step in steps) and not has_near_rows
    begins = near if is_wrapped else _LOWER * lines[0].size
    least, most = (-inf, near) if is_wrapped else (begins, inf)
    continued = [n for n in range(1, len(lines)) if rest[n] and lines[n].cells and least < steps[n] <= most]
    has_text = any(_continues(lines[n], lines[n - 1], columns, text) for n in continued)
    if (continued and not has_text) if is_wrapped else has_text:
        return []
    rows: list[list[Line]] = []
    floor = bottom = inf
    for line, step in zip(lines, steps, strict=True):
        if step > begins or not line.cells or not rows[-1]:
            rows.append([])
            floor = bottom
        bottom = min(bottom, line.y)
        if line.y > floor - LEVEL * line.size:
            # As high as an earlier row, which is then a part of one.
            return []
        rows[-1] += [line] if line.cells else []
    return [row for row in rows if row]


def _steps(lines: Sequence[Line]) -> Iterator[float]:
    """Yield the distance of each line after the first from the lowest line before it."""
    bottoms = accumulate((line.y for line in lines), min)
    return (bottom - line.y for bottom, line in zip(bottoms, lines[1:], strict=False))


def _is_rest(line: Line, columns: Sequence[_Span]) -> bool:
    """Return whether a line may continue the cells above it: it has no first cell, or no other."""
    return len(line.cells) < 2 or not _begins(line, columns)


def _continues(line: Line, before: Line, columns: Sequence[_Span], text: str) -> bool:
    """Return whether a line continues a text: it begins with a small letter or a bracket, or the cell above is long."""
    above = dict(zip(_places(before, columns), before.cells, strict=True))
    return any(
        text[cell.start].islower()
        or text[cell.start] in "(["
        or ((upper := above.get(place)) is not None and upper.end - upper.start >= _LONG)
        for place, cell in zip(_places(line, columns), line.cells, strict=True)
    )


class _Cells(NamedTuple):
    start: int
    end: int
    cells: tuple[str, ...]


def _row(lines: Sequence[Line], columns: Sequence[_Span], text: str, read: Callable[[int, int], str]) -> _Cells | None:
    """Return the texts of a row by column; None if a line has two cells in one of them."""
    parts: list[list[str]] = [[] for _ in columns]
    for line in lines:
        places = _places(line, columns)
        if len(set(places)) < len(places):
            return None
        for place, cell in zip(places, line.cells, strict=True):
            has_hyphen = text[cell.end : cell.end + 1] == HYPHEN
            parts[place].append(read(cell.start, cell.end) + (HYPHEN if has_hyphen else " "))
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
