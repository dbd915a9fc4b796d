"""Four aspects of an answer, graded together."""

from __future__ import annotations

from typing import Literal

from passer.domain.judging.ask import Ask
from passer.domain.judging.formulas import ASPECTS as MEMBERS
from passer.domain.judging.formulas import grade_of
from passer.domain.judging.item import Item
from passer.domain.judging.recipe import Finding, Findings, Recipe
from passer.domain.judging.task import JudgeTask, Reasoned
from passer.metrics.judged.parts import ASPECTS, asked, check_texts, judged, texts, value
from passer.metrics.registry import register_recipe

Level = Literal[0, 1, 2]


class Aspects(Reasoned):
    """Four grades with one reason."""

    b_relevance: Level
    """Degree to which it answers the question, 0 to 2."""
    c_accuracy: Level
    """Degree to which the passages support it, 0 to 2."""
    d_completeness: Level
    """Degree to which it contains the relevant content of the passages, 0 to 2."""
    e_precision: Level
    """Degree to which it contains nothing that was not asked, 0 to 2."""


SUMMARIES = {
    "Relevance": "Whether the answer is about what was asked.",
    "Accuracy": "Whether what the answer says is right according to the passages.",
    "Completeness": "Whether the answer contains everything in the passages that matters.",
    "Precision": "Whether the answer contains nothing that was not asked for.",
}

TASK = JudgeTask(
    "aspects",
    "Grade the answer to the question in four aspects, each 0 (no), 1 (in part) or 2 (fully). Relevance: it is about "
    "what was asked. Accuracy: what it says is right by the passages. Completeness: it contains everything in the "
    "passages that matters for the question. Precision: it contains nothing that was not asked. First give your reason "
    "in one or two sentences, then the four grades.",
    Aspects,
)


@register_recipe(
    *(
        judged(name, summary=summary, formula="grade / 2, grade in 0..2", citation=ASPECTS)
        for name, summary in SUMMARIES.items()
    ),
    tasks=(TASK,),
)
def aspects(item: Item) -> Recipe[Findings]:
    """Ask for four grades at once."""
    check_texts(item, answer=True, passages=True)
    given = {"question": item.question, "passages": texts(item), "answer": item.answer}
    said = yield from asked(Ask(task="aspects", given=given))
    grades = value(said)
    return tuple(Finding(value=grade_of(grades, MEMBERS[name], 2) / 2) for name in SUMMARIES)
