"""One tuning: candidates are asked about labelled answers, and the judge is asked for other instructions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, NamedTuple

import numpy as np
from pydantic import Field

from passer.domain.base import Frozen
from passer.domain.judging.agreement import error_difference
from passer.domain.judging.ask import Ask, Given
from passer.domain.judging.judgement import Judgement
from passer.domain.judging.recipe import Recipe
from passer.domain.judging.task import JudgeTask, Reasoned
from passer.domain.judging.tuned_task import GradeForm, LabelledAsk, Split, TunedColumn, TunedTask, TuningEvidence
from passer.domain.statistics import Floats, spearman_rho
from passer.domain.wording.sentence import LocalizedText
from passer.services.judging.asker import JudgeContext

_COVERED = 0.9
"""Least share of the answers to which a candidate must give a grade."""
_SHOWN = 3
"""Disagreements that the judge reads before it rewrites its instruction."""
Values = Mapping[str, float]
"""Values of an answer by metric."""
AskJudge = Callable[[JudgeContext, Sequence[Recipe[Judgement]]], list[Judgement | None]]
"""Asks the judge; replies are kept by content. WorkPaused where its budget is used up."""


class Rewritten(Reasoned):
    """An instruction in other words."""

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
    """Plan of a tuning: the requests that it would make."""

    columns: tuple[str, ...]
    """Judged metrics of the task that enough answers are rated in: their ratings tune it."""
    shots: int
    """Labelled answers that become examples."""
    selection: int
    """Labelled answers that choose."""
    test: int
    """Labelled answers on which the choice is tried once."""
    asks: int
    """Most requests, without second attempts; judgements that exist cost nothing."""
    notes: tuple[LocalizedText, ...] = ()
    """Reasons why a metric is not tuned, or why there are fewer examples than wanted."""


class Candidate(Frozen):
    """An instruction with or without examples, on the answers that choose."""

    instruction: str
    """Instruction of the task."""
    shots: int
    """Number of worked examples."""
    judged: int
    """Answers that got a grade."""
    rho: float | None
    """Spearman's rho of people and judge; None if one side is constant. Of several metrics, the mean over those in
    which people differ; one in which the judge does not is 0."""
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

    def values(self, task: JudgeTask, answers: Sequence[LabelledAsk]) -> list[Values | None]:
        """Return the judge's value of each answer in each metric, in [0, 1]; None where it gave none."""
        said = self._asked(task, [each.ask for each in answers])
        return [
            self.form.values(each.value) if each is not None and isinstance(each.value, dict) else None for each in said
        ]

    def candidate(self, task: JudgeTask) -> Candidate:
        """Try a task on the answers that choose."""
        values = self.values(task, self.split.selection)
        pairs = [_pairs(self.split.selection, values, column) for column in self.plan.columns]
        errors = np.concatenate([each.errors for each in pairs])
        return Candidate(
            instruction=task.instruction,
            shots=len(task.examples),
            judged=sum(each is not None for each in values),
            rho=_mean_rho(pairs),
            error=_mean(errors),
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
        """Try the chosen task on the other split, compared with the unchanged task."""
        test, info = self.split.test, self.context.info
        before, after = self.values(self.base, test), self.values(task, test)
        both = [n for n, pair in enumerate(zip(before, after, strict=True)) if None not in pair]
        answers = [test[n] for n in both]
        columns = self.plan.columns
        one, other = (
            [_pairs(answers, [values[n] for n in both], column) for column in columns] for values in (before, after)
        )
        errors, changed = (np.concatenate([each.errors for each in pairs]) for pairs in (one, other))
        questions = [question for each in one for question in each.questions]
        evidence = TuningEvidence(
            judge=self.context.judge.model.name,
            judge_digest=info.digest,
            seed=self.seed,
            selection=len(self.split.selection),
            candidates=candidates,
            test=len(both),
            rho_before=_mean_rho(one),
            rho_after=_mean_rho(other),
            error_before=_mean(errors),
            error_after=_mean(changed),
            error_change=error_difference(errors, changed, questions) if both else None,
            columns=tuple(map(_tuned_column, columns, one, other)) if len(columns) > 1 else (),
        )
        return TunedTask(column=columns[0], task=task.text, trained_on=self.split.trained_on, evidence=evidence)

    def _disagreements(self) -> list[str]:
        """Return the answers that choose on which people and the judge differ most, in words."""
        apart = []
        for each, values in zip(self.split.selection, self.values(self.base, self.split.selection), strict=True):
            rated = [column for column in self.plan.columns if column in each.human]
            if values is not None and any(
                self._grade(values[column]) != self._grade(each.human[column]) for column in rated
            ):
                difference = sum(abs(values[column] - each.human[column]) for column in rated) / len(rated)
                apart.append((difference, each, values))
        worst = sorted(apart, key=lambda found: (-found[0], found[1].item_key))[:_SHOWN]
        return [self._in_words(each, values) for _, each, values in worst]

    def _in_words(self, each: LabelledAsk, values: Values) -> str:
        texts = [f"{name}: {text}" for name, text in each.ask.given.items() if isinstance(text, str)]
        columns = [column for column in self.plan.columns if column in each.human]
        people, judge = (
            ", ".join(self._grade_text(own[column], column) for column in columns) for own in (each.human, values)
        )
        return "\n".join((*texts, f"people gave {people}, the judge {judge}"))

    def _grade_text(self, value: float, column: str) -> str:
        grade = str(self._grade(value))
        return grade if len(self.form.grades) == 1 else f"{grade} in {column}"

    def _grade(self, value: float) -> int:
        return round(value * self.form.highest)

    def _asked(self, task: JudgeTask, asks: Sequence[Ask]) -> list[Judgement | None]:
        return self.ask(replace(self.context, tasks={task.name: task}), [_one(ask) for ask in asks])


def _one(ask: Ask) -> Recipe[Judgement]:
    said: Judgement = yield ask
    return said


class _Pairs(NamedTuple):
    """People and judge on the answers that both have rated in one metric."""

    human: Floats
    judge: Floats
    questions: tuple[str, ...]

    @property
    def errors(self) -> Floats:
        return np.abs(self.judge - self.human)


def _pairs(answers: Sequence[LabelledAsk], values: Sequence[Values | None], column: str) -> _Pairs:
    found = [
        (each.human[column], value[column], each.question)
        for each, value in zip(answers, values, strict=True)
        if value is not None and column in each.human
    ]
    human, judge = (np.array([each[place] for each in found], dtype=np.float64) for place in (0, 1))
    return _Pairs(human, judge, tuple(question for _, _, question in found))


def _mean_rho(pairs: Sequence[_Pairs]) -> float | None:
    """Return the mean over the metrics in which people differ; 0 where the judge does not, None if it never does."""
    rhos = [spearman_rho(each.human, each.judge) for each in pairs if each.human.size and np.ptp(each.human) > 0]
    return None if all(rho is None for rho in rhos) else sum(rho or 0.0 for rho in rhos) / len(rhos)


def _mean(errors: Floats) -> float | None:
    return float(errors.mean()) if errors.size else None


def _tuned_column(column: str, before: _Pairs, after: _Pairs) -> TunedColumn:
    return TunedColumn(
        column=column,
        test=len(before.questions),
        rho_before=spearman_rho(before.human, before.judge),
        rho_after=spearman_rho(after.human, after.judge),
        error_before=_mean(before.errors),
        error_after=_mean(after.errors),
    )


def best(candidates: Sequence[Candidate], wanted: int) -> int:
    """Return the place of the candidate that agrees best with people; one that leaves answers ungraded is not chosen.

    The first candidate is the task as it was: it stays where no other is better.
    """

    def worth(place: int) -> tuple[float, float, int]:
        each = candidates[place]
        rho = -2.0 if each.rho is None else each.rho
        return rho, -(1.0 if each.error is None else each.error), -place

    # A judge that gives one value to all answers agrees better than one that contradicts people.
    least = 0.0 if candidates[0].rho is None else -2.0
    able = [
        n for n, each in enumerate(candidates)
        if n == 0 or (each.judged >= _COVERED * wanted and (each.rho is None or each.rho > least))
    ]  # fmt: skip
    return max(able, key=worth)
