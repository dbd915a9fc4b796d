"""One tuning: candidates are asked about labelled answers, and the judge is asked for other instructions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Annotated

import numpy as np
from pydantic import Field

from passer.domain.base import Frozen
from passer.domain.judging.agreement import error_difference
from passer.domain.judging.ask import Ask, Given
from passer.domain.judging.judgement import Judgement
from passer.domain.judging.recipe import Recipe
from passer.domain.judging.task import JudgeTask
from passer.domain.judging.tuned_task import GradeForm, LabelledAsk, Split, TunedTask, TuningEvidence
from passer.domain.statistics import Floats, spearman_rho
from passer.services.judging.asker import JudgeContext

_COVERED = 0.9
"""Least share of the answers to which a candidate must give a grade."""
_SHOWN = 3
"""Disagreements that the judge reads before it rewrites its instruction."""
AskJudge = Callable[[JudgeContext, Sequence[Recipe[Judgement]]], list[Judgement | None]]
"""Asks the judge; replies are kept by content. WorkPaused where its budget is used up."""


class Rewritten(Frozen):
    """An instruction in other words."""

    a_reason: Annotated[str, Field(max_length=300)]
    """What is changed, and why."""
    b_instruction: Annotated[str, Field(max_length=1500)]
    """The new instruction, complete."""


REWRITE = JudgeTask(
    "rewrite-instruction",
    "A judge grades texts by the instruction below. Rewrite the instruction so that the judge's grades agree better "
    "with those of people. Keep what is graded, the scale and its direction, and say that the reason comes before the "
    "grade. Be precise about what each part of the scale means. Where disagreements are listed, find what they have "
    "in common; do not mention single items. First say what you change, then give the whole new instruction.",
    Rewritten,
    is_sampled=True,
)


class TuningPlan(Frozen):
    """What tuning would ask."""

    column: str
    """Judged metric whose task is tuned."""
    shots: int
    """Labelled answers that become examples."""
    selection: int
    """Labelled answers that choose."""
    test: int
    """Labelled answers on which the choice is tried once."""
    asks: int
    """Most requests, without second attempts; judgements that exist cost nothing."""


class Candidate(Frozen):
    """An instruction with or without examples, on the answers that choose."""

    instruction: str
    """Instruction of the task."""
    shots: int
    """Number of worked examples."""
    judged: int
    """Answers that got a grade."""
    rho: float | None
    """Spearman's rho of people and judge; None if one side is constant."""
    error: float | None
    """Mean absolute difference of people and judge; None without a grade."""


@dataclass
class Trial:
    """One tuning: asks the judge about labelled answers with one task after the other."""

    ask: AskJudge
    context: JudgeContext
    base: JudgeTask
    form: GradeForm
    split: Split
    plan: TuningPlan
    seed: int

    def values(self, task: JudgeTask, answers: Sequence[LabelledAsk]) -> list[float | None]:
        """Return the judge's value of each answer, in [0, 1]; None where it gave none."""
        said = self._asked(task, [each.ask for each in answers])
        return [_value(each, self.form) for each in said]

    def candidate(self, task: JudgeTask) -> Candidate:
        """Try a task on the answers that choose."""
        human, judge = _both(self.split.selection, self.values(task, self.split.selection))
        return Candidate(
            instruction=task.instruction,
            shots=len(task.examples),
            judged=len(human),
            rho=spearman_rho(human, judge) if len(human) else None,
            error=float(np.abs(judge - human).mean()) if len(human) else None,
        )

    def rewrites(self, wanted: int) -> list[str]:
        """Return distinct other instructions that the judge wrote; they may be fewer than wanted."""
        given: Given = {"instruction": self.base.instruction, "lowest grade": 0, "highest grade": self.form.highest}
        if wanted and (shown := self._disagreements()):
            given["disagreements"] = shown
        asks = [Ask(task=REWRITE.name, given=given, sample=sample) for sample in range(wanted)]
        found = [each.value for each in self._asked(REWRITE, asks) if each is not None]
        texts = [str(value["b_instruction"]).strip() for value in found if isinstance(value, dict)]
        return [text for text in dict.fromkeys(texts) if len(text.split()) >= 5 and text != self.base.instruction]

    def tested(self, task: JudgeTask, candidates: int) -> TunedTask:
        """Try the chosen task on the other split, beside the task as it was."""
        test, info = self.split.test, self.context.info
        before, after = self.values(self.base, test), self.values(task, test)
        both = [n for n, pair in enumerate(zip(before, after, strict=True)) if None not in pair]
        answers = [test[n] for n in both]
        human, one = _both(answers, [before[n] for n in both])
        _, other = _both(answers, [after[n] for n in both])
        errors = np.abs(one - human), np.abs(other - human)
        evidence = TuningEvidence(
            judge=self.context.judge.model.name,
            judge_digest=info.digest,
            seed=self.seed,
            selection=len(self.split.selection),
            candidates=candidates,
            test=len(both),
            rho_before=spearman_rho(human, one) if both else None,
            rho_after=spearman_rho(human, other) if both else None,
            error_before=float(errors[0].mean()) if both else None,
            error_after=float(errors[1].mean()) if both else None,
            error_change=error_difference(*errors, [each.question for each in answers]) if both else None,
        )
        return TunedTask(column=self.plan.column, task=task.text, trained_on=self.split.trained_on, evidence=evidence)

    def _disagreements(self) -> list[str]:
        """Return the answers that choose on which people and the judge differ most, in words."""
        values = self.values(self.base, self.split.selection)
        apart = [
            (abs(value - each.human), each, value)
            for each, value in zip(self.split.selection, values, strict=True)
            if value is not None and round(value * self.form.highest) != round(each.human * self.form.highest)
        ]
        worst = sorted(apart, key=lambda found: (-found[0], found[1].item_key))[:_SHOWN]
        return [self._told(each, value) for _, each, value in worst]

    def _told(self, each: LabelledAsk, value: float) -> str:
        people, judge = (round(worth * self.form.highest) for worth in (each.human, value))
        texts = [f"{name}: {text}" for name, text in each.ask.given.items() if isinstance(text, str)]
        return "\n".join((*texts, f"people gave {people}, the judge {judge}"))

    def _asked(self, task: JudgeTask, asks: Sequence[Ask]) -> list[Judgement | None]:
        return self.ask(replace(self.context, tasks={task.name: task}), [_one(ask) for ask in asks])


def _one(ask: Ask) -> Recipe[Judgement]:
    said: Judgement = yield ask
    return said


def _value(said: Judgement | None, form: GradeForm) -> float | None:
    value = None if said is None else said.value
    return int(str(value[form.grade])) / form.highest if isinstance(value, dict) else None


def _both(answers: Sequence[LabelledAsk], values: Sequence[float | None]) -> tuple[Floats, Floats]:
    """Return the labels and the judge's values of the answers that have both."""
    pairs = [(each.human, value) for each, value in zip(answers, values, strict=True) if value is not None]
    return np.array([human for human, _ in pairs]), np.array([value for _, value in pairs])


def best(candidates: Sequence[Candidate], wanted: int) -> int:
    """Return the place of the candidate that agrees best with people; one that leaves answers ungraded is not chosen.

    The first candidate is the task as it was: it stays where no other is better.
    """

    def worth(place: int) -> tuple[float, float, int]:
        each = candidates[place]
        rho = -2.0 if each.rho is None else each.rho
        return rho, -(1.0 if each.error is None else each.error), -place

    able = [n for n, each in enumerate(candidates) if n == 0 or each.judged >= _COVERED * wanted]
    return max(able, key=worth)
