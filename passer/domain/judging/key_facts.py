"""Key facts of questions that people have chosen, by which a judge then assigns answers to facts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

from pydantic import Field, model_validator

from passer.domain.base import Frozen
from passer.domain.wording.sentence import Sentence, sentence
from passer.errors import MOST_PROBLEMS, DatasetError, Problem

MOST_FACTS = 30
"""Most key facts of a question."""
FACT_COLUMNS = ("question", "importance", "fact")
"""Columns of a file of key facts."""
Importance = Literal["vital", "okay"]


class KeyFact(Frozen):
    """A fact that a good answer contains."""

    text: str = Field(min_length=1, max_length=300, pattern=r"\S")
    """The fact, as one short statement."""
    importance: Importance
    """`vital`: a good answer must say it; `okay`: it is good to have."""


class QuestionFacts(Frozen):
    """The key facts of one question."""

    question: str = Field(min_length=1, max_length=100_000)
    """Text of the question."""
    facts: tuple[KeyFact, ...] = Field(max_length=MOST_FACTS)
    """Its key facts, the most important first; empty if people dropped all."""

    @model_validator(mode="after")
    def _each_once(self) -> QuestionFacts:
        if len({each.text for each in self.facts}) < len(self.facts):
            raise ValueError(sentence("facts.twice"))
        return self


def facts_of_rows(rows: Iterable[Mapping[str, Any]]) -> tuple[QuestionFacts, ...]:
    """Return the key facts of the rows of a file, question by question; a row with `drop` names its question only.

    A question of which all rows are dropped has no key facts. DatasetError lists every wrong row.
    """
    found: dict[str, list[KeyFact]] = {}
    problems: list[Problem] = []
    for number, row in enumerate(rows, start=1):
        question, importance, text = (str(row.get(name) or "").strip() for name in FACT_COLUMNS)
        if not (question or importance or text):
            continue
        own = found.setdefault(question, [])
        if wrong := _problem(question, importance, text, own):
            problems.append(Problem(wrong[1], row=number, field=wrong[0]))
        elif importance != "drop":
            own.append(KeyFact(text=text, importance="vital" if importance == "vital" else "okay"))
    if problems:
        said = sentence("facts.refused", count=len(problems))
        raise DatasetError(said, problems=tuple(problems[:MOST_PROBLEMS]))
    if not found:
        raise DatasetError(sentence("facts.empty"))
    return tuple(QuestionFacts(question=question, facts=tuple(facts)) for question, facts in found.items())


def _problem(question: str, importance: str, text: str, own: Sequence[KeyFact]) -> tuple[str, Sentence] | None:
    """Return the wrong column of a row and its problem; `own` are the earlier facts of its question."""
    if not question:
        return "question", sentence("facts.no-question")
    if importance not in ("vital", "okay", "drop"):
        return "importance", sentence("facts.importance")
    if not 0 < len(text) <= 300:
        return "fact", sentence("facts.text")
    if any(each.text == text for each in own):
        return "fact", sentence("facts.twice")
    if importance != "drop" and len(own) == MOST_FACTS:
        return "fact", sentence("facts.many", most=MOST_FACTS)
    return None
