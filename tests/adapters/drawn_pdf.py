"""PDFs drawn by hand: each text at its place, in a font whose letters are Helvetica's or those of a given map."""

from __future__ import annotations

import io
from collections.abc import Iterable, Mapping
from typing import Any

import pypdf
from pypdf.generic import ArrayObject, DecodedStreamObject, DictionaryObject, NameObject, NumberObject, TextStringObject

Drawn = tuple[float, float, float, str]
"""Place from the left and from below, size, and text of at most one byte per letter."""
_HEAD = (
    "/CIDInit /ProcSet findresource begin 12 dict begin begincmap\n1 begincodespacerange <00> <FF> endcodespacerange\n"
)


def _dictionary(**entries: Any) -> DictionaryObject:
    return DictionaryObject(
        {
            NameObject(f"/{key}"): NameObject(f"/{each}") if isinstance(each, str) else each
            for key, each in entries.items()
        }
    )


def _stream(text: str) -> DecodedStreamObject:
    stream = DecodedStreamObject()
    stream.set_data(text.encode("cp1252"))
    return stream


def _said(text: str, letters: Mapping[str, str] | None) -> str:
    spoken = "" if letters is None else "".join(letters[sign] for sign in text).encode("utf-16-be").hex()
    return f"/Span<</ActualText <FEFF{spoken}>>> BDC ({text}) Tj EMC" if spoken else f"({text}) Tj"


def drawn(
    *pages: Iterable[Drawn],
    letters: Mapping[str, str] | None = None,
    is_spoken: bool = False,
    has_codes_only: bool = False,
) -> bytes:
    """A PDF; `letters` are what the drawn ones stand for, also in the text for screen readers if it is spoken.

    Fonts with codes alone do not say what their letters are.
    """
    writer = pypdf.PdfWriter()
    font = _dictionary(Type="Font", Subtype="Type1", BaseFont="Helvetica", Encoding="WinAnsiEncoding")
    if letters:
        pairs = "".join(f"<{ord(key):02X}> <{each.encode('utf-16-be').hex()}>\n" for key, each in letters.items())
        cmap = f"{_HEAD}{len(letters)} beginbfchar\n{pairs}endbfchar\nendcmap end end"
        font[NameObject("/ToUnicode")] = writer._add_object(_stream(cmap))
    if has_codes_only:
        system = _dictionary(Supplement=NumberObject(0))
        system[NameObject("/Registry")], system[NameObject("/Ordering")] = map(TextStringObject, ("Adobe", "Identity"))
        inner = _dictionary(Type="Font", Subtype="CIDFontType2", BaseFont="Subset", CIDSystemInfo=system)
        font = _dictionary(Type="Font", Subtype="Type0", BaseFont="Subset", Encoding="Identity-H")
        font[NameObject("/DescendantFonts")] = ArrayObject([writer._add_object(inner)])
    for items in pages:
        page = writer.add_blank_page(595, 842)
        page[NameObject("/Resources")] = _dictionary(Font=_dictionary(F1=font))
        shown = "".join(
            f"BT /F1 {size} Tf 1 0 0 1 {x} {y} Tm {_said(text, letters if is_spoken else None)} ET\n"
            for x, y, size, text in items
        )
        page[NameObject("/Contents")] = writer._add_object(_stream(shown))
    stream = io.BytesIO()
    writer.write(stream)
    return stream.getvalue()
