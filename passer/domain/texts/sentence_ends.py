"""Ends of sentences in scripts whose full stop is not that of English."""

from __future__ import annotations

import regex

from passer.domain.texts.words import is_unspaced

OTHER_STOP = r"[\p{Sentence_Terminal}--[.!?]]"
"""Class of the marks that end a sentence in other scripts, for a pattern of `regex` in version 1."""

CLOSING = r"[\p{Close_Punctuation}\p{Final_Punctuation}]"
"""Class of the brackets and quotes that belong to the sentence before them."""

_OTHER_STOP = regex.compile(rf"(?V1){OTHER_STOP}")


def sentence_end(stop: str, closing: str) -> str:
    """Return the pattern of the position after a sentence; `re` can use it too if `re` can use both classes.

    Quotes and brackets that are closed there belong to the sentence; a comma, or the Japanese particle of quoting,
    after them continues it. A full-width point before a digit belongs to a number.
    """
    behind = "|".join(f"(?<={stop}{closing * closed})" for closed in range(3))
    return (
        rf"(?:(?<={stop})|(?<={closing}))(?:{behind})(?!{stop}|{closing}|[\u3001\uff0c,])"
        rf"(?<![\uff0e\ufe52](?=\d))(?<!{closing}(?=\u3068|\u3063\u3066))"
    )


_SENTENCE_END = regex.compile(f"(?V1){sentence_end(OTHER_STOP, CLOSING)}")


def has_other_stops(text: str) -> bool:
    """Return whether a text contains a mark that ends a sentence in a script other than English."""
    return not text.isascii() and _OTHER_STOP.search(text) is not None


def is_of_other_scripts(text: str) -> bool:
    """Return whether rules of other scripts change how a text is cut into sentences, words or passages."""
    return has_other_stops(text) or is_unspaced(text)


def split_at_other_stops(text: str) -> list[str]:
    """Return the parts of a text that end with such marks, and what follows them, without white space at both ends."""
    if not has_other_stops(text):
        return [text]
    return [part for found in _SENTENCE_END.split(text) if (part := found.strip())]
