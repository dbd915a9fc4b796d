"""Criteria of a person: which of them an answer meets."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from passer.domain.judging.ask import Ask, Given
from passer.domain.judging.criteria import CRITERIA, MOST, Verdict, share_met
from passer.domain.judging.item import Item
from passer.domain.judging.recipe import Findings, Recipe
from passer.domain.judging.task import JudgeTask, Reasoned
from passer.metrics.judged.parts import OWN_CRITERIA, asked, check_texts, found, judged, texts, value
from passer.metrics.registry import register_recipe


class Checked(Reasoned):
    """A verdict for each criterion, in order."""

    b_verdicts: Annotated[list[Verdict], Field(max_length=MOST)]
    """One verdict for each criterion, in order."""


TASK = JudgeTask(
    "criteria",
    "Check the answer to the question against each numbered criterion. yes: the answer meets it. no: it does not. does "
    "not apply: the question gives no occasion for it. Judge each criterion on its own, by what the answer says, and "
    "by reference and passages where they are given. First give your reason in one or two sentences, then the verdicts "
    "in the order of the criteria.",
    Checked,
)


@register_recipe(
    judged(
        CRITERIA,
        summary="Weighted share of the criteria, written by a person, that the answer meets.",
        formula="sum of weights of yes / sum of weights of yes and no, over 1 to 8 criteria",
        citation=OWN_CRITERIA,
        notes=("Criteria that do not apply are left out. Each list of criteria is a column of its own.",),
    ),
    tasks=(TASK,),
)
def criteria(item: Item) -> Recipe[Findings]:
    """Ask for all verdicts at once."""
    check_texts(item, answer=True)
    listed = [each.text for each in item.criteria]
    given: Given = {"question": item.question}
    given |= item.given_references if item.reference.strip() else {}
    given |= {"passages": texts(item)} if item.passages else {}
    given |= {"answer": item.answer, "criteria": listed}
    said = yield from asked(Ask(task=TASK.name, given=given, lengths={"b_verdicts": len(listed)}))
    verdicts = value(said)["b_verdicts"]
    return (found(share_met(item.criteria, verdicts), reason="none_applies", note=", ".join(verdicts)),)
