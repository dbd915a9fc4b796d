"""Facts as triplets of subject, predicate and object: the forms of replies, their tasks, and how they are read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, NamedTuple

from pydantic import Field

from passer.domain.base import Frozen
from passer.domain.judging.ask import Ask
from passer.domain.judging.item import Item
from passer.domain.judging.recipe import Recipe
from passer.domain.judging.task import JudgeTask, Reasoned
from passer.metrics.judged.parts import YesNo, collapsed, is_from, keywords, replies

MOST = 12
"""Most facts of a text."""

Member = Annotated[str, Field(max_length=80)]


class Triplet(Frozen):
    """One fact."""

    a_subject: Member
    """Subject of the statement."""
    b_predicate: Member
    """Predicate of the statement."""
    c_object: Annotated[str, Field(max_length=120)]
    """Object of the relation, or its amount."""


class Facts(Frozen):
    """Facts of a text."""

    a_facts: Annotated[list[Triplet], Field(max_length=MOST)]
    """Facts in order."""


class Confirmed(Reasoned):
    """Verdict on whether a text states a fact."""

    b_stated: YesNo
    """The verdict."""


FACTS = JudgeTask(
    "facts",
    f"List the facts that the text states, at most {MOST}, each as subject, predicate and object in the words of the "
    "text. List only what the text says, each fact once.",
    Facts,
)
IN_TEXT = JudgeTask(
    "in-text",
    "Decide whether the text states the fact, in whatever words: yes or no. Use only the text. First give your reason "
    "in one sentence.",
    Confirmed,
)


BOTH_NOTE = (
    "Facts of answer and reference are listed by the judge; those that it invents are dropped and counted. Of several "
    "right answers, the one that shares most words with the answer is compared."
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
        """Return the note on the values."""
        return f"{self.dropped} facts dropped" if self.dropped else ""


def read_facts(reply: Mapping[str, Any], source: str) -> Read:
    """Return the facts of a reply that are complete, distinct, and have half of their keywords in their source."""
    known: dict[str, list[str]] = {}
    dropped, words = 0, keywords(source)
    for each in reply["a_facts"]:
        members = [collapsed(each[name]) for name in ("a_subject", "b_predicate", "c_object")]
        text = " ".join(members)
        if not all(members) or text in known or not is_from(text, words):
            dropped += 1
            continue
        known[text] = each.get("d_segments", [])
    return Read(list(known), list(known.values()), dropped)


class BothRead(NamedTuple):
    """Facts of an answer and of its reference."""

    of_answer: Read
    of_reference: Read
    compared: list[str]
    """Facts of the answer that are compared: none of an abstention, which claims nothing."""

    @property
    def note(self) -> str:
        """Return the note on the values."""
        return Read([], [], self.of_answer.dropped + self.of_reference.dropped).note


def facts_of_both(item: Item) -> Recipe[BothRead]:
    """Ask for the facts of the answer and of its reference."""
    sources = item.answer, item.reference
    listed = yield from replies(Ask(task=FACTS.name, given={"text": source}) for source in sources)
    mine, theirs = map(read_facts, listed, sources)
    return BothRead(mine, theirs, [] if item.abstained else mine.facts)


def in_text(text: str, facts: Sequence[str]) -> list[Ask]:
    """Return the asks whether a text states each fact."""
    return [Ask(task=IN_TEXT.name, given={"text": text, "fact": fact}) for fact in facts]
