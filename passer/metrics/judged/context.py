"""Precision and recall of the passages, by a judge."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from passer.domain.judging.ask import Ask, Given
from passer.domain.judging.formulas import average_precision, share
from passer.domain.judging.item import Item
from passer.domain.judging.recipe import Finding, Findings, NoValue, Recipe
from passer.domain.judging.task import JudgeTask, Reasoned
from passer.domain.texts.keywords import shared
from passer.domain.texts.sentence_ends import split_at_other_stops
from passer.metrics.grounded.answer_sentences import answer_sentences
from passer.metrics.judged.parts import (
    RAGAS,
    SENTENCES_OF_EARLIER,
    check_texts,
    judged,
    keywords,
    replies,
    texts,
)
from passer.metrics.registry import register_recipe
from passer.metrics.sentences import split_sentences

SENTENCES_AT_ONCE = 20
"""Sentences of a reference in one request; a longer reference needs several."""


class Useful(Reasoned):
    """Verdict on whether a passage helps."""

    b_useful: Literal[0, 1]
    """1 is yes."""


class Attributed(Reasoned):
    """Sentences that the passages state."""

    b_verdicts: Annotated[list[Literal[0, 1]], Field(max_length=SENTENCES_AT_ONCE)]
    """One for each sentence, in order."""


USEFUL = JudgeTask(
    "useful",
    "Decide whether the passage helps to arrive at the reference answer to the question: 1 if it states at least a "
    "part of it, else 0. First give your reason in one or two sentences, then the decision.",
    Useful,
)
ATTRIBUTED = JudgeTask(
    "attributed",
    "Decide for each numbered sentence whether the passages state what it says: 1 if they do, else 0. Use only the "
    "passages. First give your reason in one or two sentences, then one verdict for each sentence, in order.",
    Attributed,
)


@register_recipe(
    judged(
        "Context precision",
        summary="Whether helpful passages are ranked before the others.",
        formula="sum_k v_k P@k / sum v over the passages of the prompt, v_k = 1 if passage k helps; 0 where none helps",
        citation=RAGAS,
    ),
    tasks=(USEFUL,),
)
def context_precision(item: Item) -> Recipe[Findings]:
    """Ask about each passage."""
    check_texts(item, reference=True, passages=True)
    given: Given = {"question": item.question, **item.given_references}
    said = yield from replies(Ask(task="useful", given={**given, "passage": text}) for text in texts(item))
    return (Finding(value=average_precision([bool(reply["b_useful"]) for reply in said])),)


@register_recipe(
    judged(
        "Context recall",
        summary="Share of the reference's sentences that the passages state.",
        formula="sentences of the reference judged stated / sentences",
        citation=RAGAS,
        notes=(
            "Of several right answers, the one of whose keywords the passages contain the largest share counts.",
            SENTENCES_OF_EARLIER,
        ),
    ),
    tasks=(ATTRIBUTED,),
)
def context_recall(item: Item) -> Recipe[Findings]:
    """Ask about the sentences of the reference, a few at a time."""
    stated = keywords(" ".join(texts(item)))
    reference = max(item.references, key=lambda each: shared(keywords(each), stated) or 0.0)
    sentences = _sentences(reference, item)
    if not sentences:
        raise NoValue("empty_reference")
    check_texts(item, passages=True)
    starts = range(0, len(sentences), SENTENCES_AT_ONCE)
    parts = [sentences[start : start + SENTENCES_AT_ONCE] for start in starts]
    said = yield from replies(
        Ask(task="attributed", given={"passages": texts(item), "sentences": part}, lengths={"b_verdicts": len(part)})
        for part in parts
    )
    return (Finding(value=share([bool(verdict) for reply in said for verdict in reply["b_verdicts"]])),)


def _sentences(reference: str, item: Item) -> list[str]:
    if item.whole_sentences:
        return answer_sentences(reference, item.language)
    return [part for found in split_sentences(reference) for part in split_at_other_stops(found)]
