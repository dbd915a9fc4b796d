"""Sentence splitting by Punkt without training: it needs no data and gives equal results on every machine.

The published service used Punkt's English model. Of the abbreviations in that model, two cause most rows of the
published record to differ from untrained Punkt, so its profile contains just these two.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from typing import Any

from passer.metrics import nltk_parts

SENTENCE_SPLITTER = "untrained Punkt"
PUBLISHED_SPLITTER = "untrained Punkt with the abbreviations u.s. and vs."

_PUBLISHED_ABBREVIATIONS = frozenset({"u.s", "vs"})

# Untrained Punkt always ends a sentence after a word of two or more letters, and after a list number that is followed
# by a capital or a Markdown mark.
_PLAIN_END = re.compile(r"(?:(?:[A-Za-z]+-)*([A-Za-z]{2,})[.?!]\s+[A-Za-z0-9*#<(-]|\d{1,3}\.\s+[A-Z*])\S*\Z")
_CLOSING = frozenset("\"')]}\u2018\u2019\u201c\u201d\u00ab\u00bb")
"""Signs that Punkt gives to the sentence before them."""


def split_sentences(text: str) -> list[str]:
    """Return the sentences in order, without the white space between them."""
    return _split(text, frozenset())


def split_published(text: str) -> list[str]:
    """Return the sentences as the published service split them."""
    return _split(text, _PUBLISHED_ABBREVIATIONS)


def _split(text: str, abbreviations: frozenset[str]) -> list[str]:
    return [sentence for sentence in _punkt(abbreviations).tokenize(text) if sentence.strip()]


@cache
def _punkt(abbreviations: frozenset[str]) -> Any:
    punkt: Any = nltk_parts.punkt()

    class Punkt(punkt.PunktSentenceTokenizer):  # type: ignore[misc]
        """Punkt with cached decisions for the most frequent cases, which do not depend on the text."""

        @lru_cache(maxsize=32_768)  # noqa: B019 (lives as long as the program)
        def text_contains_sentbreak(self, text: str) -> bool:
            plain = _PLAIN_END.match(text)
            if plain and (plain[1] or "").lower() not in abbreviations:
                return True
            return bool(super().text_contains_sentbreak(text))

        def _realign_boundaries(self, text: str, slices: Iterable[slice]) -> Iterator[slice]:
            spans = list(slices)
            # Only a text with a sentence that begins with a closing sign needs NLTK's search; few have one.
            if _CLOSING.isdisjoint(text[span.start] for span in spans if span.start < len(text)):
                return (span for span in spans if text[span])
            return iter(super()._realign_boundaries(text, iter(spans)))

    parameters = punkt.PunktParameters()
    parameters.abbrev_types = set(abbreviations)
    return Punkt(parameters)
