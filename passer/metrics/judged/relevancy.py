"""Relevancy by questions: what would be asked to get this answer, or from these passages."""

from __future__ import annotations

from typing import Annotated, Literal

import numpy as np
from pydantic import Field

from passer.domain.base import Frozen
from passer.domain.judging.ask import Ask, Embed
from passer.domain.judging.item import Item
from passer.domain.judging.recipe import Finding, Findings, Recipe
from passer.domain.judging.task import JudgeTask
from passer.metrics.judged.parts import RAGAS, asked, check_texts, judged, replies, texts, value
from passer.metrics.registry import register_recipe
from passer.ports import Vectors

SAMPLES = 3
"""Questions that are written for a text."""

QuestionText = Annotated[str, Field(min_length=1, max_length=200)]


class QuestionOf(Frozen):
    """A question that a text answers."""

    a_question: QuestionText
    """The question."""
    b_noncommittal: Literal[0, 1]
    """1 if the text avoids an answer."""


class QuestionsOf(Frozen):
    """Questions that a text answers."""

    a_questions: Annotated[list[QuestionText], Field(max_length=SAMPLES)]
    """The questions."""


QUESTION_OF = JudgeTask(
    "question-of",
    "Write the one question that the text answers, as somebody who does not know the text would ask it. Then decide: "
    "1 if the text avoids an answer (it says that it does not know, or stays vague), else 0.",
    QuestionOf,
    is_sampled=True,
)
QUESTIONS_OF = JudgeTask(
    "questions-of",
    f"Write the {SAMPLES} questions that the passages answer best, as somebody who does not know them would ask.",
    QuestionsOf,
)


@register_recipe(
    judged(
        "Answer relevancy",
        summary="How near the questions that the answer would answer are to the question that was asked.",
        formula=(
            f"mean cosine of the question with {SAMPLES} questions written for the answer (temperature .7, "
            f"seeds 42 to {41 + SAMPLES}), negative ones as 0; 0 if all are noncommittal, and for abstentions"
        ),
        citation=RAGAS,
        embeds=True,
    ),
    tasks=(QUESTION_OF,),
    embeds=True,
)
def answer_relevancy(item: Item) -> Recipe[Findings]:
    """Draw questions for the answer and compare them with the one that was asked."""
    check_texts(item, answer=True)
    if item.abstained:
        return (Finding(value=0.0, note="abstained"),)
    said = yield from replies(
        Ask(task="question-of", given={"text": item.answer}, sample=sample) for sample in range(SAMPLES)
    )
    if all(reply["b_noncommittal"] for reply in said):
        return (Finding(value=0.0, note="noncommittal"),)
    vectors: Vectors = yield Embed(texts=(item.question, *(reply["a_question"] for reply in said)))
    return (Finding(value=_within(float(np.mean(vectors[1:] @ vectors[0])))),)


@register_recipe(
    judged(
        "Response relevancy (context)",
        summary="How near the question is to the nearest of the questions that the passages answer.",
        formula=f"maximal cosine of the question with {SAMPLES} questions written for the passages",
        citation=RAGAS,
        notes=("Describes question and passages; the answer is not looked at.",),
        embeds=True,
    ),
    tasks=(QUESTIONS_OF,),
    embeds=True,
)
def context_relevancy(item: Item) -> Recipe[Findings]:
    """Ask for questions about the passages and compare them with the one that was asked."""
    check_texts(item, passages=True)
    given = {"passages": texts(item)}
    said = yield from asked(Ask(task="questions-of", given=given, lengths={"a_questions": SAMPLES}))
    vectors: Vectors = yield Embed(texts=(item.question, *value(said)["a_questions"]))
    return (Finding(value=_within(float(np.max(vectors[1:] @ vectors[0])))),)


def _within(cosine: float) -> float:
    # Rounding may carry a cosine beyond 1.
    return min(1.0, max(0.0, cosine))
