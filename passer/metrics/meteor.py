"""METEOR: words matched exactly, by stem, by synonym; mean of precision and recall; a penalty for disorder."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from functools import cache, lru_cache
from itertools import pairwise
from typing import Any

from passer.domain.score import Citation, MetricInfo, Profile
from passer.metrics.pair import Pair
from passer.metrics.registry import Value, describe, register

METEOR = "METEOR"
EXACT_AND_STEM = "METEOR (exact and stem)"
"""The variant without synonyms: for other languages, or by choice where WordNet is missing."""

_ALPHA, _BETA, _GAMMA = 0.9, 3.0, 0.5
_CITATION = Citation(
    text="Lavie, A. and Agarwal, A. (2007). METEOR: An automatic metric for MT evaluation with high levels of "
    "correlation with human judgments. Proceedings of the Second Workshop on Statistical Machine Translation.",
    url="https://aclanthology.org/W07-0734/",
)
_FORMULA = (
    "m matched words in c contiguous chunks; P = m / |answer|, R = m / |reference|; "
    "F = P R / (0.9 P + 0.1 R); METEOR = F (1 - 0.5 (c / m)^3); 0 without a match. Tokens: "
)
_TOKENS = {
    "standard": "NLTK word tokens of the sentences that untrained Punkt finds, lower-cased.",
    "published": "what stands between white space, lower-cased, punctuation attached.",
}


def _info(profile: Profile, *, synonyms: bool) -> MetricInfo:
    stages = "exactly, then by Porter stem" + (", then by WordNet 3.0 synonym of the stem" if synonyms else "")
    return describe(
        METEOR if synonyms else EXACT_AND_STEM,
        profile,
        summary=f"Unigram match of answer and reference ({stages}), weighted to recall, less a penalty for disorder.",
        formula=_FORMULA + _TOKENS[profile],
        needs=("wordnet",) if synonyms else (),
        citation=_CITATION,
        notes=(
            "As in NLTK, synonyms are looked up for stems, not for the words themselves.",
            "Two identical texts of one word score 0.5: one match in one chunk is maximal disorder.",
        ),
    )


@register(_info("standard", synonyms=True), _info("standard", synonyms=False))
def standard(pair: Pair) -> Sequence[Value]:
    """METEOR and its variant on word tokens."""
    return _both(pair, pair.reference.words, pair.answer.words)


@register(_info("published", synonyms=True), _info("published", synonyms=False))
def published(pair: Pair) -> Sequence[Value]:
    """METEOR and its variant on white-space tokens."""
    return _both(pair, pair.reference.plain_lower, pair.answer.plain_lower)


def _both(pair: Pair, reference: list[str], answer: list[str]) -> Sequence[Value]:
    if not reference and not answer:
        return "no_tokens", "no_tokens"
    aligner = _Alignment(reference=reference, answer=answer)
    aligner.match()
    aligner.match(_stemmed)
    variant = aligner.meteor()
    if pair.wordnet is None:
        return "wordnet_unavailable", variant
    aligner.match_any(pair.wordnet.synonyms)
    return aligner.meteor(), variant


class _Alignment:
    """Words of both sides that are still free, and the matches so far; the later free word is matched first."""

    def __init__(self, *, reference: list[str], answer: list[str]) -> None:
        self._lengths = len(reference), len(answer)
        self._reference = list(enumerate(reference))
        self._answer = list(enumerate(answer))
        self._matches: list[tuple[int, int]] = []

    def match(self, form: Callable[[str], str] | None = None) -> None:
        """Match words of one form; what stays free stays in that form, as it does in NLTK."""
        if form is not None:
            self._reference = [(place, form(word)) for place, word in self._reference]
            self._answer = [(place, form(word)) for place, word in self._answer]
        free, left = self._free(), []
        for place, word in reversed(self._answer):
            places = free.get(word)
            if places:
                self._matches.append((place, places.pop()))
            else:
                left.append((place, word))
        self._answer = left[::-1]
        self._reference = sorted((place, word) for word, places in free.items() for place in places)

    def match_any(self, synonyms: Callable[[str], AbstractSet[str]]) -> None:
        """Match a word of the answer with any of its synonyms; its own form has nothing free any more."""
        free = self._free()
        words = frozenset(free)
        within_reach = {word: synonyms(word) & words for word in {word for _, word in self._answer}}
        for place, word in reversed(self._answer):
            if within_reach[word]:
                places = max((free[other] for other in within_reach[word]), key=_last)
                if places:
                    self._matches.append((place, places.pop()))

    def _free(self) -> dict[str, list[int]]:
        """Places of the reference's free words, ascending."""
        places: dict[str, list[int]] = {}
        for place, word in self._reference:
            places.setdefault(word, []).append(place)
        return places

    def meteor(self) -> float:
        """The score of the matches so far."""
        count = len(self._matches)
        if count == 0:
            return 0.0
        recall, precision = (count / length for length in self._lengths)
        mean = precision * recall / (_ALPHA * precision + (1 - _ALPHA) * recall)
        matches = sorted(self._matches)
        breaks = sum(
            1
            for (left, right), (next_left, next_right) in pairwise(matches)
            if (next_left, next_right) != (left + 1, right + 1)
        )
        return float((1 - _GAMMA * ((breaks + 1) / count) ** _BETA) * mean)


def _last(places: list[int]) -> int:
    return places[-1] if places else -1


@lru_cache(maxsize=65_536)
def _stemmed(word: str) -> str:
    return str(_stemmer().stem(word))


@cache
def _stemmer() -> Any:
    from nltk.stem.porter import PorterStemmer

    return PorterStemmer()
