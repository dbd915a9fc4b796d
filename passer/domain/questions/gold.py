"""Gold quotes: the shortest verbatim text of a window with an answer, so that gold survives another chunking."""

from __future__ import annotations

from difflib import SequenceMatcher
from itertools import pairwise

import regex

from passer.domain.dataset import GoldPassage
from passer.domain.questions.drafting import Excerpt
from passer.domain.texts.words import UNSPACED, is_unspaced

FEWEST_WORDS = 5
"""Shortest run of words of an answer that is a quote."""
# Vowels of many scripts are marks; where words have no blanks between them, each letter is one.
_LETTERS = rf"[[\p{{L}}\p{{M}}\p{{N}}]--{UNSPACED}]+"
_WORD = regex.compile(rf"(?V1)(?={UNSPACED})\X|{_LETTERS}(?:['’.,-]{_LETTERS})*")


def gold_of(excerpt: Excerpt, answer: str, passages: tuple[str, ...] = ()) -> tuple[GoldPassage, ...]:
    """Return the longest common runs of words of answer and window, at least five words each, as verbatim quotes.

    Without one, the quote is the text among `passages` that shares most words with the answer, or the whole window.
    """
    spans = _merged(_runs(_words(answer), list(_WORD.finditer(excerpt.text))))
    if spans:
        return tuple(GoldPassage(document=excerpt.document, quote=excerpt.text[start:end]) for start, end in spans)
    wanted = set(_words(answer))
    nearest = max(passages or (excerpt.text,), key=lambda text: len(wanted & set(_words(text))))
    return (GoldPassage(document=excerpt.document, quote=nearest),)


def _words(text: str) -> list[str]:
    return [found[0].casefold() for found in _WORD.finditer(text)]


def _runs(answer: list[str], window: list[regex.Match[str]]) -> list[tuple[int, int]]:
    """Return the character spans in the window: of the longest run, then of those left and right of it in the answer.

    Parts of an answer may come from any place of the window, in any order.
    """
    texts = [found[0].casefold() for found in window]
    spans: list[tuple[int, int]] = []
    left = [(0, len(answer))]
    matcher = SequenceMatcher(None, answer, texts, autojunk=False)
    while left:
        first, last = left.pop()
        run = matcher.find_longest_match(first, last, 0, len(texts))
        if _size(answer[run.a : run.a + run.size]) < FEWEST_WORDS:
            continue
        spans.append((window[run.b].start(), window[run.b + run.size - 1].end()))
        left += [(first, run.a), (run.a + run.size, last)]
    return sorted(spans)


def _size(words: list[str]) -> float:
    """Return the number of words; a letter of a script without blanks is half a word."""
    return sum(0.5 if is_unspaced(word) else 1 for word in words)


def _merged(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    merged = list(spans[:1])
    for before, after in pairwise(spans):
        start, end = merged[-1]
        if after[0] <= max(end, before[1]):
            merged[-1] = (start, max(end, after[1]))
        else:
            merged.append(after)
    return merged
