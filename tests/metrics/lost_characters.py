"""What the storage of the published record took out of its texts, put back as far as the texts still show it.

The record keeps no character outside ASCII. A dash between two words leaves them as one, "eventsdroughts"; a curly
apostrophe leaves "theyre"; a range of years leaves "20082012"; curly quotes leave nothing. Dashes and quotes are word
tokens of their own, so what is lost with them is a number of tokens that the reference does not have.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator

OFTEN = 15
"""Answers' words that stand this often in the record are words; a rarer one that two of them make up is two."""
AT_MOST = 40
"""Tokens that an answer may have lost without a trace."""

_WORD = re.compile(r"(?<![\w'-])[A-Za-z]{5,}(?![\w'-])")
_YEARS = re.compile(r"\b((?:19|20)\d\d)((?:19|20)\d\d)\b")
_NOT = re.compile(r"\b(do|is|does|ca|wo|did|are|was|were|could|would|have|has|had|should)(nt)\b", re.I)
_VERB = re.compile(r"\b(you|they|we|I)(ve|re|m)\b|\b(that|what|there|let|here|who|where)(s)\b", re.I)
_SAME = frozenset({"were"})


class Restored:
    """Puts back what was lost, by the words of all texts of a record."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._count = Counter(word for text in texts for word in re.findall(r"[a-z]+", text.lower()))

    def __call__(self, text: str) -> str:
        text = _NOT.sub(lambda found: f"{found[1]}n\u2019t", text)
        text = _VERB.sub(_contracted, text)
        text = _WORD.sub(lambda found: self._apart(found[0]), text)
        return _YEARS.sub("\\1\u2013\\2", text)

    def _apart(self, word: str) -> str:
        lower = word.lower()
        if self._count[lower] >= OFTEN:
            return word
        # A letter alone is a word only as "a" and "I".
        ways = [
            k for k in range(1, len(word)) if (k > 1 or lower[0] in "ai") and (k < len(word) - 1 or lower[-1] in "ai")
        ]
        often, way = max((min(self._count[lower[:k]], self._count[lower[k:]]), k) for k in ways)
        return f"{word[:way]}\u2014{word[way:]}" if often >= OFTEN and often > 10 * self._count[lower] else word


def with_unknown_words(text: str, *, known: str) -> Iterator[str]:
    """The text with 0, 1, 2... words more that stand nowhere, after a word that `known` does not have."""
    yield text
    words = set(re.findall(r"\w+", known.lower()))
    place = next((m.end() for m in re.finditer(r"\b[a-z]{4,}(?= [a-z]{2,} )", text) if m[0] not in words), None)
    if place is not None:
        yield from (text[:place] + " zzqx" * count + text[place:] for count in range(1, AT_MOST + 1))


def wholes(text: str, *, known: str, restored: Restored) -> Iterator[str]:
    """The texts that the record may have been made of, the likeliest first."""
    for way in dict.fromkeys((restored(text), text)):
        yield from with_unknown_words(way, known=known)


def _is_word(letters: str) -> bool:
    return len(letters) > 1 or letters in "ai"


def _contracted(found: re.Match[str]) -> str:
    first, rest = (part for part in found.groups() if part)
    return found[0] if found[0].lower() in _SAME else f"{first}\u2019{rest}"
