"""Relevance of a passage to a question, graded by a model."""

from __future__ import annotations

from typing import Annotated, Literal, NamedTuple

from pydantic import Field

from passer.domain.base import Frozen
from passer.domain.judging.ask import Ask
from passer.domain.judging.judgement import Judgement
from passer.domain.judging.recipe import Recipe
from passer.domain.judging.task import JudgeTask


class PassageGrade(Frozen):
    """A grade with its reason."""

    a_reason: Annotated[str, Field(max_length=300)]
    """One sentence."""
    b_grade: Literal[0, 1, 2]
    """0: not relevant; 1: about the question, or a part of the answer; 2: contains the answer."""


RELEVANCE = JudgeTask(
    "relevance",
    "Grade how far the passage answers the question: 0 (not at all), 1 (it is about the question, or contains a part "
    "of the answer) or 2 (it contains the answer). First give your reason in one sentence, then the grade.",
    PassageGrade,
)


class Graded(NamedTuple):
    """Grade that a model gives a passage."""

    grade: int | None
    """Grade, 0 to 2; None where the reply has no grade."""
    is_final: bool = True
    """True if asking again gives the same; False where the server gave no reply."""


def passage_relevance(question: str, passage: str) -> Recipe[Graded]:
    """Ask for the grade of one passage."""
    said: Judgement = yield Ask(task=RELEVANCE.name, given={"question": question, "passage": passage})
    if said.reason is not None:
        return Graded(None, is_final=said.reason != "generation_failed")
    return Graded(PassageGrade.model_validate(said.value).b_grade)
