"""Relevance of each passage to the question, on the scales of RAGElo's reasoner and of UMBRELA; grades become qrels.

The first scale is the task by which a model reranks passages, so reranking and judging share their judgements.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from passer.domain.judging.ask import Ask
from passer.domain.judging.formulas import grade_of
from passer.domain.judging.item import Item
from passer.domain.judging.recipe import Finding, Findings, Recipe
from passer.domain.judging.task import JudgeTask
from passer.domain.retrieval.passage_relevance import RELEVANCE, UMBRELA_RELEVANT
from passer.domain.score import Citation, MetricInfo
from passer.metrics.judged.parts import ASPECTS, check_texts, judged, replies, texts
from passer.metrics.registry import register_recipe

GRADE = "b_grade"
"""Member of a reply that contains the grade."""
RATERS = "b_raters"
"""Member of a reply that contains the grades of several raters."""
OF_PASSAGES, UMBRELA = "Passage relevance", "Passage relevance (UMBRELA)"
RDNAM, FIVE_RATERS = "Passage relevance (RDNAM)", "Passage relevance (RDNAM, five raters)"
EXPERT = "Passage relevance (expert)"
HIGHEST: Mapping[str, int] = MappingProxyType({OF_PASSAGES: 2, UMBRELA: 3, RDNAM: 2, FIVE_RATERS: 2, EXPERT: 2})
"""Highest grade of each column."""
OF_UMBRELA = Citation(
    text="Upadhyay, S. et al. (2024). UMBRELA: Open-source reproduction of the Bing relevance assessor.",
    url="https://arxiv.org/abs/2406.06519",
)


def register_grades(info: MetricInfo, task: JudgeTask, **lengths: int) -> None:
    """Register a column whose judge grades each passage by a task; `lengths` are those of the lists in a reply."""

    def graded(item: Item) -> Recipe[Findings]:
        check_texts(item, passages=True)
        said = yield from replies(
            Ask(task=task.name, given={"question": item.question, "passage": text}, lengths=lengths)
            for text in texts(item)
        )
        highest = HIGHEST[info.name]
        grades = [grade_in(reply, highest) for reply in said]
        return (Finding(value=sum(grades) / (highest * len(grades))),)

    register_recipe(info, tasks=(task,))(graded)


register_grades(
    judged(
        OF_PASSAGES,
        summary="How relevant the passages are to the question.",
        formula="mean over the passages of the prompt of grade / 2, grade in 0..2",
        citation=ASPECTS,
        notes=("Describes question and passages. `passer judge qrels` writes the grades of all judged passages.",),
    ),
    RELEVANCE,
)
register_grades(
    judged(
        UMBRELA,
        summary="How relevant the passages are to the question, on the scale of UMBRELA.",
        formula="mean over the passages of the prompt of grade / 3, grade in 0..3",
        citation=OF_UMBRELA,
        notes=("A passage with grade 2 or 3 is usually counted as relevant.",),
    ),
    UMBRELA_RELEVANT,
)


def grade_in(reply: Any, highest: int) -> float:
    """Return the grade of a reply, or the mean of its raters' grades; ValueError where it is not on its scale."""
    raters = reply.get(RATERS) if isinstance(reply, dict) else None
    if raters is None:
        return grade_of(reply, GRADE, highest)
    return sum(grade_of(each, GRADE, highest) for each in raters) / len(raters)
