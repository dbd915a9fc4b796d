"""The text of one PDF page: the characters in PDFium's order, with raised figures and hyphens as they are meant."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from itertools import chain, pairwise, repeat
from math import hypot
from typing import TYPE_CHECKING, NamedTuple

from passer.adapters.documents.pdf_columns import HYPHEN, LINE, Word, gaps_of, may_have_columns, without_interleaving
from passer.adapters.documents.pdf_direction import in_reading_order, is_from_right
from passer.adapters.documents.pdf_glyphs import Box, ExtentAt, Glyph, extent_of, glyphs_of, origin_of
from passer.adapters.documents.pdf_hyphens import joined
from passer.adapters.documents.pdf_running import Line, Sheet, outer_lines
from passer.adapters.documents.pdf_spaced import is_oblique, with_lines_apart, with_whole_words
from passer.adapters.documents.pdf_tables import Row, may_have_tables, rows_with_empty_cells
from passer.adapters.documents.plain import SUPERSCRIPTS

if TYPE_CHECKING:
    import pypdfium2

_GlyphAt = Callable[[int], Glyph | None]
_OriginAt = Callable[[int], tuple[float, float] | None]
_MISSING = "\0"
_BEYOND = re.compile("[\U00010000-\U0010ffff]")
_NO_LETTER = re.compile("[\ufffe\x02\0]")
_FIGURES = re.compile(r"\S?[^\S\r\n]?(?:[+\-\u2212\u2013,]?\d+)+")
"""Figures with the sign before them that they may be raised above."""
_BEFORE_FIGURES = 3
"""Most characters of these before the first figure."""
_NUMBER = re.compile(r"\d+")
_BREAK, _SPACE = re.compile(r"(?<=[^\s\0]) ?\r\n(?=[^\s\0])"), 0.3
_RAISED = re.compile(r"[+\-\u2212\u2013]?\d{1,3}(?:,\d{1,3})*(?![\w.])")
"""A break of lines, the size of a space in sizes of letters, and raised figures that begin a line."""
_SMALLER, _LOWEST, _HIGHEST, _WIDEST = 0.85, 0.15, 0.8, 1.6
"""Raised figures are smaller than the sign before, 0.15 to 0.8 of its size above its line, and next to it.

Word raises by a third of the size and shrinks to two thirds, as browsers do; LaTeX raises by .36 and shrinks to .7.
"""
_SAMPLED, _MOST_UNKNOWN = 200, 0.2
_SAME_LEVEL, _MOST_LEVEL = 0.05, 1.0
"""Sizes of letters by which the heights of two letters of one line differ, and by which its words are apart."""
_LEVEL = 0.3
"""Sizes of letters by which the heights of the first and last letter of a line may differ."""
_BLANK = " \t\xa0\0"
_WORD, _WIDE, _MOST_WORDS = re.compile(r"[^\s\0]+"), 3, 12
"""Words, the width of a wide gap in sizes of letters, and the most words of a line in which gaps are measured."""


class PageText(NamedTuple):
    """The characters of a page, with the places of its lines and words."""

    text: str
    """Characters in PDFium's order, in which the lines of several columns may alternate."""
    sheet: Sheet
    """Lines of the text."""
    words: Mapping[tuple[int, int], Word | None] | None
    """Words of the text by their places, if the lines of several columns alternate."""
    rows: Sequence[Row]
    """Rows of tables with empty cells, if no lines of columns alternate."""


def page_text(page: pypdfium2.PdfTextPage, box: Box, *, is_upright: bool) -> PageText | None:
    """Return the text of a page; None if its fonts do not map many of its characters to letters."""
    if _is_unknown(page):
        return None
    glyph, origin, extent = glyphs_of(page), origin_of(page), extent_of(page)
    text = with_lines_apart(with_whole_words(_with_lines(_units(page), glyph, extent), glyph, extent), glyph)
    text = in_reading_order(_with_raised(text, glyph, origin), glyph, extent)
    words: dict[tuple[int, int], Word | None] = {}

    def word(start: int, end: int) -> Word | None:
        words[start, end] = found = _word(glyph, start, end)
        return found

    gaps = gaps_of(page)
    has_turns = is_upright and may_have_columns(gaps) and without_interleaving(text, word) != text
    rows = (
        tuple(rows_with_empty_cells(text, glyph, extent))
        if is_upright and not has_turns and may_have_tables(gaps)
        else ()
    )
    return PageText(text, _sheet(text, glyph, origin, box), words if has_turns else None, rows)


def finished(page: PageText, running: Iterable[Line], compounds: Set[str]) -> str:
    """Return the text of a page without its running lines, with one column after the other and with whole words."""
    text, words = page.text, page.words
    for line in running:
        text = _without(text, line, keeps_breaks=words is not None)
    for row in reversed(page.rows):
        # A row may be a header that other pages have, too.
        if text[row.start : row.end] == page.text[row.start : row.end]:
            text = text[: row.start] + row.text + text[row.end :]
    if words is not None:
        text = without_interleaving(text, lambda start, end: words.get((start, end)))
    return (
        joined(text, compounds)
        .replace(_MISSING, "")
        .encode("utf-16-le", "surrogatepass")
        .decode("utf-16-le", "replace")
    )


def _without(text: str, line: Line, *, keeps_breaks: bool) -> str:
    """Replace a line, and a break before or after it, by characters that are removed at the end."""
    before, after = text[: line.start], text[line.end :]
    if keeps_breaks:
        return before + _MISSING * (line.end - line.start) + after
    breaks = len(after) - len(after.removeprefix("\r\n"))
    if before.endswith(HYPHEN):
        # The word continues after the footer, on the next page.
        before = before.removesuffix(HYPHEN) + "-"
    elif not after.strip("\r\n\0"):
        kept = before.rstrip("\r\n\0")
        before = kept + _MISSING * (len(before) - len(kept))
    return before + _MISSING * (line.end - line.start + breaks) + after[breaks:]


def _sheet(text: str, glyph: _GlyphAt, origin: _OriginAt, box: Box) -> Sheet:
    """Return the lines that run as most do, with their distances from the edges of the page."""
    found = []
    for each in LINE.finditer(text):
        start, end = each.end() - len(each[0].lstrip(_BLANK)), each.start() + len(each[0].rstrip(_BLANK))
        if start < end and (first := glyph(start)) is not None and (last := glyph(end - 1)) is not None:
            found.append((each, first, last))
    ways = Counter[tuple[float, float]]()
    for (x, y), lines_along in Counter(first.up for _, first, _ in found).items():
        ways[round(x, 1), round(y, 1)] += lines_along
    [(way, _)] = ways.most_common(1) or [((0.0, 1.0), 0)]
    low, high = box.across(way)
    lines, oblique = [], []
    for each, first, last in found:
        if is_oblique(first) and is_oblique(last):
            oblique.append(Line(*each.span(), each[0].strip(_BLANK), 0.0, 0.0, first.size))
            continue
        place, other = (glyph.x * way[0] + glyph.y * way[1] for glyph in (first, last))
        if first.is_along(way) and last.is_along(way) and abs(place - other) < _LEVEL * first.size:
            lines.append(Line(*each.span(), "", high - place, place - low, first.size))
    outer = outer_lines(lines, high - low)
    lines = [
        line._replace(text=_words(text[line.start : line.end], line.start, glyph, origin)) if line in outer else line
        for line in lines
    ]
    return Sheet(lines, high - low, oblique)


def _words(line: str, start: int, glyph: _GlyphAt, origin: _OriginAt) -> str:
    """Return the words of a line, separated by a space, or by a tab at wide gaps."""
    words = list(_WORD.finditer(line))
    spaces = [" "] * len(words)
    # Words from right to left are not in the order of their places.
    has_gaps = len(words) <= _MOST_WORDS and not is_from_right(line)
    for number, (word, following) in enumerate(pairwise(words) if has_gaps else ()):
        before, after = origin(start + word.end() - 1), glyph(start + following.start())
        if before and after and hypot(after.x - before[0], after.y - before[1]) > _WIDE * after.size:
            spaces[number] = "\t"
    return "".join(chain.from_iterable(zip((word[0] for word in words), spaces, strict=True))).strip()


def _units(page: pypdfium2.PdfTextPage) -> str:
    """Return a page's text with one sign for each of PDFium's characters, so that their places agree.

    A sign beyond the first 65,536, such as 𝑥, has two characters: the parts that UTF-16 has of it.
    """
    from pypdfium2 import raw

    text = str(page.get_text_range())
    if _BEYOND.search(text):
        parts = text.encode("utf-16-le", "surrogatepass")
        text = "".join(chr(low | high << 8) for low, high in zip(parts[::2], parts[1::2], strict=True))
    count = page.count_chars()
    if len(text) != count:
        text = "".join(chr(raw.FPDFText_GetUnicode(page.raw, place)) for place in range(count))
    # PDFium has one sign for a hyphen that breaks a word, and for a character without a letter.
    return _NO_LETTER.sub(
        lambda found: HYPHEN if raw.FPDFText_IsHyphen(page.raw, found.start()) == 1 else _MISSING, text
    )


def _is_unknown(page: pypdfium2.PdfTextPage) -> bool:
    """Return whether many characters have no letter: PDFium then returns codes, so that "the" becomes "WKH"."""
    from pypdfium2 import raw

    text, is_missing, count = page.raw, raw.FPDFText_HasUnicodeMapError, page.count_chars()
    places = range(0, count, max(1, count // _SAMPLED))
    unknown = Counter(map(is_missing, repeat(text), places))[1]
    return bool(unknown > _MOST_UNKNOWN * max(1, len(places)))


def _with_lines(text: str, glyph: _GlyphAt, extent: ExtentAt) -> str:
    """Return the text without the line breaks that PDFium puts around superscripts and subscripts.

    On pages of short lines, which it takes for vertical text, it puts them between the letters of each line.
    """
    signs = list(text)
    for found in _BREAK.finditer(text):
        before, after = glyph(found.start() - 1), glyph(found.end())
        if before is None or after is None:
            continue
        is_level = _is_level(before, after)
        if not is_level and not _is_shifted(before, after):
            continue
        size = max(before.size, after.size)
        behind, begin = extent(found.start() - 1), extent(found.end())
        if behind is None or begin is None:
            continue
        gap, most = begin[0] - behind[1], (_MOST_LEVEL if is_level else 2 * _SPACE) * size
        if not -_SPACE * size < gap < most:
            continue
        signs[slice(*found.span())] = [" " if gap > _SPACE * size / 2 else _MISSING, *_MISSING * (len(found[0]) - 1)]
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


def _with_raised(text: str, glyph: _GlyphAt, origin: _OriginAt) -> str:
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
        starts = range(max(end, digit.start() - _BEFORE_FIGURES), digit.start() + 1)
        found = next(filter(None, (_FIGURES.match(text, start) for start in starts)))
        yield found
        end = found.end()


def _raised(text: str, start: int, end: int, glyph: _GlyphAt, *, is_first: bool) -> Iterator[int]:
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


def _is_on_one_line(text: str, start: int, end: int, origin: _OriginAt) -> bool:
    """Return whether figures are at one height, by the last of each number: those of nearly all are."""
    first = origin(start + text[start].isspace())
    lasts = (origin(figures.end() - 1) for figures in _NUMBER.finditer(text, start, end))
    return first is not None and all(last is not None and last[1] == first[1] for last in lasts)


def _is_above(own: Glyph, below: Glyph) -> bool:
    x, y = own.x - below.x, own.y - below.y
    rise, way = x * below.up[0] + y * below.up[1], abs(x * below.up[1] - y * below.up[0])
    is_raised = _LOWEST * below.size < rise < _HIGHEST * below.size
    return own.is_along(below.up) and is_raised and own.size < _SMALLER * below.size and way < _WIDEST * below.size


def _word(glyph: _GlyphAt, start: int, end: int) -> Word | None:
    first, last = glyph(start), glyph(end - 1)
    return None if first is None or last is None else Word(start, end, first.x, last.x, first.size)
