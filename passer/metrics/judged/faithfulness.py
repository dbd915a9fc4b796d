"""Faithfulness by statements: which statements of the answer the passages support."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from passer.domain.base import Frozen
from passer.domain.judging.ask import Ask
from passer.domain.judging.formulas import distinct_statements, share, verdicts_of
from passer.domain.judging.item import Item
from passer.domain.judging.recipe import Finding, Findings, NoValue, Recipe
from passer.domain.judging.task import JudgeTask, Reasoned
from passer.domain.score import Citation
from passer.metrics.judged.parts import RAGAS, asked, check_texts, judged, texts, value
from passer.metrics.registry import register_recipe

MOST = 12
"""Most statements of an answer."""


class Statements(Frozen):
    """Statements of a text."""

    a_statements: Annotated[list[Annotated[str, Field(max_length=200)]], Field(max_length=MOST)]
    """Each can be understood without the others."""


class Support(Reasoned):
    """Verdicts on whether the passages support each statement."""

    b_verdicts: Annotated[list[Literal["yes", "no", "contradicted"]], Field(max_length=MOST)]
    """One for each statement, in order."""


STATEMENTS = JudgeTask(
    "statements",
    f"Break the answer to the question into at most {MOST} short statements that can be checked one by one. Each "
    "statement names what it is about instead of using a pronoun. Add nothing that the answer does not say.",
    Statements,
)
SUPPORTED = JudgeTask(
    "supported",
    "Decide for each numbered statement whether it follows from the passages. yes: the passages state it. "
    "contradicted: the passages state the opposite. no: neither. Use only the passages, not what you know. First give "
    "your reason in one or two sentences, then one verdict for each statement, in order.",
    Support,
)


@register_recipe(
    judged(
        "Faithfulness",
        summary="Share of the answer's statements that the passages support.",
        formula="statements judged yes / statements",
        citation=RAGAS,
    ),
    judged(
        "Not contradicted",
        summary="Share of the answer's statements that the passages do not contradict.",
        formula="1 - statements judged contradicted / statements",
        citation=Citation(text="DeepEval, Faithfulness.", url="https://deepeval.com/docs/metrics-faithfulness"),
        notes=("A statement about which the passages say nothing counts as true.",),
    ),
    tasks=(STATEMENTS, SUPPORTED),
)
def faithfulness(item: Item) -> Recipe[Findings]:
    """Ask for the statements, then for a verdict on each."""
    check_texts(item, answer=True, passages=not item.abstained)
    if item.abstained:
        raise NoValue("abstained")
    said = yield from asked(Ask(task="statements", given={"question": item.question, "answer": item.answer}))
    statements = distinct_statements(value(said))
    if not statements:
        raise NoValue("no_facts")
    given = {"passages": texts(item), "statements": statements}
    checked = yield from asked(Ask(task="supported", given=given, lengths={"b_verdicts": len(statements)}))
    verdicts = verdicts_of(value(checked), len(statements))
    note = f"{checked.dropped} passages left out" if checked.dropped else ""
    return (
        Finding(value=share([verdict == "yes" for verdict in verdicts]), note=note),
        Finding(value=1 - share([verdict == "contradicted" for verdict in verdicts]), note=note),
    )
