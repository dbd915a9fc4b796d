"""Splits passages into sentences."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from passer.metrics import nltk_parts

if TYPE_CHECKING:
    from nltk.tokenize.punkt import PunktSentenceTokenizer

_PARAGRAPH = re.compile(r"\n\s*\n")


@cache
def _punkt() -> PunktSentenceTokenizer:
    tokenizer: PunktSentenceTokenizer = nltk_parts.punkt().PunktSentenceTokenizer()
    return tokenizer


def split_sentences(text: str) -> list[str]:
    """Return the sentences in order, white space collapsed: paragraphs first, then Punkt without training."""
    return [
        " ".join(sentence.split())
        for paragraph in _PARAGRAPH.split(text)
        if paragraph.strip()
        for sentence in _punkt().tokenize(paragraph)
    ]
