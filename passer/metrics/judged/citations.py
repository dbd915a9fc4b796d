"""Citation recall and precision: whether what a sentence cites supports it, by a judge.

The text-only columns of `metrics/grounded/citations.py` compare words; these compare meaning.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from passer.domain.judging.ask import Ask
from passer.domain.judging.item import Item
from passer.domain.judging.recipe import Finding, Findings, NoValue, Recipe
from passer.domain.judging.task import JudgeTask, Reasoned
from passer.domain.score import Citation
from passer.metrics.grounded.checks import CheckedSentence, GroundingLimits, checked
from passer.metrics.judged.parts import SENTENCES_OF_EARLIER, check_texts, judged, replies, texts
from passer.metrics.registry import register_recipe

ALCE = Citation(
    text="Gao, T. et al. (2023). Enabling large language models to generate text with citations. EMNLP.",
    url="https://aclanthology.org/2023.emnlp-main.398/",
)
NOTES = ("Only prompts that ask for citations are measured; others are `not_requested`.",)

_BY_WHOLE_SENTENCES = {False: GroundingLimits(published=True), True: GroundingLimits()}
"""Of these limits only the ends of sentences matter here. Those of an earlier assessment stay, so that it resumes with
the replies that are stored."""

Cited = tuple[int, tuple[int, ...]]
"""A sentence by its place in the answer, and places of passages (from 0) that are shown with it."""


class SupportOfSentence(Reasoned):
    """Degree to which passages support a sentence."""

    b_support: Literal["full", "partly", "no"]
    """full: everything that the sentence says is stated."""


SUPPORTS = JudgeTask(
    "supports",
    "Decide how far the passages support the sentence of an answer to the question. full: everything that the sentence "
    "says is stated in the passages. partly: a part of it is. no: nothing of it is, or the passages state the "
    "opposite. Use only the passages, not what you know. First give your reason in one or two sentences, then the "
    "verdict.",
    SupportOfSentence,
)


@register_recipe(
    judged(
        "Citation recall",
        summary="Share of the sentences that the passages they cite support fully.",
        formula="sentences judged full with all passages they cite / sentences",
        citation=ALCE,
        notes=(*NOTES, "A sentence that cites nothing counts as not supported.", SENTENCES_OF_EARLIER),
    ),
    judged(
        "Citation precision",
        summary="Share of the citations that support their sentence and are needed.",
        formula="citations of a fully supported sentence that support it alone, or without which the others do not / "
        "citations",
        citation=ALCE,
        notes=(*NOTES, "A number without a passage is a citation that does not support.", SENTENCES_OF_EARLIER),
    ),
    tasks=(SUPPORTS,),
)
def judged_citations(item: Item) -> Recipe[Findings]:
    """Ask about each cited sentence; where it cites several passages, also about each of them."""
    _check_measured(item)
    limits = _BY_WHOLE_SENTENCES[item.whole_sentences]
    sentences = checked(item.answer, item.passages, language=item.language, limits=limits).sentences
    if not sentences:
        raise NoValue("no_tokens")
    cites = {place: _existing(each, item) for place, each in enumerate(sentences)}
    wanted = [(place, own) for place, own in cites.items() if own]
    known: dict[Cited, bool] = {}
    yield from _ask(item, sentences, wanted, known)
    several = [(place, own) for place, own in wanted if len(own) > 1 and known[place, own]]
    alone = [(place, (one,)) for place, own in several for one in own]
    yield from _ask(item, sentences, alone, known)
    # What one citation adds to the others is asked only where it does not support the sentence alone.
    rest = [(place, _without(own, one)) for place, own in several for one in own if not known[place, (one,)]]
    yield from _ask(item, sentences, rest, known)
    supported = [place for place, own in wanted if known[place, own]]
    recall = Finding(value=len(supported) / len(sentences))
    count = sum(len(each.cites) for each in sentences)
    if not count:
        return (recall, Finding(value=None, reason="no_citations"))
    right = sum(_is_needed(place, cites[place], one, known) for place in supported for one in cites[place])
    return (recall, Finding(value=right / count))


def _check_measured(item: Item) -> None:
    if not item.cites:
        raise NoValue("not_requested")
    if item.abstained:
        raise NoValue("abstained")
    check_texts(item, answer=True, passages=True)


def _existing(sentence: CheckedSentence, item: Item) -> tuple[int, ...]:
    """Return the places of the passages that a sentence cites; numbers without a passage are left out."""
    return tuple(number - 1 for number in sentence.cites if 1 <= number <= len(item.passages))


def _ask(
    item: Item, sentences: Sequence[CheckedSentence], wanted: Sequence[Cited], known: dict[Cited, bool]
) -> Recipe[None]:
    """Ask what is not known yet, and add whether the sentence is fully supported."""
    new = [each for each in dict.fromkeys(wanted) if each not in known]
    if not new:
        return
    passages = texts(item)
    said = yield from replies(
        Ask(
            task=SUPPORTS.name,
            given={
                "question": item.question,
                "passages": [passages[one] for one in shown],
                "sentence": sentences[place].text,
            },
        )
        for place, shown in new
    )
    known |= {each: reply["b_support"] == "full" for each, reply in zip(new, said, strict=True)}


def _without(own: Sequence[int], one: int) -> tuple[int, ...]:
    return tuple(other for other in own if other != one)


def _is_needed(place: int, own: tuple[int, ...], one: int, known: Mapping[Cited, bool]) -> bool:
    """Return whether a citation of a supported sentence supports it alone, or the others without it do not."""
    return len(own) == 1 or known[place, (one,)] or not known[place, _without(own, one)]
