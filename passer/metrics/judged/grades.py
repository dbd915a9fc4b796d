"""Grades by a single request: answer correctness, answerability, stand-alone question, answer attempted."""

from __future__ import annotations

from typing import Literal

from passer.domain.judging.ask import Ask, Given
from passer.domain.judging.formulas import grade_of
from passer.domain.judging.item import Item
from passer.domain.judging.recipe import Finding, Findings, Recipe
from passer.domain.judging.task import JudgeTask, Reasoned
from passer.metrics.judged.parts import RAGALYST, SIMPLE_QA, asked, check_texts, judged, texts, value
from passer.metrics.registry import register_recipe


class Graded(Reasoned):
    """A grade with its reason."""

    b_grade: Literal[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]
    """The grade."""


class Decided(Reasoned):
    """A decision with its reason."""

    b_decision: Literal[0, 1]
    """1 is yes."""


CORRECTNESS = JudgeTask(
    "correctness",
    "Grade how well the answer agrees with the reference answer to the question. 0: unrelated or contradicts it. "
    "3: touches the subject, but says little of what the reference says. 5: partly right, with errors or missing "
    "parts. 7: right, with small errors or omissions. 10: says everything that the reference says. Other words and "
    "additional correct details cost nothing. First give your reason in one or two sentences, then the grade.",
    Graded,
)
ANSWERABILITY = JudgeTask(
    "answerability",
    "Decide whether the passages alone are enough to answer the question. 1: everything that the answer needs is "
    "stated in the passages; nothing has to be inferred or known from elsewhere. 0: something is missing. First give "
    "your reason in one or two sentences, then the decision.",
    Decided,
)
STANDALONE = JudgeTask(
    "standalone",
    "Grade how well the question can be understood by somebody who has no text before them. 0: it refers to a text, "
    'a table or a study without naming it ("according to the passage", "in this study"). 10: it names everything '
    "that it asks about. Technical terms cost nothing. First give your reason in one or two sentences, then the grade.",
    Graded,
)

ANSWERABLE = "Answerability"
"""Column whose values say whether the passages of the prompt contain the answer."""
ATTEMPTED = "Answer attempted"
"""Column whose values say whether an answer is one, or an abstention."""
ATTEMPTED_TASK = JudgeTask(
    "attempted",
    "Decide whether the answer attempts to answer the question. 1: it says something that answers the question, "
    "rightly or wrongly, in full or in part, even if it also says that it is not sure. 0: it abstains: it only says "
    "that it is not known, that the texts do not contain it, or that it cannot or will not answer, or it asks back. "
    "Whether the answer is right does not matter. First give your reason in one or two sentences, then the decision.",
    Decided,
)


@register_recipe(
    judged(
        "Answer correctness",
        summary="How well the answer agrees with the reference, graded by a judge.",
        formula="grade / 10, grade in 0..10",
        citation=RAGALYST,
    ),
    tasks=(CORRECTNESS,),
)
def correctness(item: Item) -> Recipe[Findings]:
    """Ask for one grade."""
    check_texts(item, answer=True, reference=True)
    given: Given = {"question": item.question, **item.given_references, "answer": item.answer}
    return (yield from _graded(Ask(task="correctness", given=given), "b_grade", 10))


@register_recipe(
    judged(
        ANSWERABLE,
        summary="Whether the passages alone are enough to answer the question.",
        formula="1 if everything is stated in the passages of the prompt, else 0",
        citation=RAGALYST,
        notes=("Describes question and passages; the answer is not looked at.",),
    ),
    tasks=(ANSWERABILITY,),
)
def answerability(item: Item) -> Recipe[Findings]:
    """Ask for one decision."""
    check_texts(item, passages=True)
    given: Given = {"question": item.question, "passages": texts(item)}
    return (yield from _graded(Ask(task="answerability", given=given), "b_decision", 1))


@register_recipe(
    judged(
        "Stand-alone question",
        summary="Whether the question can be understood without the text that it is about.",
        formula="grade / 10, grade in 0..10",
        citation=RAGALYST,
        notes=("Describes the question; answer and passages are not looked at.",),
    ),
    tasks=(STANDALONE,),
)
def standalone(item: Item) -> Recipe[Findings]:
    """Ask for one grade."""
    return (yield from _graded(Ask(task="standalone", given={"question": item.question}), "b_grade", 10))


@register_recipe(
    judged(
        ATTEMPTED,
        summary="Whether the answer attempts to answer the question, or is an abstention.",
        formula="1 if it attempts an answer, right or wrong, else 0",
        citation=SIMPLE_QA,
        notes=("Decides what is an abstention where failures are located; it is not better when higher.",),
    ),
    tasks=(ATTEMPTED_TASK,),
)
def attempted(item: Item) -> Recipe[Findings]:
    """Ask for one decision, whether code recognises an abstention or not."""
    check_texts(item, answer=True)
    given = {"question": item.question, "answer": item.answer}
    return (yield from _graded(Ask(task="attempted", given=given), "b_decision", 1))


def _graded(ask: Ask, member: str, highest: int) -> Recipe[Findings]:
    said = yield from asked(ask)
    return (Finding(value=grade_of(value(said), member, highest) / highest),)
