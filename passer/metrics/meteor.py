"""METEOR: words matched by form, stem and synonym, with a penalty for word order."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from functools import cache, lru_cache
from itertools import pairwise
from typing import Any

from passer.domain.score import METEOR_EXACT, Citation, MetricInfo, ScoreNote, VectorProfile
from passer.metrics import nltk_parts
from passer.metrics.pair import Pair
from passer.metrics.registry import Value, describe, register
from passer.metrics.tokens import OTHER_LETTERS_TOKENIZER
from passer.ports import WordNet

METEOR = "METEOR"
EXACT_AND_STEM = "METEOR (exact and stem)"
"""Name of the variant without synonyms, for where WordNet is missing."""
EXACT = "METEOR (exact)"
"""Name of what `standard` computes for other languages than English and other letters than ASCII."""

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
_EXACT = (
    f"{EXACT}, noted beside the value: only equal words match where the dataset's language is not English or the "
    "reference holds a letter beyond ASCII, because stems and synonyms are of English."
)
_TOKENS = {
    "standard": (
        "NLTK word tokens of the sentences that untrained Punkt finds, lower-cased; "
        f"{OTHER_LETTERS_TOKENIZER}, casefolded, punctuation included."
    ),
    "published": "what stands between white space, lower-cased, punctuation attached.",
}


def _info(profile: VectorProfile, *, synonyms: bool) -> MetricInfo:
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
            *((_EXACT,) if profile == "standard" else ()),
        ),
    )


def _is_exact(pair: Pair) -> bool:
    return pair.by_unicode or not pair.is_english


def _exact_note(pair: Pair) -> ScoreNote | None:
    return METEOR_EXACT if _is_exact(pair) else None


@register(_info("standard", synonyms=True), _info("standard", synonyms=False), note=_exact_note)
def standard(pair: Pair) -> Sequence[Value]:
    """Return METEOR and its variant without synonyms, on word tokens; both by equal words where it is not English."""
    if pair.by_unicode:
        return _exact(pair.reference.unicode_folded, pair.answer.unicode_folded)
    if not pair.is_english:
        return _exact(pair.reference.words, pair.answer.words)
    return _both(pair, pair.reference.words, pair.answer.words)


@register(_info("published", synonyms=True), _info("published", synonyms=False))
def published(pair: Pair) -> Sequence[Value]:
    """Return METEOR and its variant without synonyms, on white-space tokens."""
    return _both(pair, pair.reference.plain_lower, pair.answer.plain_lower)


def _both(pair: Pair, reference: list[str], answer: list[str]) -> Sequence[Value]:
    if not reference and not answer:
        return "no_tokens", "no_tokens"
    forms = _forms(pair.wordnet)  # type: ignore[arg-type]  # a Protocol cannot say that it can be hashed
    aligner = _Alignment(reference=reference, answer=answer, forms=forms, stem=_stemmed)
    aligner.match()
    aligner.stem()
    aligner.match()
    variant = aligner.meteor()
    if pair.wordnet is None:
        return "wordnet_unavailable", variant
    aligner.match_any(pair.wordnet.synonyms)
    return aligner.meteor(), variant


def _exact(reference: list[str], answer: list[str]) -> Sequence[Value]:
    if not reference and not answer:
        return "no_tokens", "no_tokens"
    aligner = _Alignment(reference=reference, answer=answer, forms=lambda word: frozenset((word,)), stem=str)
    aligner.match()
    return (aligner.meteor(),) * 2


_STEP_2 = (
    *("ational", "tional", "enci", "anci", "izer", "bli", "alli", "entli", "eli", "ousli", "ization", "ation", "ator"),
    *("alism", "iveness", "fulness", "ousness", "aliti", "iviti", "biliti", "fulli", "logi"),
)
_STEP_3 = ("icate", "ative", "alize", "iciti", "ical", "ful", "ness")
_STEP_4 = (
    *("al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent", "ion", "ou", "ism", "ate"),
    *("iti", "ous", "ive", "ize"),
)
"""Endings that steps 2, 3 and 4 of Porter's algorithm (1980) replace, with NLTK's additions."""

Places = dict[str, list[int]]
"""Return the places of each form, ascending."""


class _Alignment:
    """Unmatched forms of both sides, and the matches so far. Among equal free words the last one is matched first."""

    def __init__(
        self,
        *,
        reference: list[str],
        answer: list[str],
        forms: Callable[[str], frozenset[str]],
        stem: Callable[[str], str],
    ) -> None:
        """`forms` are all that a word may match as, `stem` is what a word of the reference may be matched by."""
        self._lengths = len(reference), len(answer)
        self._reference = _places(reference, set(reference))
        stems = frozenset(map(stem, self._reference))
        # Most words of a long answer match nothing in the reference. Skipping them here saves most of the time.
        self._answer = _places(answer, {word for word in set(answer) if not forms(word).isdisjoint(stems)})
        self._matches: list[tuple[int, int]] = []

    def match(self) -> None:
        """Match equal forms, from the last place to the first."""
        for form in self._answer.keys() & self._reference.keys():
            ours, theirs = self._answer.pop(form), self._reference.pop(form)
            count = min(len(ours), len(theirs))
            self._matches.extend(zip(ours[-count:], theirs[-count:], strict=True))
            if len(ours) > count:
                self._answer[form] = ours[:-count]
            elif len(theirs) > count:
                self._reference[form] = theirs[:-count]

    def stem(self) -> None:
        """Replace the unmatched forms by their stems, as NLTK does."""
        self._reference, self._answer = _by_stem(self._reference), _by_stem(self._answer)

    def match_any(self, synonyms: Callable[[str], AbstractSet[str]]) -> None:
        """Match forms of the answer with their synonyms. Equal forms are already matched."""
        theirs = self._reference.keys()
        within_reach = {form: reach for form in self._answer if (reach := synonyms(form) & theirs)}
        free = [(place, form) for form in within_reach for place in self._answer[form]]
        for place, ours in sorted(free, reverse=True):
            places = max((self._reference[other] for other in within_reach[ours]), key=_last)
            if places:
                self._matches.append((place, places.pop()))

    def meteor(self) -> float:
        """Return the score of the matches so far."""
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


def _places(words: Sequence[str], wanted: AbstractSet[str]) -> Places:
    places: Places = {word: [] for word in wanted}
    for place, word in enumerate(words):
        if word in places:
            places[word].append(place)
    return places


def _by_stem(places: Places) -> Places:
    stems: Places = {}
    for word, where in places.items():
        stem = _stemmed(word)
        # Two words with the same stem are rare, so most lists are reused unchanged.
        stems[stem] = sorted(stems[stem] + where) if stem in stems else where
    return stems


def _last(places: list[int]) -> int:
    return places[-1] if places else -1


@lru_cache(maxsize=8)
def _forms(wordnet: WordNet | None) -> Callable[[str], frozenset[str]]:
    """Return the stem of a word and the synonyms of that stem."""

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
    porter: Any = nltk_parts.porter()

    class Porter(porter.PorterStemmer):  # type: ignore[misc]
        """NLTK's stemmer. It makes the rules of steps 2 to 4 anew for each word, though few words end like one."""

        def _step2(self, word: str) -> str:
            return str(super()._step2(word)) if word.endswith(_STEP_2) else word

        def _step3(self, word: str) -> str:
            return str(super()._step3(word)) if word.endswith(_STEP_3) else word

        def _step4(self, word: str) -> str:
            return str(super()._step4(word)) if word.endswith(_STEP_4) else word

    return Porter()
