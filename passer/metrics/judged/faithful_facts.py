"""Facts of an answer against the quotes that the judge gives for them: faithfulness by triplets, fact similarity."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import numpy as np
from pydantic import Field

from passer.domain.base import Frozen
from passer.domain.judging.ask import Ask, Embed
from passer.domain.judging.item import Item
from passer.domain.judging.recipe import Finding, Findings, NoValue, Recipe
from passer.domain.judging.task import JudgeTask
from passer.metrics.judged.parts import TRIPLETS, asked, check_texts, collapsed, judged, replies, texts, value
from passer.metrics.judged.triplets import MOST, Confirmed, Triplet, read_facts
from passer.metrics.registry import register_recipe
from passer.ports import Vectors


class SourcedTriplet(Triplet):
    """One fact with quotes of the passages that it may be from."""

    d_segments: Annotated[list[Annotated[str, Field(max_length=160)]], Field(max_length=2)]
    """Copied word by word."""


class SourcedFacts(Frozen):
    """Facts of an answer with quotes."""

    a_facts: Annotated[list[SourcedTriplet], Field(max_length=MOST)]
    """Facts in order."""


SOURCED_FACTS = JudgeTask(
    "sourced-facts",
    f"List the facts that the answer states, at most {MOST}, each as subject, predicate and object in the words of the "
    "answer. Give for each fact up to two quotes from the passages that state it, copied word by word; none if "
    "there is no such quote. List only what the answer says, each fact once.",
    SourcedFacts,
)
SUPPORTED_FACT = JudgeTask(
    "supported-fact",
    "Decide whether the quotes state the fact: yes or no. Use only the quotes. First give your reason in one sentence.",
    Confirmed,
)


@register_recipe(
    judged(
        "Faithfulness (triplets)",
        summary="Share of the answer's facts that quotes from the passages support.",
        formula="facts judged stated by their quotes / facts; a fact without a verbatim quote counts as not stated",
        citation=TRIPLETS,
        notes=(
            "Facts with an empty member, repeated ones, and those with under half of their keywords in the answer are "
            "dropped and counted.",
        ),
    ),
    judged(
        "Fact similarity",
        summary="How near the answer's facts are to the quotes that the judge gives for them.",
        formula="mean over facts of the maximal cosine of the fact and its quotes; 0 for a fact without a quote",
        citation=TRIPLETS,
        embeds=True,
    ),
    tasks=(SOURCED_FACTS, SUPPORTED_FACT),
    embeds=True,
)
def faithful_facts(item: Item) -> Recipe[Findings]:
    """Ask for facts with quotes, then for a verdict on each fact that has one."""
    check_texts(item, answer=True, passages=not item.abstained)
    if item.abstained:
        raise NoValue("abstained")
    said = yield from asked(Ask(task="sourced-facts", given={"answer": item.answer, "passages": texts(item)}))
    read = read_facts(value(said), item.answer)
    if not read.facts:
        raise NoValue("no_facts", read.note)
    passages = [collapsed(text) for text in texts(item)]
    quotes = [_verbatim(segments, passages) for segments in read.segments]
    quoted = [(fact, own) for fact, own in zip(read.facts, quotes, strict=True) if own]
    checked = yield from replies(
        (Ask(task="supported-fact", given={"fact": fact, "quotes": own}) for fact, own in quoted), note=read.note
    )
    unquoted = len(read.facts) - len(quoted)
    note = "; ".join(filter(None, (read.note, f"{unquoted} facts without a quote" if unquoted else "")))
    stated = sum(reply["b_stated"] == "yes" for reply in checked)
    near = 0.0
    if quoted:
        near = yield from _nearness(quoted)
    return (
        Finding(value=stated / len(read.facts), note=note),
        Finding(value=near / len(read.facts), note=note),
    )


def _nearness(quoted: Sequence[tuple[str, list[str]]]) -> Recipe[float]:
    """Return the sum over facts of the maximal cosine with a quote, each at least 0."""
    vectors: Vectors = yield Embed(texts=tuple(text for fact, own in quoted for text in (fact, *own)))
    total, place = 0.0, 0
    for _, own in quoted:
        fact, quotes = vectors[place], vectors[place + 1 : place + 1 + len(own)]
        total += min(1.0, max(0.0, float(np.max(quotes @ fact))))
        place += 1 + len(own)
    return total


def _verbatim(segments: Sequence[str], passages: Sequence[str]) -> list[str]:
    """Return the quotes that occur in a passage, without regard to white space."""
    plain = [collapsed(segment) for segment in segments]
    return [each for each in dict.fromkeys(plain) if each and any(each in passage for passage in passages)]
