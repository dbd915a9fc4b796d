"""Keywords of a text: what is left of its words without stop words, as a set and without stems."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from passer.domain.texts.stop_words import STOP_WORDS, stop_words
from passer.domain.texts.words import Piece, is_ideographic, is_unspaced, unicode_pieces, unicode_words

FEWEST_LETTERS = 3
"""Shorter words are no keywords, unless they hold a digit or are of a script without spaces between words."""
IDEOGRAPHIC, SYLLABIC = 2, 3
"""Neighbouring letters of one keyword in Chinese and Japanese, and in Thai, Lao, Khmer and Burmese.

A single letter is in nearly every text. Of 39 sentences written by hand about passages in six of these languages, all
have 30 % of such keywords in their own passage, and none in the others together; of letters alone, 34 have them there
too. Pairs instead of triples: 7 of 23 there. Triples instead of pairs: 9 of 16 in their own.
"""


def keywords(text: str, language: str) -> frozenset[str]:
    """Return the case-folded words of at least three letters or with a digit, without the language's stop words."""
    ignored = stop_words(language)
    return frozenset(word for word in unicode_words(text) if word not in ignored and _says_something(word))


def compared_keywords(text: str, language: str) -> frozenset[str]:
    """Return the keywords by which two texts are compared.

    As `keywords`, but in scripts without spaces between words each two or three letters without a space between them
    are one.
    """
    if not is_unspaced(text):
        return keywords(text, language)
    ignored = stop_words(language)
    return frozenset(word for word in _compared(text) if word not in ignored and _says_something(word))


def _compared(text: str) -> Iterator[str]:
    for chunk in text.split():
        for size, run in groupby(unicode_pieces(chunk), key=_size):
            words = [piece.text.casefold() for piece in run if size]
            # A run that is shorter than a keyword is one.
            yield from ("".join(words[n : n + size]) for n in range(max(1, len(words) - size + 1)) if words)


def _size(piece: Piece) -> int:
    """Return how many neighbours make a keyword: one, more of letters in a script without spaces, none of marks."""
    if not piece.is_word or not is_unspaced(piece.text):
        return int(piece.is_word)
    return IDEOGRAPHIC if is_ideographic(piece.text) else SYLLABIC


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
