"""Tunes the task of a judge: examples and instructions are chosen on one split of people's labels, tried on another."""

from __future__ import annotations

from dataclasses import dataclass, replace

from pydantic import Field

from passer.domain.base import Frozen
from passer.domain.budget import Budget, GivenBudget, Spent
from passer.domain.judging.assessment import Assessment
from passer.domain.judging.tuned_task import (
    GRADE_FORMS,
    MOST_SHOTS,
    GradeForm,
    LabelledAsk,
    TunedTask,
    split_of,
    with_shots,
)
from passer.domain.wording.sentence import sentence
from passer.errors import InputError
from passer.metrics.judged import families_of
from passer.metrics.registry import RecipeFamily
from passer.ports import JudgementStore
from passer.services.judging.asker import JudgeContext
from passer.services.judging.calibration import Calibrator
from passer.services.judging.first_asks import wanted_asks
from passer.services.judging.items import ItemSource
from passer.services.judging.recipe_runner import RecipeRunner
from passer.services.judging.tuning_trial import Candidate, Progress, Trial, TuningPlan, best

FEWEST = 10
"""Fewest answers that choose, and fewest that test."""


class TuningRequest(Frozen):
    """How a task is tuned."""

    column: str | None = Field(default=None, max_length=100)
    """Judged metric whose task is tuned; None: the first of the assessment that gives one grade."""
    train: float = Field(default=0.5, ge=0.2, le=0.8)
    """Share of the labelled questions that choose; the others test the choice once."""
    few_shots: int = Field(default=8, ge=0, le=MOST_SHOTS)
    """Worked examples: labelled answers to as many questions of the first split."""
    instructions: int = Field(default=10, ge=0, le=30)
    """Rewrites of the instruction that the judge is asked for."""
    seed: int = Field(default=1, ge=0, le=2**31 - 1)
    """Seed of split and examples."""
    budget: GivenBudget = Budget()
    """Limits of its requests."""


class TuningReport(Frozen):
    """Result of tuning."""

    plan: TuningPlan
    """Sizes of the splits."""
    candidates: tuple[Candidate, ...]
    """All candidates, the task as it was first."""
    chosen: int
    """Place of the candidate with the highest rho among those; ties go to the smaller error, then to the earlier."""
    tuned: TunedTask | None
    """The chosen task with its test; None where the task as it was agrees best with people."""
    spent: Spent
    """Requests and tokens that were used."""


@dataclass(frozen=True)
class Tuner:
    """Tunes tasks of judges; replies are kept by content, so that repeating an interrupted run asks nothing twice."""

    judgements: JudgementStore
    items: ItemSource
    calibrator: Calibrator
    recipes: RecipeRunner

    def plan(self, assessment_id: str, request: TuningRequest) -> TuningPlan:
        """Return the sizes of the splits and the requests; InputError with too few labels, NotFoundError."""
        return self._trial(assessment_id, request).plan

    def tune(self, assessment_id: str, request: TuningRequest, report: Progress = lambda *_: None) -> TuningReport:
        """Choose instruction and examples on one split, and try the choice once on the other.

        InputError with too few labels, WorkPaused at a limit, GeneratorUnavailable without the judge's server.
        """
        trial = self._trial(assessment_id, request)
        trial.report = report
        tasks = [trial.base]
        if trial.split.shots:
            tasks.append(with_shots(trial.base, trial.form, trial.split.shots))
        candidates = [trial.candidate(task) for task in tasks]
        richer = tasks[best(candidates, len(trial.split.selection))]
        for instruction in trial.rewrites(request.instructions):
            tasks.append(replace(richer, instruction=instruction))
            candidates.append(trial.candidate(tasks[-1]))
        chosen = best(candidates, len(trial.split.selection))
        tuned = trial.tested(tasks[chosen], len(candidates)) if chosen else None
        return TuningReport(
            plan=trial.plan, candidates=tuple(candidates), chosen=chosen, tuned=tuned, spent=trial.spent
        )

    def _trial(self, assessment_id: str, request: TuningRequest) -> Trial:
        assessment = self.judgements.assessment(assessment_id)
        family, form = _tunable(assessment, request.column)
        column, [base] = family.columns[0], family.tasks
        split = split_of(
            self._labelled(assessment, family),
            train=request.train, shots=request.few_shots, seed=request.seed,
        )  # fmt: skip
        if min(len(split.selection), len(split.test)) < FEWEST:
            said = sentence(
                "tuning.few", selection=len(split.selection), test=len(split.test), fewest=FEWEST, column=column
            )
            raise InputError(said, field="column")
        candidates = 1 + bool(split.shots) + request.instructions
        plan = TuningPlan(
            column=column,
            shots=len(split.shots),
            selection=len(split.selection),
            test=len(split.test),
            asks=candidates * len(split.selection) + request.instructions + 2 * len(split.test),
        )
        context = JudgeContext(assessment.spec.judge, assessment.spec.judge_info, assessment.spec.served, {})
        budget = request.budget.priced(assessment.spec.judge.price)
        return Trial(self.recipes, context, base, form, split, plan, request.seed, budget)

    def _labelled(self, assessment: Assessment, family: RecipeFamily) -> list[LabelledAsk]:
        """Return the rated answers, in the order of their keys; answers that nothing is asked about are left out."""
        column, spec = family.columns[0], assessment.spec
        items = {found.item.key: found.item for found in self.items.of_spec(spec)}
        human = self.calibrator.people(sorted(items), column)
        known = frozenset(spec.tuned.trained_on if spec.tuned else ())
        return [
            LabelledAsk(key, items[key].question, ask, human[key])
            for key in sorted(set(human) - known)
            for ask in wanted_asks(family, items[key])[:1]
        ]


def _tunable(assessment: Assessment, column: str | None) -> tuple[RecipeFamily, GradeForm]:
    """Return the family of the column, or of the first one that gives one grade; InputError names those that do."""
    spec = assessment.spec
    for family in families_of(spec.columns, tuned=spec.tuned):
        name = family.columns[0]
        if name in GRADE_FORMS and column in (None, name):
            return family, GRADE_FORMS[name]
    raise InputError(sentence("tuning.no-column", columns=", ".join(GRADE_FORMS)), field="column")
