"""Places of the characters of a PDF page."""

from __future__ import annotations

from collections.abc import Callable
from ctypes import CFUNCTYPE, addressof, c_double, c_int, c_void_p, cast
from functools import cache
from math import hypot
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    import pypdfium2

ExtentAt = Callable[[int], tuple[float, float] | None]
_Form = tuple[float, tuple[float, float]]
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


GlyphAt = Callable[[int], Glyph | None]
OriginAt = Callable[[int], tuple[float, float] | None]
MISSING = "\0"
"""Sign of a text in place of one that is left out, so that the places of the others stay."""


@cache
def quick(name: str, result: type[Any], *arguments: type[Any]) -> Callable[..., Any]:
    """Return a function of PDFium that takes addresses as numbers.

    A page needs thousands of calls, which take half the time without ctypes' look at the kind of each pointer.
    """
    from pypdfium2 import raw

    return CFUNCTYPE(result, *arguments)(cast(getattr(raw, name), c_void_p).value or 0)


def address_of(page: pypdfium2.PdfTextPage) -> int | None:
    """Return the address of a page's text for `quick`."""
    return cast(page.raw, c_void_p).value


def glyphs_of(page: pypdfium2.PdfTextPage) -> Callable[[int], Glyph | None]:
    """Return a function that returns the glyph at a place of the text; several rules look at the ends of each line."""
    from pypdfium2 import raw

    text, x, y, matrix = address_of(page), c_double(), c_double(), raw.FS_MATRIX()
    origin = quick("FPDFText_GetCharOrigin", c_int, c_void_p, c_int, c_void_p, c_void_p)
    matrix_of = quick("FPDFText_GetMatrix", c_int, c_void_p, c_int, c_void_p)
    object_of = quick("FPDFText_GetTextObject", c_void_p, c_void_p, c_int)
    at_x, at_y, at_matrix = addressof(x), addressof(y), addressof(matrix)

    def form_at(place: int) -> _Form | None:
        if not matrix_of(text, place, at_matrix):
            return None
        c, d = matrix.c, matrix.d
        # The size that a font is set in is scaled by the matrix of its text.
        height = hypot(c, d)
        size = raw.FPDFText_GetFontSize(page.raw, place) * height
        return (size, (c / height, d / height)) if size > 0 else None

    forms: dict[int, _Form | None] = {}

    @cache
    def glyph(place: int) -> Glyph | None:
        # Texts that a page draws at once have one form; spaces that PDFium adds belong to none of them.
        drawn = object_of(text, place)
        if drawn is None:
            form = form_at(place)
        elif (form := forms.get(drawn)) is None:
            form = forms[drawn] = form_at(place)
        return Glyph(x.value, y.value, *form) if form and origin(text, place, at_x, at_y) else None

    return glyph


def origin_of(page: pypdfium2.PdfTextPage) -> Callable[[int], tuple[float, float] | None]:
    """Return a function that returns the place of a character: most of them need no more."""
    text, x, y = address_of(page), c_double(), c_double()
    find = quick("FPDFText_GetCharOrigin", c_int, c_void_p, c_int, c_void_p, c_void_p)
    at_x, at_y = addressof(x), addressof(y)
    return lambda place: (x.value, y.value) if find(text, place, at_x, at_y) else None


def extent_of(page: pypdfium2.PdfTextPage) -> ExtentAt:
    """Return a function that returns the left and right end of a character, with the space around it.

    It returns None if they are unknown.
    """
    from pypdfium2 import raw

    text, box = address_of(page), raw.FS_RECTF()
    find, at_box = quick("FPDFText_GetLooseCharBox", c_int, c_void_p, c_int, c_void_p), addressof(box)
    return lambda place: (box.left, box.right) if find(text, place, at_box) else None
