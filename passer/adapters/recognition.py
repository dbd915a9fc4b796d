"""The language of texts, recognised by py3langid."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache
from math import ceil
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from py3langid.langid import LanguageIdentifier

MOST_TEXTS = 400
"""Most texts that are read; of more, an even sample."""
MOST_CHARACTERS = 500
"""Most characters of a text that are read: of more, one long document would outweigh all questions."""
LEAST = 0.25
"""Least mean probability, in [0, 1]. Names, numbers and codes stay below 0.2; it is 0.4 for short questions whose
answers are names, and 0.37 for Croatian, which is much like Bosnian and Serbian."""
_LEFT_OUT = frozenset({"ary", "arz", "pcm", "wuu", "yue"})
"""Spoken variants of Arabic, English and Chinese, which would take probability from the written language."""
_NO_LANGUAGE = "zxx"
"""Label of numbers, mark-up and code."""


def recognised_language(texts: Sequence[str]) -> str | None:
    """Return the ISO 639 code of the language that most of the texts are written in; None if that is not clear.

    The mean of the texts' probabilities, weighted by their lengths: of all texts together, few in another script would
    outweigh the others.
    """
    sample = [each[:MOST_CHARACTERS] for each in texts[:: max(1, ceil(len(texts) / MOST_TEXTS))]]
    found = Counter[str]()
    for text in sample:
        for language, probability in _identifier().rank(text):
            found[language] += probability * len(text)
    for language, weight in found.most_common(1):
        if language != _NO_LANGUAGE and weight >= LEAST * sum(map(len, sample)) > 0:
            return language
    return None


@cache
def _identifier() -> LanguageIdentifier:
    # Loaded when the first file without a language is read: its model takes 0.7 s.
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    found = LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
    found.set_languages([label for label in found.labels if label not in _LEFT_OUT])
    return found
