"""Places of the characters of a PDF page."""

from __future__ import annotations

from collections.abc import Callable
from ctypes import byref, c_double
from functools import cache
from math import hypot
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import pypdfium2

ExtentAt = Callable[[int], tuple[float, float] | None]
_SAME_WAY = 0.9


class Glyph(NamedTuple):
    """Place of a character, in the units of the page."""

    x: float
    y: float
    size: float
    up: tuple[float, float]
    """Direction of the next line above, of length 1."""

    def is_along(self, way: tuple[float, float]) -> bool:
        """Return whether the next line above is in about this direction."""
        return self.up[0] * way[0] + self.up[1] * way[1] > _SAME_WAY


class Box(NamedTuple):
    """Edges of a page, in its units."""

    left: float
    bottom: float
    right: float
    top: float

    def across(self, up: tuple[float, float]) -> tuple[float, float]:
        """Return the places of its lowest and highest corner in a direction."""
        ends = [x * up[0] + y * up[1] for x in (self.left, self.right) for y in (self.bottom, self.top)]
        return min(ends), max(ends)


def glyphs_of(page: pypdfium2.PdfTextPage) -> Callable[[int], Glyph | None]:
    """Return a function that returns the glyph at a place of the text; several rules look at the ends of each line."""
    from pypdfium2 import raw

    text, x, y, matrix = page.raw, c_double(), c_double(), raw.FS_MATRIX()
    origin_of, matrix_of, size_of = raw.FPDFText_GetCharOrigin, raw.FPDFText_GetMatrix, raw.FPDFText_GetFontSize
    at_x, at_y, at_matrix = byref(x), byref(y), byref(matrix)

    @cache
    def glyph(place: int) -> Glyph | None:
        if not origin_of(text, place, at_x, at_y) or not matrix_of(text, place, at_matrix):
            return None
        c, d = matrix.c, matrix.d
        # The size that a font is set in is scaled by the matrix of its text.
        height = hypot(c, d)
        size = size_of(text, place) * height
        return Glyph(x.value, y.value, size, (c / height, d / height)) if size > 0 else None

    return glyph


def origin_of(page: pypdfium2.PdfTextPage) -> Callable[[int], tuple[float, float] | None]:
    """Return a function that returns the place of a character: most of them need no more."""
    from pypdfium2 import raw

    text, x, y = page.raw, c_double(), c_double()
    find, at_x, at_y = raw.FPDFText_GetCharOrigin, byref(x), byref(y)
    return lambda place: (x.value, y.value) if find(text, place, at_x, at_y) else None


def extent_of(page: pypdfium2.PdfTextPage) -> ExtentAt:
    """Return a function that returns the left and right end of a character, with the space around it.

    It returns None if they are unknown.
    """
    from pypdfium2 import raw

    text, box = page.raw, raw.FS_RECTF()
    find, at_box = raw.FPDFText_GetLooseCharBox, byref(box)
    return lambda place: (box.left, box.right) if find(text, place, at_box) else None
