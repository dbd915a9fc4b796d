"""Sentences by Punkt without training: no data is needed, and every machine splits alike.

The published service split with Punkt's English model. Of what that model knows, two abbreviations decide most rows of
the published record that plain Punkt misses, so its profile knows these two and nothing else.
"""

from __future__ import annotations

from functools import cache
from typing import Any

SENTENCE_SPLITTER = "untrained Punkt"
PUBLISHED_SPLITTER = "untrained Punkt with the abbreviations u.s. and vs."

_PUBLISHED_ABBREVIATIONS = frozenset({"u.s", "vs"})


def split_sentences(text: str) -> list[str]:
    """Sentences in order, without the white space between them."""
    return _split(text, frozenset())


def split_published(text: str) -> list[str]:
    """Sentences as the published service found them."""
    return _split(text, _PUBLISHED_ABBREVIATIONS)


def _split(text: str, abbreviations: frozenset[str]) -> list[str]:
    return [sentence for sentence in _punkt(abbreviations).tokenize(text) if sentence.strip()]


@cache
def _punkt(abbreviations: frozenset[str]) -> Any:
    from nltk.tokenize.punkt import PunktParameters, PunktSentenceTokenizer

    parameters = PunktParameters()
    parameters.abbrev_types = set(abbreviations)
    return PunktSentenceTokenizer(parameters)
