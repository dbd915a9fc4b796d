"""Hyphens at the ends of a PDF's lines: whether they break a word or belong to it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set
from itertools import pairwise

from passer.adapters.documents.pdf_columns import HYPHEN

_LONG = 4
"""Capitals on one side of a hyphen from which both are one word in capitals; EU-UK are two."""

_SUPERLATIVE = "най"
"""Before Bulgarian adjectives, always with a hyphen."""


def compounds_of(texts: Iterable[str]) -> Set[str]:
    """Return the words with a hyphen within a line, such as non-compliance, in small letters."""
    return {f"{before}-{after}".lower() for text in texts for before, after in _words(text.split("-"))}


def joined(text: str, compounds: Set[str]) -> str:
    """Return a text without hyphens that only break a word; before a figure or a name it belongs to the word."""
    parts = text.split(HYPHEN)
    hyphens = (_hyphen(before, after, compounds) for before, after in _words(parts))
    return parts[0] + "".join(f"{hyphen}{part}" for hyphen, part in zip(hyphens, parts[1:], strict=True))


def _words(parts: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield the last word of each part and the first one of the next."""
    begun = 0
    for part, following in pairwise(parts):
        # From the end alone: a page may have a word of a million letters.
        start, end = len(part), 0
        while start > begun and _is_of_word(part[start - 1]):
            start -= 1
        while end < len(following) and _is_of_word(following[end]):
            end += 1
        yield part[start:], following[:end]
        begun = end


def _is_of_word(sign: str) -> bool:
    return sign.isalnum() or sign == "_"


def _hyphen(before: str, after: str, compounds: Set[str]) -> str:
    if not after or before.lower() == _SUPERLATIVE or f"{before}-{after}".lower() in compounds:
        return "-"
    is_heading = max(len(before), len(after)) >= _LONG and len(after) > 1 and (before + after).isupper()
    return "" if after[0].isalpha() and (is_heading or not after[0].isupper()) else "-"
