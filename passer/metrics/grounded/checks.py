"""Checks of citations and sentences of an answer for keywords that they share with the passages of its prompt.

Shared keywords are no proof of support: a sentence and its negation have nearly the same keywords.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Literal

from pydantic import Field

from passer.domain.base import IN_QUERY, Frozen
from passer.domain.retrieval.passages import Passage
from passer.domain.texts.citations import marks, with_marks_inside, without_marks
from passer.domain.texts.keywords import compared_keywords, folded_keywords, shared, split_keywords
from passer.domain.texts.sentence_ends import split_at_other_stops
from passer.domain.texts.words import composed
from passer.metrics.grounded.answer_sentences import answer_sentences
from passer.metrics.sentences import split_sentences

_PARAGRAPHS = re.compile(r"\n\s*\n")


class GroundingLimits(Frozen):
    """Smallest shares of shared keywords at which a citation is verified and a sentence is grounded."""

    model_config = IN_QUERY

    citation: float = Field(default=0.15, ge=0, le=1)
    """Smallest share of the keywords of the citing text that the cited passage has."""
    grounding: float = Field(default=0.30, ge=0, le=1)
    """Smallest share of the keywords of a sentence that all passages together have."""
    by: Literal["passage", "document"] = "passage"
    """Meaning of the number of a citation: a passage as in the prompt, or one of its different documents."""
    per: Literal["paragraph", "sentence"] = "paragraph"
    """Text around a citation whose keywords are compared."""
    published: bool = False
    """True if passages are split on white space, as in LitPath's program: `salinity.` then never meets `salinity`.
    Sentences are then those that Punkt finds in each line."""


class CheckedCitation(Frozen):
    """A number that a paragraph or sentence cites."""

    number: int
    """Number as it is cited, from 1."""
    share: float | None = None
    """Share of the keywords of the citing text in the cited source; None with a reason."""
    problem: Literal["no_such_source", "no_keywords"] | None = None
    """Reason why nothing can be compared; such a citation is not verified."""
    is_verified: bool
    """True if `share` reaches the limit of citations."""


class CheckedSentence(Frozen):
    """A sentence of the answer."""

    text: str
    """The sentence without citation marks."""
    cites: tuple[int, ...]
    """Numbers that it cites."""
    share: float | None
    """Share of its keywords in the passages; None without keywords."""
    is_grounded: bool
    """True if `share` reaches the limit of grounding."""
    found: tuple[str, ...] = ()
    """Its keywords that the passages have."""
    places: dict[str, tuple[int, ...]] = Field(default_factory=dict)
    """Numbers of the sources that contain each of these, as the prompt numbers them; empty unless asked for."""


class CheckedAnswer(Frozen):
    """Citations and sentences of one answer."""

    citations: tuple[CheckedCitation, ...]
    """Citations in the order of the answer."""
    sentences: tuple[CheckedSentence, ...]
    """Sentences in the order of the answer."""


KeywordsById = Mapping[str, frozenset[str]]


def keywords_of(passages: Sequence[Passage], language: str, limits: GroundingLimits) -> dict[str, frozenset[str]]:
    """Return the keywords of passages by their id."""
    return {passage.id: source_keywords(passage.text, language, limits) for passage in passages}


def source_keywords(text: str, language: str, limits: GroundingLimits) -> frozenset[str]:
    """Return the keywords of a passage."""
    return split_keywords(text, language) if limits.published else folded_keywords(text, language)


def _keywords(text: str, language: str, limits: GroundingLimits) -> frozenset[str]:
    # The published procedure keeps the spelling of passages, so that of answers is kept too.
    return compared_keywords(text, language) if limits.published else folded_keywords(text, language)


def checked(
    answer: str,
    passages: Sequence[Passage],
    *,
    language: str,
    limits: GroundingLimits,
    known: KeywordsById | None = None,
    with_places: bool = False,
) -> CheckedAnswer:
    """Check an answer against its passages, in the order of the prompt; `known` are keywords by passage id.

    `with_places` also returns which sources contain the keywords that were found.
    """
    found = known or keywords_of(passages, language, limits)
    sources = _sources(passages, found, limits.by)
    everything = frozenset[str]().union(*sources)
    text = with_marks_inside(answer)
    # The published procedure keeps its ends of sentences as it keeps its spellings.
    split = _punkt_sentences(text) if limits.published else answer_sentences(text, language)
    sentences = tuple(_sentence(each, everything, language, limits) for each in split)
    if with_places:
        sentences = tuple(each.model_copy(update={"places": _places(each, sources)}) for each in sentences)
    parts = split if limits.per == "sentence" else _PARAGRAPHS.split(text)
    citations = tuple(each for part in parts for each in _citations(part, sources, language, limits))
    return CheckedAnswer(citations=citations, sentences=tuple(each for each in sentences if each.text))


def _punkt_sentences(text: str) -> list[str]:
    """Return the sentences that Punkt finds in each line: those of the published procedure and of judged citations."""
    found = (each for line in text.splitlines() for each in split_sentences(composed(line)))
    return [sentence for each in found for sentence in split_at_other_stops(each)]


def _sources(passages: Sequence[Passage], known: KeywordsById, by: str) -> list[frozenset[str]]:
    """Return the keywords of each source in the order in which the prompt numbers them."""
    grouped: dict[str, frozenset[str]] = {}
    for place, passage in enumerate(passages):
        name = passage.document if by == "document" else str(place)
        grouped[name] = grouped.get(name, frozenset()) | known[passage.id]
    return list(grouped.values())


def _sentence(text: str, everything: frozenset[str], language: str, limits: GroundingLimits) -> CheckedSentence:
    bare = " ".join(without_marks(text).split())
    words = _keywords(bare, language, limits)
    share = shared(words, everything)
    return CheckedSentence(
        text=bare,
        cites=tuple(dict.fromkeys(number for mark in marks(text) for number in mark.numbers)),
        share=share,
        is_grounded=share is not None and share >= limits.grounding,
        found=tuple(sorted(words & everything)),
    )


def _places(checked_sentence: CheckedSentence, sources: Sequence[frozenset[str]]) -> dict[str, tuple[int, ...]]:
    return {
        word: tuple(number for number, source in enumerate(sources, start=1) if word in source)
        for word in checked_sentence.found
    }


def _citations(
    text: str, sources: Sequence[frozenset[str]], language: str, limits: GroundingLimits
) -> list[CheckedCitation]:
    """Check each number that a text cites, once."""
    numbers = dict.fromkeys(number for mark in marks(text) for number in mark.numbers)
    words = _keywords(without_marks(text), language, limits) if numbers else frozenset[str]()
    return [_citation(number, words, sources, limits) for number in numbers]


def _citation(
    number: int, words: frozenset[str], sources: Sequence[frozenset[str]], limits: GroundingLimits
) -> CheckedCitation:
    if not 1 <= number <= len(sources):
        return CheckedCitation(number=number, problem="no_such_source", is_verified=False)
    share = shared(words, sources[number - 1])
    if share is None:
        return CheckedCitation(number=number, problem="no_keywords", is_verified=False)
    return CheckedCitation(number=number, share=share, is_verified=share >= limits.citation)
