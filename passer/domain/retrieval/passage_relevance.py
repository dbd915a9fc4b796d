"""Relevance of a passage to a question, graded by a model."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

from passer.domain.judging.ask import Ask
from passer.domain.judging.formulas import grade_of
from passer.domain.judging.judgement import Judgement
from passer.domain.judging.recipe import Recipe
from passer.domain.judging.task import JudgeTask, Reasoned


class PassageGrade(Reasoned):
    """A grade with its reason."""

    b_grade: Literal[0, 1, 2]
    """0: not relevant; 1: about the question, or a part of the answer; 2: contains the answer."""


RELEVANCE = JudgeTask(
    "relevance",
    "Grade how far the passage answers the question: 0 (not at all), 1 (it is about the question, or contains a part "
    "of the answer) or 2 (it contains the answer). First give your reason in one sentence, then the grade.",
    PassageGrade,
)


class Umbrela(Reasoned):
    """A grade from 0 to 3 with its reason."""

    b_grade: Literal[0, 1, 2, 3]
    """The grade."""


UMBRELA_RELEVANT = JudgeTask(
    "umbrela",
    "Grade how relevant the passage is to the question. 0: it has nothing to do with the question. 1: it is related to "
    "the question and does not answer it. 2: it answers the question in part, or the answer is unclear or hidden among "
    "other statements. 3: it is about the question and contains the whole answer. First give your reason in one or two "
    "sentences, then the grade.",
    Umbrela,
)

SCALES: Mapping[str, JudgeTask] = {task.name: task for task in (RELEVANCE, UMBRELA_RELEVANT)}
"""Instructions of `PassageJudge.task`; the reply to each has the grade in `b_grade`."""


class Graded(NamedTuple):
    """Grade that a model gives a passage."""

    grade: int | None
    """Grade on the scale of the task; None where the reply has no grade."""
    is_final: bool = True
    """True if asking again gives the same; False where the server gave no reply."""


def passage_relevance(question: str, passage: str, task: JudgeTask = RELEVANCE) -> Recipe[Graded]:
    """Ask for the grade of one passage."""
    said: Judgement = yield Ask(task=task.name, given={"question": question, "passage": passage})
    if said.reason is not None:
        return Graded(None, is_final=said.reason != "generation_failed")
    return Graded(grade_of(said.value, "b_grade", highest=3))
