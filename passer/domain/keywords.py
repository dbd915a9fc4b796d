"""Keywords of a text: what is left of its words without stop words, as a set and without stems."""

from __future__ import annotations

from passer.domain.stop_words import STOP_WORDS, stop_words
from passer.domain.words import is_unspaced, unicode_words

FEWEST_LETTERS = 3
"""Shorter words are no keywords, unless they hold a digit or are of a script without spaces between words."""


def keywords(text: str, language: str) -> frozenset[str]:
    """Return the case-folded words of at least three letters or with a digit, without the language's stop words."""
    ignored = stop_words(language)
    return frozenset(word for word in unicode_words(text) if word not in ignored and _says_something(word))


def split_keywords(text: str, language: str) -> frozenset[str]:
    """Return what white space separates, case-folded with its punctuation, as LitPath's program cuts its sources."""
    ignored = stop_words(language)
    return frozenset(word for word in text.casefold().split() if word not in ignored and _says_something(word))


def _says_something(word: str) -> bool:
    return len(word) >= FEWEST_LETTERS or any(map(str.isdigit, word)) or is_unspaced(word)


def shared(words: frozenset[str], others: frozenset[str]) -> float | None:
    """Return the share of some keywords that are among others, in [0, 1]; None without keywords."""
    return len(words & others) / len(words) if words else None


def language_of(group: str | None, language: str) -> str:
    """Return the language of a question: its group where that names a language with stop words, else the dataset's."""
    return group if group is not None and group in STOP_WORDS else language
