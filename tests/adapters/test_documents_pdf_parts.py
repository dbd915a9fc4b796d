"""Lines of PDFs from right to left: their parts in the order in which they are read.

The lines are as browsers show them, by the bidirectional algorithm of Unicode (UAX 9), from the left.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from passer.adapters.documents.pdf_parts import Part, in_order


def shown(line: str) -> Iterator[Part]:
    """Parts of a line from the left: letters of 5 points, of which 3 lie between words."""
    x = 70.0
    for found in re.finditer(r"\s|[^\W\d_]+|\d+|\S", line):
        width = 3.0 if found[0].isspace() else 5.0 * len(found[0])
        if not found[0].isspace():
            yield Part(found[0], x, x + width, 10.0)
        x += width


@pytest.mark.parametrize(
    ("line", "read"),
    [
        (".3 الصفحة ،12/05/2021 :النشر", "النشر: 12/05/2021، الصفحة 3."),
        # Hyphens part the numbers behind Arabic letters, but not those behind Hebrew ones.
        (".12-05-2021 من", "من 2021-05-12."),
        ("2021-05-12-מ", "מ-2021-05-12"),
        ("%45.5 النسبة", "النسبة 45.5%"),
        ("מהשטח 50% כן", "כן 50% מהשטח"),
        ("€20 או $50 מחיר", "מחיר $50 או €20"),
        (".info@example.org :البريد ،4567-123 2 359+ :الهاتف", "الهاتف: +359 2 123-4567، البريد: info@example.org."),
        ("(Triticum aestivum) القمح", "القمح (Triticum aestivum)"),
        ("ISO 9001 المعيار", "المعيار ISO 9001"),
        ("kg 5 من", "من 5 kg"),
        ("CO2 و 3D ينتج", "ينتج 3D و CO2"),
        (".600 1 المساحة", "المساحة 1 600."),
        (".[1] «اللائحة»و", "و«اللائحة» [1]."),
        ("(א) סעיף", "סעיף (א)"),
        ("חנקן Nitrogen (N)", "Nitrogen (N) חנקן"),
    ],
)
def test_a_line_from_right_to_left(line: str, read: str) -> None:
    parts = list(shown(line))
    assert in_order(parts[::-1], len(read)) == read
    assert in_order(parts, len(read)) == read, "The order in which a program drew them does not matter."


def test_a_line_keeps_its_length() -> None:
    parts = list(shown("الصفحة من"))
    assert in_order(parts, 10) == "من \0الصفحة"
    assert in_order(parts, 8) == "منالصفحة"
    assert in_order(parts, 7) is None
