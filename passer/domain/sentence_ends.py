"""Ends of sentences in scripts whose full stop is not that of English."""

from __future__ import annotations

import regex

OTHER_STOP = r"[\p{Sentence_Terminal}--[.!?]]"
"""Class of the marks that end a sentence in other scripts, for a pattern of `regex` in version 1."""

_OTHER_STOP = regex.compile(rf"(?V1){OTHER_STOP}")


def has_other_stops(text: str) -> bool:
    """Return whether a text holds a mark that ends a sentence in a script other than English."""
    return not text.isascii() and _OTHER_STOP.search(text) is not None
