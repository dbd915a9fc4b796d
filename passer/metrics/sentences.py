"""Sentences by NLTK's Punkt without training: no data is needed, and every machine splits alike."""

from __future__ import annotations

from functools import cache
from typing import Any

SENTENCE_SPLITTER = "punkt-untrained"


def split_sentences(text: str) -> list[str]:
    """Sentences in order, without the white space between them."""
    return [sentence for sentence in _punkt().tokenize(text) if sentence.strip()]


@cache
def _punkt() -> Any:
    from nltk.tokenize.punkt import PunktSentenceTokenizer

    return PunktSentenceTokenizer()
