"""Tunes the task of a judge: examples and instructions are chosen on one split of people's labels, tried on another."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from typing import NamedTuple

from pydantic import Field

from passer.domain.base import Frozen
from passer.domain.judging.assessment import Assessment
from passer.domain.judging.judgement import Judgement
from passer.domain.judging.recipe import Recipe
from passer.domain.judging.task import JudgeTask
from passer.domain.judging.tuned_task import (
    GRADE_FORMS,
    GradeForm,
    LabelledAsk,
    Split,
    TunedTask,
    Tuning,
    TuningSettings,
    grade_form,
    split_of,
    with_shots,
)
from passer.domain.sweeps.budget import Budget, GivenBudget, Spent
from passer.domain.wording.sentence import LocalizedText, sentence
from passer.errors import ConflictError, InputError
from passer.metrics.judged import families_of
from passer.metrics.registry import RecipeFamily
from passer.ports import Engine, Fact, WorkStore
from passer.services.judging.asker import JudgeContext
from passer.services.judging.calibration import Calibrator
from passer.services.judging.driver import Ended, Started
from passer.services.judging.first_asks import wanted_asks
from passer.services.judging.items import ItemSource
from passer.services.judging.runner import Meter, Report, check_unchanged, run_recipes
from passer.services.judging.tools import JudgingTools
from passer.services.judging.tuning_trial import REWRITE, Candidate, Trial, TuningPlan, best

FEWEST = 10
"""Fewest answers that choose, and fewest that test."""


class TuningRequest(TuningSettings):
    """A request to tune a task."""

    column: str | None = Field(default=None, max_length=100)
    """Judged metric whose task is tuned, with the others of this task; None: the first of the assessment that is a
    grade of the judge's reply."""
    budget: GivenBudget = Budget()
    """Limits at which it pauses."""


class TuningReport(Frozen):
    """Result of a tuning."""

    plan: TuningPlan
    """Sizes of the splits."""
    candidates: tuple[Candidate, ...]
    """All candidates, the task as it was first."""
    chosen: int
    """Place of the candidate with the highest rho among those; ties go to the smaller error, then to the earlier.

    If the judge gives one value to all answers with the task as it was, those with a rho of 0 or less are left out.
    """
    tuned: TunedTask | None
    """The chosen task with its test; None where the task as it was agrees best with people."""
    spent: Spent
    """Requests and tokens that were used in all."""


class _Prepared(NamedTuple):
    """Inputs of a trial, in the order of its members."""

    base: JudgeTask
    form: GradeForm
    split: Split
    plan: TuningPlan


@dataclass(frozen=True)
class Tuner:
    """Plans, creates and runs tunings; replies are stored by content, so that a resumed tuning asks for none twice."""

    tools: JudgingTools
    items: ItemSource
    calibrator: Calibrator
    work: WorkStore

    def plan(self, assessment_id: str, request: TuningRequest) -> TuningPlan:
        """Return the sizes of the splits and the requests.

        Raises InputError for too few labels, and NotFoundError if the assessment does not exist.
        """
        return self._prepared(self._made(assessment_id, request)).plan

    def create(self, assessment_id: str, request: TuningRequest) -> Assessment:
        """Save a new tuning; its work is still to be queued.

        Raises InputError for too few labels, and NotFoundError if the assessment does not exist.
        """
        made = self._made(assessment_id, request)
        self._prepared(made)
        self.tools.judgements.add_assessment(made)
        return made

    def run(self, tuning_id: str, report: Report) -> TuningReport:
        """Choose instruction and examples on one split, and try the choice once on the other.

        WorkPaused at a limit, or where the judge keeps failing; ConflictError if a task has changed.
        """
        tuning = self.tools.judgements.assessment(tuning_id)
        family, _ = _tunable(tuning, tuning.spec.columns[0])
        check_unchanged(tuning, (*family.tasks, REWRITE))
        with closing(self.tools.engine()) as engine:
            judge = _Judge(self.tools, engine, tuning, Meter(report, 0, 0))
            prepared, settings = self._prepared(tuning), self._settings(tuning)
            judge.meter.total = prepared.plan.asks
            context = JudgeContext.of(tuning.spec, ())
            return _chosen(Trial(judge, context, *prepared, settings.seed), settings.instructions, judge)

    def report(self, tuning_id: str) -> TuningReport | None:
        """Return the result of a tuning; None before it is finished.

        Raises NotFoundError if it does not exist, and ConflictError for the id of other work.
        """
        self._settings(self.tools.judgements.assessment(tuning_id))
        result = self.work.find(tuning_id).result
        return None if result is None else TuningReport.model_validate(result)

    def _made(self, assessment_id: str, request: TuningRequest) -> Assessment:
        """Return a new tuning, which judges only rated answers of the assessment."""
        base = self.tools.judgements.assessment(assessment_id)
        if base.spec.tuning is not None:
            raise ConflictError(sentence("tuning.is-tuning", tuning=assessment_id))
        family, _ = _tunable(base, request.column)
        tuned = base.spec.tuned
        settings = request.model_dump(include=set(TuningSettings.model_fields))
        return Assessment(
            id=secrets.token_hex(8),
            sweep_id=base.sweep_id,
            spec=base.spec.model_copy(
                update={
                    "columns": family.columns,
                    "criteria": (),
                    "key_facts": (),
                    "tuned": tuned if tuned is not None and tuned.column in family.columns else None,
                    "embedding": None,
                    "repeats": 1,
                    "tuning": Tuning(assessment=assessment_id, **settings),
                }
            ),
            tasks=tuple(task.text for task in (*family.tasks, REWRITE)),
            budget=request.budget.priced(base.spec.judge.price),
            created_at=self.tools.clock.now(),
        )

    def _settings(self, tuning: Assessment) -> Tuning:
        if tuning.spec.tuning is None:
            raise ConflictError(sentence("tuning.no-tuning", assessment=tuning.id))
        return tuning.spec.tuning

    def _prepared(self, tuning: Assessment) -> _Prepared:
        settings = self._settings(tuning)
        family, form = _tunable(tuning, tuning.spec.columns[0])
        [base], columns = family.tasks, family.columns
        split = split_of(
            self._labelled(tuning, family),
            columns=columns,
            train=settings.train,
            shots=settings.few_shots,
            seed=settings.seed,
        )
        rated = split.rated(columns, least=FEWEST)
        if not rated:
            column = max(columns, key=lambda name: min(split.sizes(name)))
            selection, test = split.sizes(column)
            said = sentence("tuning.few", selection=selection, test=test, fewest=FEWEST, column=column)
            raise InputError(said, field="column")
        split = split.of(rated)
        candidates = 1 + bool(split.shots) + settings.instructions
        plan = TuningPlan(
            columns=rated,
            shots=len(split.shots),
            selection=len(split.selection),
            test=len(split.test),
            asks=candidates * len(split.selection) + settings.instructions + 2 * len(split.test),
            notes=tuple(_notes(columns, rated, len(split.shots), settings)),
        )
        return _Prepared(base, form, split, plan)

    def _labelled(self, assessment: Assessment, family: RecipeFamily) -> list[LabelledAsk]:
        """Return the rated answers, in the order of their keys; answers with no ask or several are left out."""
        spec = assessment.spec
        items = {found.item.key: found.item for found in self.items.of_spec(spec)}
        human: dict[str, dict[str, float]] = {}
        for column in family.columns:
            for key, value in self.calibrator.people(sorted(items), column).items():
                human.setdefault(key, {})[column] = value
        known = frozenset(spec.tuned.trained_on if spec.tuned else ())
        return [
            LabelledAsk(key, items[key].question, ask, human[key])
            for key in sorted(set(human) - known)
            if len(asks := wanted_asks(family, items[key])) == 1
            for ask in asks
        ]


@dataclass
class _Judge:
    """Asks the judge of a tuning, within its budget and under the lease of its work."""

    tools: JudgingTools
    engine: Engine
    tuning: Assessment
    meter: Meter

    def __call__(self, context: JudgeContext, recipes: Sequence[Recipe[Judgement]]) -> list[Judgement | None]:
        found: dict[int, Judgement | None] = {}

        def ended(one: Ended[int, Judgement]) -> Sequence[Fact]:
            found[one.key] = one.result
            return []

        started = (Started(place, recipe) for place, recipe in enumerate(recipes))
        spent = run_recipes(self.tuning, self.tools, self.engine, context, self.meter, started, facts=ended)
        # What one step has spent counts for the budget of the next.
        self.tuning = self.tuning.model_copy(update={"spent": spent})
        return [found[place] for place in range(len(recipes))]


def _chosen(trial: Trial, instructions: int, judge: _Judge) -> TuningReport:
    """Try all candidates on the answers that choose, and the best one on those that test."""
    tasks = [trial.base]
    if trial.split.shots:
        tasks.append(with_shots(trial.base, trial.form, trial.split.shots))
    candidates = [trial.candidate(task) for task in tasks]
    richer = tasks[best(candidates, len(trial.split.selection))]
    for instruction in trial.rewrites(instructions):
        tasks.append(replace(richer, instruction=instruction))
        candidates.append(trial.candidate(tasks[-1]))
    chosen = best(candidates, len(trial.split.selection))
    tuned = trial.tested(tasks[chosen], len(candidates)) if chosen else None
    return TuningReport(
        plan=trial.plan, candidates=tuple(candidates), chosen=chosen, tuned=tuned, spent=judge.tuning.spent
    )


def _notes(
    columns: Sequence[str], rated: Sequence[str], shots: int, settings: TuningSettings
) -> Iterator[LocalizedText]:
    """Return the notes on metrics with too few ratings, for a task with several metrics."""
    left_out = tuple(column for column in columns if column not in rated)
    if left_out:
        yield sentence("tuning.left-out", columns=left_out, fewest=FEWEST)
    if len(columns) > 1 and shots < settings.few_shots:
        yield sentence("tuning.few-examples", n=shots, wanted=settings.few_shots, columns=tuple(columns))


def _tunable(assessment: Assessment, column: str | None) -> tuple[RecipeFamily, GradeForm]:
    """Return the family of the column, or of the first one that grades; InputError names the columns that do."""
    spec = assessment.spec
    for family in families_of(spec.columns, tuned=spec.tuned):
        form = grade_form(family.columns[0])
        if form is not None and (column is None or column in form.grades):
            return family, form
    known = ", ".join(name for form in GRADE_FORMS for name in form.grades)
    raise InputError(sentence("tuning.no-column", columns=known), field="column")
