"""Failure labels (RAGalyst): why an answer that is not completely correct is wrong.

The judge does not see the grade of the answer, and may reply that no label applies.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

from pydantic import Field

from passer.domain.base import Frozen
from passer.domain.failures.judged_labels import COLUMNS, HIGHEST, INCOMPLETE, INCOMPLETE_COLUMN, AskedLabel
from passer.domain.judging.ask import Ask, Given
from passer.domain.judging.item import Item
from passer.domain.judging.recipe import Finding, Findings, NoValue, Recipe
from passer.domain.judging.task import JudgeTask
from passer.domain.score import MetricInfo
from passer.metrics.judged.grades import CORRECTNESS, correctness
from passer.metrics.judged.parts import RAGALYST, judged, replies, texts
from passer.metrics.registry import register_recipe

NO_FAILURE = "no_failure"
"""Note on the values of an answer that is completely correct, of which nothing is asked."""


class Label(Frozen):
    """Verdict on whether one label applies."""

    a_explanation: Annotated[str, Field(max_length=200)]
    """One sentence."""
    b_applies: Literal[0, 1]
    """1 is yes."""


class RagFailures(Frozen):
    """Failures between passages and answer."""

    not_extracted: Label
    wrong_format: Label
    under_specificity: Label
    over_specificity: Label


class IncompleteFailures(Frozen):
    """Failures with a question of several parts."""

    incomplete: Label


class LlmFailures(Frozen):
    """Failures in the text of an answer."""

    factual_contradiction: Label
    factual_fabrication: Label
    instruction_inconsistency: Label
    context_inconsistency: Label
    logical_inconsistency: Label


_FIRST = " For each label, explain in one sentence, then write 1 if it applies and 0 if not. Several or none may apply."
RAG_TASK = JudgeTask(
    "rag-failures",
    "Compare the answer to the question with the reference answer and decide which labels apply. not_extracted: the "
    "passages contain the answer, and the answer does not use it. wrong_format: the question asks for a certain form, "
    "such as a list, a number or a table, and the answer has another one. under_specificity: the answer is too "
    "general, or lacks a detail that the question asks for. over_specificity: the answer adds details that the "
    "question does not ask for." + _FIRST,
    RagFailures,
)
LLM_TASK = JudgeTask(
    "llm-failures",
    "Compare the answer to the question with the reference answer and decide which labels apply. "
    "factual_contradiction: a statement of the answer contradicts what is known or the reference. factual_fabrication: "
    "the answer invents something that nothing given here supports. instruction_inconsistency: the answer does not do "
    "what the question asks for. context_inconsistency: the answer contradicts the passages. logical_inconsistency: "
    "the answer contradicts itself, or a conclusion does not follow." + _FIRST,
    LlmFailures,
)
INCOMPLETE_TASK = JudgeTask(
    "incomplete-failures",
    "Compare the answer to the question with the reference answer and decide whether the label applies. incomplete: "
    "the question has several parts, and the answer leaves out at least one of them. Explain in one sentence, then "
    "write 1 if it applies and 0 if not.",
    IncompleteFailures,
)
_SUMMARIES = {
    "not_extracted": "Whether the passages contain the answer and the answer does not use it.",
    "wrong_format": "Whether the answer has another form than the question asks for.",
    "under_specificity": "Whether the answer is too general or lacks a detail that the question asks for.",
    "over_specificity": "Whether the answer adds details that the question does not ask for.",
    "incomplete": "Whether the question has several parts and the answer leaves out one of them.",
    "factual_contradiction": "Whether a statement of the answer contradicts what is known.",
    "factual_fabrication": "Whether the answer invents something that nothing supports.",
    "instruction_inconsistency": "Whether the answer does not do what the question asks for.",
    "context_inconsistency": "Whether the answer contradicts the passages.",
    "logical_inconsistency": "Whether the answer contradicts itself.",
}


def _described(label: str, column: str) -> MetricInfo:
    notes = [
        "Only answers whose Answer correctness by the same judge is below 1 are asked about; the others have the "
        "value 0.",
    ]
    if label == "over_specificity":
        notes.append(
            "Measured against a short reference made from one passage, it describes the dataset more than the system."
        )
    return judged(
        column,
        summary=_SUMMARIES[label],
        formula="1 if the judge says that the label applies, else 0",
        citation=RAGALYST,
        notes=tuple(notes),
        higher_is_better=False,
    )


@register_recipe(*(_described(*each) for each in COLUMNS.items()), tasks=(CORRECTNESS, RAG_TASK, LLM_TASK))
def failure_labels(item: Item) -> Recipe[Findings]:
    """Grade the answer like Answer correctness does, and ask about answers that are not completely correct."""
    return (yield from _labelled(item, (RAG_TASK, LLM_TASK), tuple(COLUMNS)))


@register_recipe(_described(INCOMPLETE, INCOMPLETE_COLUMN), tasks=(CORRECTNESS, INCOMPLETE_TASK))
def incomplete_answers(item: Item) -> Recipe[Findings]:
    """Do the same about the parts of a question, for datasets that were not made from the collection."""
    return (yield from _labelled(item, (INCOMPLETE_TASK,), (INCOMPLETE,)))


def _labelled(item: Item, tasks: Sequence[JudgeTask], labels: Sequence[AskedLabel]) -> Recipe[Findings]:
    (graded,) = yield from correctness(item)
    if graded.value is None:
        assert graded.reason is not None, "a finding has a value or a reason"
        raise NoValue(graded.reason, graded.note)
    if graded.value >= HIGHEST:
        return (Finding(value=0.0, note=NO_FAILURE),) * len(labels)
    given: Given = {"question": item.question, **item.given_references, "answer": item.answer}
    if item.gold_quotes:
        given["gold"] = list(item.gold_quotes)
    if item.passages:
        given["passages"] = texts(item)
    said = yield from replies(Ask(task=task.name, given=given) for task in tasks)
    verdicts = {label: verdict for reply in said for label, verdict in reply.items()}
    return tuple(Finding(value=float(verdicts[label]["b_applies"])) for label in labels)
