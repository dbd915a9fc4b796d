"""The text of one PDF page: the characters in PDFium's order, with raised figures and hyphens as they are meant."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from ctypes import c_int, c_void_p
from itertools import chain, pairwise, repeat
from math import hypot
from typing import TYPE_CHECKING, NamedTuple

from passer.adapters.documents.pdf_columns import HYPHEN, LINE, Word, gaps_of, may_have_columns, without_interleaving
from passer.adapters.documents.pdf_direction import direction_of, in_reading_order, is_from_right
from passer.adapters.documents.pdf_glyphs import (
    MISSING,
    Box,
    Glyph,
    GlyphAt,
    OriginAt,
    address_of,
    extent_of,
    glyphs_of,
    origin_of,
    quick,
)
from passer.adapters.documents.pdf_hyphens import joined
from passer.adapters.documents.pdf_raised import with_lines, with_raised
from passer.adapters.documents.pdf_running import Line, Sheet, outer_lines
from passer.adapters.documents.pdf_spaced import is_oblique, with_lines_apart, with_whole_words
from passer.adapters.documents.pdf_tables import Row, may_have_tables, rows_with_empty_cells

if TYPE_CHECKING:
    import pypdfium2

_BEYOND = re.compile("[\U00010000-\U0010ffff]")
_NO_LETTER = re.compile("[\ufffe\x02\0]")
_SAMPLED, _MOST_UNKNOWN = 200, 0.2
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
    unknown: float = 0.0
    """Share of its characters, in [0, 1], that the fonts do not map to letters."""
    left_out: frozenset[bytes] = frozenset()
    """Names of fonts of which PDFium may leave out signs."""


def page_text(page: pypdfium2.PdfTextPage, box: Box, *, is_upright: bool) -> PageText | None:
    """Return the text of a page; None if its fonts do not map many of its characters to letters."""
    if (unknown := _unknown_share(page)) > _MOST_UNKNOWN:
        return None
    glyph, origin, extent = glyphs_of(page), origin_of(page), extent_of(page)
    text = with_lines_apart(with_whole_words(with_lines(_units(page), glyph, extent), glyph, extent), glyph)
    drawn = with_raised(text, glyph, origin)
    direction = direction_of(drawn, glyph, extent)
    text = in_reading_order(drawn, direction)
    words: dict[tuple[int, int], Word | None] = {}

    def word(start: int, end: int) -> Word | None:
        words[start, end] = found = _word(glyph, start, end)
        return found

    gaps = gaps_of(page)
    has_turns = is_upright and may_have_columns(gaps) and without_interleaving(text, word) != text
    rows = (
        tuple(rows_with_empty_cells(drawn, glyph, extent, direction))
        if is_upright and not has_turns and (direction is not None or may_have_tables(gaps))
        else ()
    )
    return PageText(text, _sheet(text, glyph, origin, box), words if has_turns else None, rows, unknown)


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
        joined(text, compounds).replace(MISSING, "").encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    )


def _without(text: str, line: Line, *, keeps_breaks: bool) -> str:
    """Replace a line, and a break before or after it, by characters that are removed at the end."""
    before, after = text[: line.start], text[line.end :]
    if keeps_breaks:
        return before + MISSING * (line.end - line.start) + after
    breaks = len(after) - len(after.removeprefix("\r\n"))
    if before.endswith(HYPHEN):
        # The word continues after the footer, on the next page.
        before = before.removesuffix(HYPHEN) + "-"
    elif not after.strip("\r\n\0"):
        kept = before.rstrip("\r\n\0")
        before = kept + MISSING * (len(before) - len(kept))
    return before + MISSING * (line.end - line.start + breaks) + after[breaks:]


def _sheet(text: str, glyph: GlyphAt, origin: OriginAt, box: Box) -> Sheet:
    """Return the lines that run as most do, with their distances from the edges of the page."""
    found = list(_ends(text, glyph))
    ways = Counter[tuple[float, float]]()
    for (x, y), lines_along in Counter(first.up for _, first, _ in found).items():
        ways[round(x, 1), round(y, 1)] += lines_along
    [(way, _)] = ways.most_common(1) or [((0.0, 1.0), 0)]
    low, high = box.across(way)
    # A page has few directions, and many lines.
    ups = {each.up: each for _, *ends in found for each in ends}
    kinds = {up: (is_oblique(each), each.is_along(way)) for up, each in ups.items()}
    lines, oblique = [], []
    for each, first, last in found:
        (is_turned, is_level), (ends_turned, ends_level) = kinds[first.up], kinds[last.up]
        if is_turned and ends_turned:
            oblique.append(Line(*each.span(), each[0].strip(_BLANK), 0.0, 0.0, first.size))
        elif is_level and ends_level:
            place, other = first.x * way[0] + first.y * way[1], last.x * way[0] + last.y * way[1]
            if abs(place - other) < _LEVEL * first.size:
                lines.append(Line(*each.span(), "", high - place, place - low, first.size))
    outer = outer_lines(lines, high - low)
    lines = [
        line._replace(text=_words(text[line.start : line.end], line.start, glyph, origin)) if line in outer else line
        for line in lines
    ]
    return Sheet(lines, high - low, oblique)


def _ends(text: str, glyph: GlyphAt) -> Iterator[tuple[re.Match[str], Glyph, Glyph]]:
    """Yield the lines with their first and last sign."""
    for each in LINE.finditer(text):
        start, end = each.end() - len(each[0].lstrip(_BLANK)), each.start() + len(each[0].rstrip(_BLANK))
        if start < end and (first := glyph(start)) is not None and (last := glyph(end - 1)) is not None:
            yield each, first, last


def _words(line: str, start: int, glyph: GlyphAt, origin: OriginAt) -> str:
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
        lambda found: HYPHEN if raw.FPDFText_IsHyphen(page.raw, found.start()) == 1 else MISSING, text
    )


def _unknown_share(page: pypdfium2.PdfTextPage) -> float:
    """Return the share of characters without a letter: PDFium returns their codes, so that "the" becomes "WKH"."""
    is_missing, count = quick("FPDFText_HasUnicodeMapError", c_int, c_void_p, c_int), page.count_chars()
    places = range(0, count, max(1, count // _SAMPLED))
    unknown = Counter(map(is_missing, repeat(address_of(page)), places))[1]
    return float(unknown / max(1, len(places)))


def _word(glyph: GlyphAt, start: int, end: int) -> Word | None:
    first, last = glyph(start), glyph(end - 1)
    return None if first is None or last is None else Word(start, end, first.x, last.x, first.size)
