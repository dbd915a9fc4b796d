"""Titles of a PDF page with spaces between their letters, and texts that are drawn across the page."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import pairwise
from statistics import median

from passer.adapters.documents.pdf_columns import LINE
from passer.adapters.documents.pdf_glyphs import ExtentAt, Glyph

_SPACED = re.compile(r"(?<![^\r\n])(?:\S[ \t\xa0]+){4,}\S(?=[ \t\xa0]*(?:[\r\n]|\Z))")
"""A line of single signs, of which one in four at most is no letter."""
_BEGUN, _BEGUN_LATER = re.compile(r"\S[ \t\xa0]"), re.compile(r"[\r\n]\S[ \t\xa0]")
"""A single sign that begins a line: few pages have one, and the pattern above is tried at each sign."""
_LETTERS, _FEWEST = 0.75, 3
"""Share of letters, and the fewest different ones."""
_WIDEST, _LARGER = 0.8, 1.6
"""Largest usual distance between letters, in their sizes: cells of a table are farther apart. Words are farther apart,
too, than their letters.
"""
_OBLIQUE = 0.1


def with_whole_words(text: str, glyph: Callable[[int], Glyph | None], extent: ExtentAt) -> str:
    """Return a text in which titles such as I N T R O D U C T I O N are words."""
    if not _BEGUN.match(text) and not _BEGUN_LATER.search(text):
        return text
    signs = list(text)
    for found in _SPACED.finditer(text):
        places = [place for place in range(*found.span()) if not text[place].isspace()]
        letters = [text[place] for place in places if text[place].isalpha()]
        # Names of columns or answers, such as A B C D E, are in order.
        if len(letters) < _LETTERS * len(places) or len(set(letters)) < _FEWEST or letters == sorted(letters):
            continue
        own, ends = glyph(places[0]), [extent(place) for place in places]
        gaps = [after[0] - before[1] for before, after in pairwise(ends) if before is not None and after is not None]
        if own is None or len(gaps) < len(places) - 1 or not 0 < (usual := median(gaps)) < _WIDEST * own.size:
            continue
        for (before, after), gap in zip(pairwise(places), gaps, strict=True):
            signs[before + 1 : after] = [" " if gap > _LARGER * usual else "\0", *"\0" * (after - before - 2)]
    return "".join(signs)


def with_lines_apart(text: str, glyph: Callable[[int], Glyph | None]) -> str:
    """Return a text in which what is drawn across the page, such as DRAFT, is a line of its own.

    PDFium appends it to the line that is drawn before it.
    """
    places = [place for line in LINE.finditer(text) for place in _ends_of_oblique(line, glyph)]
    if not places:
        return text
    signs = list(text)
    for place in places:
        signs[place] = "\n"
    return "".join(signs)


def _ends_of_oblique(line: re.Match[str], glyph: Callable[[int], Glyph | None]) -> Iterator[int]:
    """Yield the spaces between an oblique text at an end of a line and its other text."""
    start, end = line.end() - len(line[0].lstrip()), line.start() + len(line[0].rstrip())
    if start < end:
        is_first, is_last = is_oblique(glyph(start)), is_oblique(glyph(end - 1))
        if is_first != is_last:
            spaces = [place for place in range(start, end) if line.string[place].isspace()]
            for place in spaces if is_first else reversed(spaces):
                after = glyph(place + 1 if is_first else place - 1)
                if after is not None and not is_oblique(after):
                    yield place if is_first else next(each for each in spaces if each >= place)
                    return


def is_oblique(glyph: Glyph | None) -> bool:
    """Return whether a character is turned by an angle that lines of text are not."""
    return glyph is not None and abs(glyph.up[0]) > _OBLIQUE and abs(glyph.up[1]) > _OBLIQUE
