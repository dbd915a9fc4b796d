"""Facts as triplets: faithfulness, factual recall and precision, fact match, weighted correctness."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from passer.domain.base import Frozen
from passer.domain.judging.ask import Ask, Embed
from passer.domain.judging.item import Item
from passer.domain.judging.judgement import Judgement
from passer.domain.judging.recipe import Finding, Findings, Recipe, missing
from passer.domain.judging.task import JudgeTask
from passer.domain.score import MissingReason
from passer.metrics.judged.parts import (
    RAGAS,
    TRIPLETS,
    Reason,
    YesNo,
    collapsed,
    failure,
    found,
    is_from,
    judged,
    keywords,
    no_text,
    share,
    texts,
    value,
)
from passer.metrics.registry import register_recipe
from passer.ports import Vectors

MOST = 12
"""Most facts of a text."""
SAME = 0.9
"""Cosine above which two facts are the same."""

Member = Annotated[str, Field(max_length=80)]


class Triplet(Frozen):
    """One fact."""

    a_subject: Member
    """What it is about."""
    b_predicate: Member
    """What is said of it."""
    c_object: Annotated[str, Field(max_length=120)]
    """Of what, or how much."""


class SourcedTriplet(Triplet):
    """One fact with quotes of the passages that it may be from."""

    d_segments: Annotated[list[Annotated[str, Field(max_length=160)]], Field(max_length=2)]
    """Copied word by word."""


class Facts(Frozen):
    """Facts of a text."""

    a_facts: Annotated[list[Triplet], Field(max_length=MOST)]
    """In order."""


class SourcedFacts(Frozen):
    """Facts of an answer with quotes."""

    a_facts: Annotated[list[SourcedTriplet], Field(max_length=MOST)]
    """In order."""


class Confirmed(Frozen):
    """Whether a text states a fact."""

    a_reason: Reason
    """At most two sentences."""
    b_stated: YesNo
    """The verdict."""


FACTS = JudgeTask(
    "facts",
    f"List the facts that the text states, at most {MOST}, each as subject, predicate and object in the words of the "
    "text. List only what the text says, each fact once.",
    Facts,
)
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
IN_TEXT = JudgeTask(
    "in-text",
    "Decide whether the text states the fact, in whatever words: yes or no. Use only the text. First give your reason "
    "in one sentence.",
    Confirmed,
)


class Read(NamedTuple):
    """Facts that were read from a reply."""

    facts: list[str]
    """Each as one text: subject, predicate, object."""
    segments: list[list[str]]
    """Quotes of each."""
    dropped: int
    """Facts that were empty, repeated or invented."""

    @property
    def note(self) -> str:
        """What to know of the values."""
        return f"{self.dropped} facts dropped" if self.dropped else ""


def read_facts(judgement: Judgement, source: str) -> Read:
    """Return the facts of a reply that are whole, not repeated, and have half of their keywords in their source."""
    known: dict[str, list[str]] = {}
    dropped, words = 0, keywords(source)
    for each in value(judgement)["a_facts"]:
        members = [collapsed(each[name]) for name in ("a_subject", "b_predicate", "c_object")]
        text = " ".join(members)
        if not all(members) or text in known or not is_from(text, words):
            dropped += 1
            continue
        known[text] = each.get("d_segments", [])
    return Read(list(known), list(known.values()), dropped)


@register_recipe(
    judged(
        "Faithfulness (triplets)",
        summary="Share of the answer's facts that quotes from the passages state.",
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
    if lacks := no_text(item, columns=2, of_passages=not item.abstained):
        return lacks
    if item.abstained:
        return missing("abstained", columns=2)
    said: Judgement = yield Ask(task="sourced-facts", given={"answer": item.answer, "passages": texts(item)})
    if said.reason is not None:
        return missing(said.missing, columns=2, note=said.said)
    read = read_facts(said, item.answer)
    if not read.facts:
        return missing("no_facts", columns=2, note=read.note)
    passages = [collapsed(text) for text in texts(item)]
    quotes = [_verbatim(segments, passages) for segments in read.segments]
    asked = [(fact, own) for fact, own in zip(read.facts, quotes, strict=True) if own]
    checked: tuple[Judgement, ...] = yield tuple(
        Ask(task="supported-fact", given={"fact": fact, "quotes": own}) for fact, own in asked
    )
    if reason := failure(checked):
        return missing(reason, columns=2, note=read.note)
    unquoted = len(read.facts) - len(asked)
    note = "; ".join(filter(None, (read.note, f"{unquoted} facts without a quote" if unquoted else "")))
    stated = sum(value(each)["b_stated"] == "yes" for each in checked)
    near = 0.0
    if asked:
        near = yield from _nearness(asked)
    return (
        Finding(value=stated / len(read.facts), note=note),
        Finding(value=near / len(read.facts), note=note),
    )


def _nearness(asked: Sequence[tuple[str, list[str]]]) -> Recipe[float]:
    """Return the sum over facts of the maximal cosine with a quote, each at least 0."""
    vectors: Vectors = yield Embed(texts=tuple(text for fact, own in asked for text in (fact, *own)))
    total, place = 0.0, 0
    for _, own in asked:
        fact, quotes = vectors[place], vectors[place + 1 : place + 1 + len(own)]
        total += min(1.0, max(0.0, float(np.max(quotes @ fact))))
        place += 1 + len(own)
    return total


def _verbatim(segments: Sequence[str], passages: Sequence[str]) -> list[str]:
    """Return the quotes that stand in a passage, white space aside."""
    plain = [collapsed(segment) for segment in segments]
    return [each for each in dict.fromkeys(plain) if each and any(each in passage for passage in passages)]


NAMES = (
    "Factual recall",
    "Factual precision",
    "Factual F1",
    "Fact match recall",
    "Fact match columns",
    "Answer correctness (weighted)",
)
_FACTS_NOTE = "Facts of answer and reference are listed by the judge; those that it invents are dropped and counted."


@register_recipe(
    judged(
        NAMES[0],
        summary="Share of the reference's facts that the answer states.",
        formula="TP / (TP + FN) over the facts of the reference",
        citation=RAGAS,
        notes=(_FACTS_NOTE,),
    ),
    judged(
        NAMES[1],
        summary="Share of the answer's facts that the reference states.",
        formula="TP / (TP + FP) over the facts of the answer",
        citation=RAGAS,
        notes=(_FACTS_NOTE,),
    ),
    judged(
        NAMES[2],
        summary="Harmonic mean of factual recall and precision.",
        formula="2 P R / (P + R); 0 if both are 0",
        citation=RAGAS,
    ),
    judged(
        NAMES[3],
        summary="Facts of the answer that match one of the reference, against reference facts without a match.",
        formula=f"M = cosines, answer x reference facts, hit if > {SAME}: rows with a hit / (rows with a hit + columns "
        "without)",
        citation=TRIPLETS,
        embeds=True,
    ),
    judged(
        NAMES[4],
        summary="Share of the reference's facts that match a fact of the answer.",
        formula="columns of the same matrix with a hit / columns",
        citation=TRIPLETS,
        embeds=True,
    ),
    judged(
        NAMES[5],
        summary="Factual F1 and similarity of answer and reference, weighted.",
        formula=".75 Factual F1 + .25 max(0, cosine(answer, reference))",
        citation=RAGAS,
        embeds=True,
    ),
    tasks=(FACTS, IN_TEXT),
    embeds=True,
)
def factual(item: Item) -> Recipe[Findings]:
    """Ask for the facts of both texts, then whether the other text states each."""
    columns = len(NAMES)
    if lacks := no_text(item, columns=columns, of_reference=True):
        return lacks
    listed: tuple[Judgement, ...] = yield (
        Ask(task="facts", given={"text": item.answer}),
        Ask(task="facts", given={"text": item.reference}),
    )
    if reason := failure(listed):
        return missing(reason, columns=columns)
    mine, theirs = read_facts(listed[0], item.answer), read_facts(listed[1], item.reference)
    of_answer = () if item.abstained else mine.facts
    checked: tuple[Judgement, ...] = yield tuple(
        Ask(task="in-text", given={"text": text, "fact": fact})
        for text, own in ((item.reference, of_answer), (item.answer, theirs.facts))
        for fact in own
    )
    if reason := failure(checked):
        return missing(reason, columns=columns)
    stated = [value(each)["b_stated"] == "yes" for each in checked]
    precision = share(stated[: len(of_answer)]) if of_answer else None
    recall = share(stated[len(of_answer) :]) if theirs.facts else None
    vectors: Vectors = yield Embed(texts=(item.answer, item.reference, *mine.facts, *theirs.facts))
    n = len(mine.facts)
    matrix = np.asarray(vectors[2 : 2 + n] @ vectors[2 + n :].T, dtype=np.float64)
    note = f"{mine.dropped + theirs.dropped} facts dropped" if mine.dropped + theirs.dropped else ""
    why: MissingReason = "abstained" if item.abstained else "no_facts"
    f1 = _f1(precision, recall)
    rows, hits = matched(matrix) if mine.facts and theirs.facts else (None, None)
    near = min(1.0, max(0.0, float(vectors[0] @ vectors[1])))
    numbers: list[Any] = [recall, precision, f1, rows, hits, None if f1 is None else 0.75 * f1 + 0.25 * near]
    reasons: list[MissingReason] = ["no_facts", why, why if precision is None else "no_facts", "no_facts", "no_facts"]
    reasons.append(reasons[2])
    return tuple(found(number, reason=each, note=note) for number, each in zip(numbers, reasons, strict=True))


def matched(cosines: NDArray[np.float64]) -> tuple[float, float]:
    """Return rows with a hit / (rows with a hit + columns without), and columns with a hit / columns.

    Rows are facts of the answer, columns facts of the reference; the two count in different units.
    """
    hit = cosines > SAME
    rows, columns = int(hit.any(axis=1).sum()), hit.any(axis=0)
    without = int((~columns).sum())
    return rows / (rows + without) if rows + without else 0.0, float(columns.mean())


def _f1(precision: float | None, recall: float | None) -> float | None:
    if precision is None or recall is None:
        return None
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0
