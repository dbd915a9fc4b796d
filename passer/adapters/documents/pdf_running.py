"""Headers and footers of a PDF: lines that most pages repeat at their upper or lower edge, away from their text.

In every passage, they would make passages similar and match every search for their words. A line that may be something
else is kept: a first row of a table, a refrain, all lines of a document of few pages. The first page with a line keeps
it.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence, Set
from functools import cache
from itertools import chain, pairwise
from math import inf
from operator import attrgetter
from statistics import median
from typing import NamedTuple

from passer.adapters.documents.pdf_numbers import COUNTED, NUMBER, OF_PAGE, OFFSET, is_of_page, keys_of

_FEWEST_PAGES, _REPEATED, _SHARE = 4, 2, 0.6
"""Least number of pages, of those with the same line at the same place, and least share of pages with such lines."""
_ROWS, _EDGE, _SAME_ROW = 3, 0.15, 2.0
"""Most rows of a header, their share of the page's height, and points between the lines of one row."""
_APART, _APART_FROM_ALL, _MOST_GAPS = 1.8, 1.25, 0.9
"""Least distance of a header from the text, in sizes of the letters. Without the page's number it may be a row of a
table: it is this much more than the usual distance between rows, and if its words stand apart, more than most of them.
"""
_OUTSIDE, _FILLED = 0.08, 0.2
"""Share of the page's height in which headers without the page's number are, because a table or a heading may begin
below it, and share that may be empty at the end of the previous page, because text continues after a header."""
_LARGER = 1.15
"""Size, relative to the text, above which a line is a title and no header."""
_LONGEST = 200
"""Most letters of a header."""
_LETTER = re.compile(r"[^\W\d_]")


class Line(NamedTuple):
    """A line of a page that runs as most of its lines do."""

    start: int
    """Its place in the page's text."""
    end: int
    """The place after it."""
    text: str
    """Its words, separated by a space, or by a tab at wide gaps; empty beyond the edges and for long lines."""
    above: float
    """Distance of its baseline from the upper edge of the page."""
    below: float
    """Distance from the lower edge."""
    size: float
    """Size of its letters."""


class Sheet(NamedTuple):
    """The lines of a page."""

    lines: Sequence[Line]
    height: float
    oblique: Sequence[Line] = ()
    """Texts across the page."""


class _Row(NamedTuple):
    lines: Sequence[Line]
    keys: Sequence[str | None]
    """What each line has in common with lines of other pages; None if that is not enough of them."""
    far: float
    """Distance from the edge of the page."""
    gap: float
    """Distance of the next row towards the middle."""
    next_size: float
    next_cells: int
    """Cells of that row: its texts between wide gaps."""
    is_outside: bool
    """Whether it is in the usual margin, and the text continues after it."""

    @property
    def is_numbered(self) -> bool:
        """Return whether a line has the number of the page."""
        return any(key is not None and OF_PAGE in key for key in self.keys)

    def is_apart(self, usual: float, wide: float) -> bool:
        """Return whether the text is as far away as from a running line, by distances between the rows of the text."""
        least = _APART * max(self.next_size, *(line.size for line in self.lines))
        if any(key is not None and OF_PAGE in key and COUNTED not in key for key in self.keys):
            return self.gap >= least
        cells = _cells(self.lines)
        if 1 < cells <= self.next_cells:
            return False  # The first row of a table.
        return self.is_outside and self.gap >= max(least, _APART_FROM_ALL * (wide if cells > 1 else usual))


def running_lines(sheets: Sequence[Sheet]) -> list[list[Line]]:
    """Return the lines to leave out of each page: headers and footers, except the first with its words."""
    found: list[list[Line]] = [[] for _ in sheets]
    if len(sheets) < _FEWEST_PAGES:
        return found
    largest = _LARGER * median([line.size for sheet in sheets for line in sheet.lines] or [inf])
    footers = _repeated([_rows(sheet, is_header=False) for sheet in sheets], largest)
    filled = (_is_filled(sheet, rows) for sheet, rows in zip(sheets, footers, strict=True))
    tops = (_rows(sheet, is_header=True, goes_on=each) for sheet, each in zip(sheets, (False, *filled), strict=False))
    headers = _repeated(list(tops), largest, _offsets(footers))
    usual, wide = _distances(sheets, {line for rows in (*headers, *footers) for row in rows for line in row.lines})
    for page, line in chain(*(_running(edge, usual, wide) for edge in (headers, footers)), _watermarks(sheets)):
        found[page].append(line)
    return found


def _watermarks(sheets: Sequence[Sheet]) -> Iterator[tuple[int, Line]]:
    """Yield the texts across pages that most pages have, except those of the first page."""
    counts = Counter(text for sheet in sheets for text in {line.text for line in sheet.oblique})
    seen: set[str] = set()
    for page, sheet in enumerate(sheets):
        repeated = [line for line in sheet.oblique if counts[line.text] >= _SHARE * len(sheets)]
        yield from ((page, line) for line in repeated if line.text in seen)
        seen.update(line.text for line in repeated)


def _distances(sheets: Sequence[Sheet], repeated: Set[Line]) -> tuple[float, float]:
    """Return the distance between two rows of the text that is usual, and the one that few exceed."""
    gaps = sorted(
        below.above - line.above
        for sheet in sheets
        for line, below in pairwise(sorted(sheet.lines, key=attrgetter("above")))
        if below.above - line.above > _SAME_ROW and not repeated & {line, below}
    )
    return (gaps[len(gaps) // 2], gaps[int(_MOST_GAPS * len(gaps))]) if gaps else (0.0, 0.0)


def _is_filled(sheet: Sheet, footers: Sequence[_Row]) -> bool:
    """Return whether the text of a page reaches its lower end."""
    last = {line for row in footers for line in row.lines}
    return any(line.below <= _FILLED * sheet.height and line not in last for line in sheet.lines)


def _offsets(footers: Sequence[Sequence[_Row]]) -> Set[str]:
    """Return the differences between the numbers at the footers and those of the pages; empty if few pages have one."""
    found = Counter(
        offset[1]
        for rows in footers
        for row in rows
        for line, key in zip(row.lines, row.keys, strict=True)
        if key is not None and (offset := OFFSET.search(key)) and not _LETTER.search(NUMBER.sub("", line.text))
    )
    return set(found) if found.total() >= _SHARE * len(footers) else set()


def _repeated(pages: Sequence[Sequence[_Row]], largest: float, offsets: Set[str] = frozenset()) -> list[list[_Row]]:
    """Return the rows of each page, from its edge to the first one that other pages do not repeat at the same place.

    Numbers with other offsets than the given ones are no page numbers: Article 8 may be on page 1.
    """
    cached_keys = cache(keys_of)
    counts: defaultdict[str, Counter[int]] = defaultdict(Counter)
    for page, rows in enumerate(pages):
        places = ((line.text, round(row.far)) for row in rows for line in row.lines)
        for key, far in {(key, far) for text, far in places for key in cached_keys(text, page)}:
            counts[key][far] += 1
    repeated = {text for text, places in counts.items() if places.total() >= _REPEATED}
    possible = repeated - _returning(pages, repeated)

    def shared(line: Line, far: float, page: int) -> str | None:
        keys = [key for key in cached_keys(line.text, page) if key in possible and is_of_page(key, offsets)]
        found = {key: sum(counts[key][round(far) + step] for step in (-1, 0, 1)) for key in keys}
        best = max(found, key=lambda key: found[key], default="")
        return best if found.get(best, 0) >= _REPEATED else None

    def outer(page: int) -> Iterator[_Row]:
        for row in pages[page]:
            keyed = row._replace(keys=[shared(line, row.far, page) for line in row.lines])
            if any(line.size > largest for line in row.lines) or (None in keyed.keys and not keyed.is_numbered):
                return
            yield keyed

    return [list(outer(page)) for page in range(len(pages))]


def _returning(pages: Sequence[Sequence[_Row]], repeated: Set[str]) -> Set[str]:
    """Return texts that come back at a place after other texts were there: values of forms, such as yes and no.

    Headers do not come back: left and right pages are counted separately, and those of a chapter end with it.
    """
    before: dict[tuple[int, int], Set[str]] = {}
    begun: Counter[tuple[tuple[int, int], str]] = Counter()
    for page, rows in enumerate(pages):
        for row in rows:
            place = (page % 2, round(row.far))
            if texts := {line.text for line in row.lines if line.text in repeated}:
                begun.update((place, text) for text in texts - before.get(place, set()))
                before[place] = texts
    return {text for (_, text), times in begun.items() if times > 1}


def _rows(sheet: Sheet, *, is_header: bool, goes_on: bool = True) -> list[_Row]:
    """Return the rows of a page that may be a header or footer, from its edge."""
    rows = _outer(sheet.lines, is_header=is_header)
    found = []
    for row, following in zip(rows[:_ROWS], (*rows[1:], None), strict=False):
        far = row[0][0]
        if 0 <= far <= _EDGE * sheet.height:
            gap, size = (inf, 0.0) if following is None else (following[0][0] - far, following[0][1].size)
            cells = _cells([line for _, line in following or ()])
            is_outside = goes_on and far <= _OUTSIDE * sheet.height
            found.append(_Row([line for _, line in row], (), far, gap, size, cells, is_outside))
    return found


def _cells(lines: Sequence[Line]) -> int:
    """Return the number of texts between wide gaps."""
    return sum(line.text.count("\t") + 1 for line in lines)


def _outer(lines: Iterable[Line], *, is_header: bool) -> list[list[tuple[float, Line]]]:
    """Return the lines of the outermost rows and of the one after them, with their distances from the edge."""
    rows: list[list[tuple[float, Line]]] = []
    distance = attrgetter("above" if is_header else "below")
    for line in sorted(lines, key=distance):
        far = distance(line)
        if rows and far - rows[-1][0][0] <= _SAME_ROW:
            rows[-1].append((far, line))
        elif len(rows) <= _ROWS:
            rows.append([(far, line)])
        else:
            break
    return rows


def outer_lines(lines: Sequence[Line], height: float) -> Set[Line]:
    """Return the lines of a page that may be a header or footer by their place."""
    most = _EDGE * height
    found = set[Line]()
    for is_header in (True, False):
        rows = _outer(lines, is_header=is_header)
        last = sum(row[0][0] <= most for row in rows[:_ROWS])
        # The row after the last one shows whether that is a row of a table.
        found.update(line for row in rows[: last + 1 if last else 0] for _, line in row)
    return {line for line in found if line.end - line.start <= _LONGEST}


def _running(pages: Sequence[Sequence[_Row]], usual: float, wide: float) -> Iterator[tuple[int, Line]]:
    """Yield the running lines of one edge with their pages."""
    votes: defaultdict[int, Counter[bool]] = defaultdict(Counter)
    for row in chain.from_iterable(pages):
        votes[round(row.far)][row.is_apart(usual, wide)] += 1
    inner = [
        max(
            (place for place, row in enumerate(rows, 1) if votes[round(row.far)][True] > votes[round(row.far)][False]),
            default=0,
        )
        for rows in pages
    ]
    if sum(map(bool, inner)) < _SHARE * len(pages):
        return
    seen: set[str] = set()
    for page, (rows, last) in enumerate(zip(pages, inner, strict=True)):
        for line, key in (pair for row in rows[:last] for pair in zip(row.lines, row.keys, strict=True)):
            if key is not None and (key in seen or not _LETTER.search(NUMBER.sub("", line.text))):
                yield page, line
            seen.add(key or "")
