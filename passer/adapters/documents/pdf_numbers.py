"""What a line of a PDF page has in common with lines of other pages: its text, and the number of its page in it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence, Set
from itertools import pairwise

NUMBER = re.compile(r"\d{1,6}|\b(?=[mdclxvi])(?:m{0,3}(?:cm|cd|d?c{0,3})(?:xc|xl|l?x{0,3})(?:ix|iv|v?i{0,3}))\b", re.I)
_ROMAN = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100, "d": 500, "m": 1000}
OF_PAGE, COUNTED = "\0", "\1"
"""Signs of a page number in the common part of lines, and of one after a word."""
_WORD_BEFORE = re.compile(r"[^\W\d_][ .:#№-]{0,3}\Z|§ ?\Z")
_POINT = re.compile(r"[^\w/|]*\d+(?:[.)]|(?:\.\d+)+\.?)\s+[^\W\d_]")
"""A word before a number, and the number of a point: Question 3 and 3. Scope may be headings of pages. A page number
has no word before it, or one of `_PAGE_WORD`.
"""
OFFSET = re.compile(rf"{OF_PAGE}{COUNTED}?(-?\d+)")
"""A page number in the common part of lines: its distance from the number of the page, counted from 0."""
_PAGE_WORD = re.compile(
    r"(?:\b(?:pages?|pagina|página|página|pág|pg|pp?|seite|s|side|sida|strana|strona|str|oldal|стр|страница|с|σελίδα)"
    r"|صفحة|עמוד|第)\W?\s?\Z",
    re.I,
)
_LONGEST_WORD = 16
"""Most letters of a word for a page, with the signs after it."""
_WORDS = re.compile(r"\w+|\W+")


def keys_of(text: str, page: int) -> Sequence[str]:
    """Return the text of a line, and its text with each of its numbers by its distance from that of the page."""
    keys, is_point = [text] if text else [], _POINT.match(text)
    words = {found.start(): found[0] for found in _WORDS.finditer(text)}
    counts = Counter(words.values())
    for found in NUMBER.finditer(text):
        before = text[: found.start()]
        near = before[-_LONGEST_WORD:]
        is_after_word = _WORD_BEFORE.search(near) and not _PAGE_WORD.search(near)
        kind = COUNTED if is_after_word or (is_point and found.start() < is_point.end()) else ""
        sign = f"{OF_PAGE}{kind}{_value(found[0]) - page}"
        keys.append(f"{before}{sign}{text[found.end() :]}")
        if counts[found[0]] > (words.get(found.start()) == found[0]):
            # On the last page, 12 of 12 has the number twice; other headers have it at both ends.
            keys.append("".join(sign if word == found[0] else word for word in words.values()))
    return keys


def is_of_page(key: str, offsets: Set[str]) -> bool:
    """Return whether a text has no number of its page, or one at one of the given distances; without any, at each."""
    offset = OFFSET.search(key)
    return offset is None or not offsets or offset[1] in offsets


def _value(number: str) -> int:
    if number.isdecimal():
        return int(number)
    values = [_ROMAN[letter] for letter in number.lower()]
    return sum(-own if own < after else own for own, after in pairwise((*values, 0)))
