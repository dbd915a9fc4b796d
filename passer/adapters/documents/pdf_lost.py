"""What a PDF contains and its text does not: signs that PDFium leaves out, unknown letters, attached files."""

from __future__ import annotations

import io
import logging
from collections.abc import Iterator, Sequence
from ctypes import addressof, c_float, c_int, c_ulong, c_void_p, cast, create_string_buffer
from itertools import islice, repeat
from typing import TYPE_CHECKING
from unicodedata import east_asian_width

from passer.adapters.documents.pdf_glyphs import address_of, quick
from passer.adapters.documents.pdf_page import PageText
from passer.domain.wording.sentence import Sentence, sentence

if TYPE_CHECKING:
    import pypdf
    import pypdfium2

_KNOWN_FONTS = (b"Helvetica", b"Times", b"Courier", b"Symbol", b"ZapfDingbats", b"Arial")
"""Beginnings of the names of fonts that PDFium has."""
_DEEPEST, _MOST_FONTS, _LONGEST_NAME = 4, 8, 200
_NO_TEXT = 2
"""Bytes of an empty text."""
_FEW_UNKNOWN = 0.02
"""Share of a page's characters without letters that is mentioned."""


def fonts_left_out(page: pypdfium2.PdfPage, text_page: pypdfium2.PdfTextPage) -> frozenset[bytes]:
    """Return the names of fonts of which PDFium leaves out single signs; such a sign may be a space.

    PDFium gives a sign no width if neither the file nor the computer has its font.
    """
    names, found = dict[int | None, bytes | None](), set[bytes]()
    left, right, other = c_float(), c_float(), c_float()
    font_of = quick("FPDFTextObj_GetFont", c_void_p, c_void_p)
    bounds_of = quick("FPDFPageObj_GetBounds", c_int, *[c_void_p] * 5)
    text_of = quick("FPDFTextObj_GetText", c_ulong, c_void_p, c_void_p, c_void_p, c_ulong)
    for item in _texts(cast(page.raw, c_void_p).value, "FPDFPage", _DEEPEST):
        if (font := font_of(item)) not in names:
            names[font] = _foreign_name(font)
        name = names[font]
        if name is None or name in found:
            continue
        bounds_of(item, addressof(left), addressof(other), addressof(right), addressof(other))
        # Of a sign that it leaves out, PDFium returns an empty text: only the zero at its end.
        if left.value == right.value and text_of(item, address_of(text_page), None, 0) <= _NO_TEXT:
            found.add(name)
    return frozenset(found)


def _texts(holder: int | None, kind: str, deepest: int) -> Iterator[int]:
    """Yield the addresses of the texts of a page, and of the forms in it."""
    from pypdfium2 import raw

    kind_of = quick("FPDFPageObj_GetType", c_int, c_void_p)
    count = quick(f"{kind}_CountObjects", c_int, c_void_p)(holder)
    for item in map(quick(f"{kind}_GetObject", c_void_p, c_void_p, c_int), repeat(holder), range(count)):
        found = kind_of(item)
        if found == raw.FPDF_PAGEOBJ_TEXT:
            yield item
        elif found == raw.FPDF_PAGEOBJ_FORM and deepest:
            yield from _texts(item, "FPDFFormObj", deepest - 1)


def _foreign_name(font: int | None) -> bytes | None:
    """Return the name of a font that neither the file nor PDFium has; None for another."""
    if font is None or quick("FPDFFont_GetIsEmbedded", c_int, c_void_p)(font):
        return None
    name = create_string_buffer(_LONGEST_NAME)
    quick("FPDFFont_GetBaseFontName", c_ulong, c_void_p, c_void_p, c_ulong)(font, addressof(name), _LONGEST_NAME)
    return None if name.value.startswith(_KNOWN_FONTS) else name.value


def warnings_on(
    content: bytes, name: str, pages: Sequence[PageText | None], texts: Sequence[str], attached: int
) -> tuple[Sentence, ...]:
    """Return one sentence for each kind of what the text of a PDF lacks."""
    places = {
        "document.lost-signs": _pages_with_lost_signs(content, pages, texts),
        "document.lost-pages": [number for number, page in enumerate(pages) if page is None],
        "document.lost-letters": [n for n, page in enumerate(pages) if page and page.unknown > _FEW_UNKNOWN],
    }
    found = [sentence(code, name=name, n=len(at), page=at[0] + 1) for code, at in places.items() if at]
    return (*found, *([sentence("document.attached", name=name, n=attached)] if attached else []))


def _pages_with_lost_signs(content: bytes, pages: Sequence[PageText | None], texts: Sequence[str]) -> list[int]:
    """Return the pages on which PDFium leaves out East Asian signs of a font, by pypdf's text of the first of them."""
    first: dict[bytes, int] = {}
    for number, page in enumerate(pages):
        for font in page.left_out if page else ():
            first.setdefault(font, number)
    lost = {font for font, number in islice(first.items(), _MOST_FONTS) if _lacks_signs(content, number, texts[number])}
    return [number for number, page in enumerate(pages) if page and lost & page.left_out]


def opened_by_pypdf(content: bytes) -> pypdf.PdfReader:
    """Open a file by pypdf, which logs each part that it repairs: the command line would print hundreds of lines."""
    import pypdf

    logging.getLogger("pypdf").setLevel(logging.CRITICAL)
    return pypdf.PdfReader(io.BytesIO(content))


def _lacks_signs(content: bytes, number: int, text: str) -> bool:
    """Return whether a page has more East Asian signs than its text."""
    try:
        whole = opened_by_pypdf(content).pages[number].extract_text()
    except Exception:  # pypdf raises errors of every kind; PDFium has read the page
        return False
    return _wide(whole) > _wide(text)


def _wide(text: str) -> int:
    return sum(east_asian_width(sign) in "WF" for sign in text)
