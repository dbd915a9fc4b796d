"""Facts as triplets of subject, predicate and object: the forms of replies, their tasks, and how they are read."""

from __future__ import annotations

from typing import Annotated, NamedTuple

from pydantic import Field

from passer.domain.base import Frozen
from passer.domain.judging.judgement import Judgement
from passer.domain.judging.task import JudgeTask
from passer.metrics.judged.parts import Reason, YesNo, collapsed, is_from, keywords, value

MOST = 12
"""Most facts of a text."""

Member = Annotated[str, Field(max_length=80)]


class Triplet(Frozen):
    """One fact."""

    a_subject: Member
    """What it is about."""
    b_predicate: Member
    """What is said of it."""
    c_object: Annotated[str, Field(max_length=120)]
    """Of what, or how much."""


class Facts(Frozen):
    """Facts of a text."""

    a_facts: Annotated[list[Triplet], Field(max_length=MOST)]
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
