"""METEOR: words matched exactly, by stem, by synonym; mean of precision and recall; a penalty for disorder."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from collections.abc import Set as AbstractSet
from functools import cache, lru_cache
from itertools import pairwise
from typing import Any

from passer.domain.score import Citation, MetricInfo, Profile
from passer.metrics import nltk_parts
from passer.metrics.pair import Pair
from passer.metrics.registry import Value, describe, register
from passer.ports import WordNet

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
    aligner = _Alignment(reference=reference, answer=answer, wordnet=pair.wordnet)
    aligner.match()
    aligner.stem()
    aligner.match()
    variant = aligner.meteor()
    if pair.wordnet is None:
        return "wordnet_unavailable", variant
    aligner.match_any(pair.wordnet.synonyms)
    return aligner.meteor(), variant


Places = dict[str, list[int]]
"""Where each form stands, ascending."""


class _Alignment:
    """Forms of both sides that are still free, and the matches so far; the later free word is matched first."""

    def __init__(self, *, reference: list[str], answer: list[str], wordnet: WordNet | None) -> None:
        forms = _forms(wordnet)  # type: ignore[arg-type]  # a Protocol cannot say that it can be hashed
        self._lengths = len(reference), len(answer)
        self._reference = _places(enumerate(reference))
        stems = frozenset(map(_stemmed, self._reference))
        # Most words of a long answer are near nothing in the reference: they are left out at once.
        near = {word for word in set(answer) if not forms(word).isdisjoint(stems)}
        self._answer = _places((place, word) for place, word in enumerate(answer) if word in near)
        self._matches: list[tuple[int, int]] = []

    def match(self) -> None:
        """Match equal forms, the last with the last: what one form takes is no other's."""
        for form in self._answer.keys() & self._reference.keys():
            ours, theirs = self._answer.pop(form), self._reference.pop(form)
            count = min(len(ours), len(theirs))
            self._matches.extend(zip(ours[-count:], theirs[-count:], strict=True))
            if len(ours) > count:
                self._answer[form] = ours[:-count]
            elif len(theirs) > count:
                self._reference[form] = theirs[:-count]

    def stem(self) -> None:
        """Make stems of what is free, for good, as NLTK does."""
        self._reference, self._answer = _by_stem(self._reference), _by_stem(self._answer)

    def match_any(self, synonyms: Callable[[str], AbstractSet[str]]) -> None:
        """Match a form of the answer with any of its synonyms; its own form has nothing free any more."""
        theirs = self._reference.keys()
        within_reach = {form: reach for form in self._answer if (reach := synonyms(form) & theirs)}
        free = [(place, form) for form in within_reach for place in self._answer[form]]
        for place, ours in sorted(free, reverse=True):
            places = max((self._reference[other] for other in within_reach[ours]), key=_last)
            if places:
                self._matches.append((place, places.pop()))

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


def _places(words: Iterable[tuple[int, str]]) -> Places:
    places: Places = {}
    for place, word in words:
        places.setdefault(word, []).append(place)
    return places


def _by_stem(places: Places) -> Places:
    stems: Places = {}
    for word, where in places.items():
        stem = _stemmed(word)
        # Two words of one stem are rare: most lists are kept as they are.
        stems[stem] = sorted(stems[stem] + where) if stem in stems else where
    return stems


def _last(places: list[int]) -> int:
    return places[-1] if places else -1


@lru_cache(maxsize=8)
def _forms(wordnet: WordNet | None) -> Callable[[str], frozenset[str]]:
    """What a word can be matched by beside itself: its stem and the synonyms of that."""

    @lru_cache(maxsize=32_768)
    def forms(word: str) -> frozenset[str]:
        stem = _stemmed(word)
        return frozenset((stem, *wordnet.synonyms(stem))) if wordnet else frozenset((stem,))

    return forms


@lru_cache(maxsize=65_536)
def _stemmed(word: str) -> str:
    return str(_stemmer().stem(word))


@cache
def _stemmer() -> Any:
    return nltk_parts.porter().PorterStemmer()
