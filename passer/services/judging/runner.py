"""Runs assessments to their end, also after an earlier process died: the only state is what was committed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from threading import Event
from typing import NamedTuple

import numpy as np

from passer.domain.base import Frozen
from passer.domain.budget import Spent
from passer.domain.judging.assessment import Assessment
from passer.domain.judging.marks import Mark
from passer.domain.judging.other_script import watched
from passer.domain.judging.recipe import Findings, missing
from passer.domain.judging.task import JudgeTask
from passer.domain.wording.sentence import sentence
from passer.errors import ConflictError, WorkPaused
from passer.metrics.judged import families_of
from passer.metrics.registry import RecipeFamily
from passer.ports import Clock, Embedder, Engine, EvaluationStore, JudgementStore, MarkFact, Vectors
from passer.services.judging.asker import JudgeContext
from passer.services.judging.assessment_driver import Meter, Report, driver_of
from passer.services.judging.driver import Ended, JudgingTools, RecipeDriver, Started
from passer.services.judging.items import ItemSource
from passer.services.sweeps.context import LOOK_AHEAD


class AssessmentReport(Frozen):
    """Summary of an assessment that ran."""

    items: int
    """Number of distinct items."""
    marks: int
    """Number of marks, with and without a value."""
    missing: dict[str, int]
    """Marks without a value, counted by reason."""
    spent: Spent
    """Requests and tokens that the assessment used in all."""


class Cell(NamedTuple):
    """One recipe, applied to one item in one repetition."""

    item_key: str
    family: RecipeFamily
    repeat: int


@dataclass(frozen=True)
class AssessmentRunner:
    """Runs one assessment at a time."""

    judgements: JudgementStore
    evaluations: EvaluationStore
    items: ItemSource
    engine: Callable[[], Engine]
    embedder: Callable[[], Embedder]
    """Returns the embedding model of the judged columns that compare vectors."""
    clock: Clock
    look_ahead: int = LOOK_AHEAD

    def run(self, assessment_id: str, report: Report) -> AssessmentReport:
        """Run what is left of an assessment; WorkPaused where its budget is used up or its judge keeps failing."""
        assessment = self.judgements.assessment(assessment_id)
        families = families_of(assessment.spec.columns, tuned=assessment.spec.tuned)
        check_unchanged(assessment, families)
        keys = {found.key for found in self.items.keys_of_spec(assessment.spec) if found.key is not None}
        # Read before anything is asked: what an earlier process has marked is not judged again.
        marked = self.judgements.marked(assessment_id)
        done = sum(_is_marked(cell, marked) for cell in _cells(keys, families, assessment.spec.repeats))
        meter = Meter(report, done, len(keys) * len(families) * assessment.spec.repeats)
        with closing(self.engine()) as engine:
            driver = self._driver(assessment, families, engine, meter)
            recipes = self._recipes(assessment, families, marked)
            is_done = driver.run(recipes, Event())
        if not is_done:
            raise WorkPaused(driver.stopped or sentence("judging.budget", asks=driver.spent.asks))
        return self.report(assessment_id, items=len(keys))

    def report(self, assessment_id: str, *, items: int) -> AssessmentReport:
        """Return the summary of an assessment, also while it is not finished."""
        marks = self.judgements.marks(assessment_id)
        reasons = Counter(mark.reason for mark in marks if mark.reason is not None)
        spent = self.judgements.assessment(assessment_id).spent
        return AssessmentReport(items=items, marks=len(marks), missing=dict(sorted(reasons.items())), spent=spent)

    def _driver(
        self, assessment: Assessment, families: Sequence[RecipeFamily], engine: Engine, meter: Meter
    ) -> RecipeDriver[Cell, Findings]:
        tools = JudgingTools(
            engine=engine,
            judgements=self.judgements,
            evaluations=self.evaluations,
            clock=self.clock,
            embed=self._vectors(assessment, families),
            look_ahead=self.look_ahead,
        )
        return driver_of(
            assessment,
            tools,
            context_of(assessment, families),
            meter,
            facts=lambda cell: [MarkFact(mark) for mark in _marks(assessment.id, cell)],
        )

    def _recipes(
        self, assessment: Assessment, families: Sequence[RecipeFamily], marked: set[tuple[str, str, int]]
    ) -> Iterator[Started[Cell, Findings]]:
        """Yield the recipes without marks, repeat by repeat, in the order of the questions."""
        # Repeat by repeat: an assessment that stops at its budget has every first value before any second one.
        for repeat in range(1, assessment.spec.repeats + 1):
            seen: set[str] = set()
            for _, item in self.items.of_spec(assessment.spec):
                key = item.key
                if key in seen:
                    continue
                seen.add(key)
                for cell in _cells([key], families, 1):
                    own = cell._replace(repeat=repeat)
                    if not _is_marked(own, marked):
                        recipe = watched(cell.family.make(item), item.question, cell.family.tasks)
                        yield Started(own, recipe, repeat)

    def _vectors(self, assessment: Assessment, families: Sequence[RecipeFamily]) -> Callable[[Sequence[str]], Vectors]:
        """Vectors by the model that the assessment was created with; ConflictError if it is another one now."""
        if not any(family.embeds for family in families):
            return lambda texts: np.zeros((len(texts), 1), np.float32)
        embedder, wanted = self.embedder(), assessment.spec.embedding
        if wanted is not None and embedder.model != wanted:
            raise ConflictError(sentence("judging.other-embedding", before=wanted.name, now=embedder.model.name))
        return embedder.sentence_vectors


def context_of(assessment: Assessment, families: Sequence[RecipeFamily]) -> JudgeContext:
    """Return the judge of an assessment with the tasks of these families."""
    spec = assessment.spec
    tasks = {task.name: task for family in families for task in family.tasks}
    return JudgeContext(spec.judge, spec.judge_info, spec.served, tasks)


def check_unchanged(assessment: Assessment, families: Sequence[RecipeFamily]) -> None:
    """Raise ConflictError if a task of these families has changed since the assessment was created."""
    check_tasks_unchanged(assessment, [task for family in families for task in family.tasks])


def check_tasks_unchanged(assessment: Assessment, tasks: Iterable[JudgeTask]) -> None:
    """Raise ConflictError if a task is another one than when the assessment was created: results would be mixed."""
    now = {task.name: task.digest for task in tasks}
    for task in assessment.tasks:
        if now.get(task.name) != task.digest:
            raise ConflictError(sentence("judging.other-task", task=task.name))


def _cells(keys: Collection[str], families: Sequence[RecipeFamily], repeats: int) -> Iterator[Cell]:
    for key in keys:
        for family in families:
            for repeat in range(1, repeats + 1):
                yield Cell(key, family, repeat)


def _is_marked(cell: Cell, marked: set[tuple[str, str, int]]) -> bool:
    return all((cell.item_key, column, cell.repeat) in marked for column in cell.family.columns)


def _marks(assessment_id: str, ended: Ended[Cell, Findings]) -> list[Mark]:
    cell = ended.key
    findings = ended.result
    if findings is None:
        findings = missing("judge_failed", columns=len(cell.family.infos), note="recipe")
    return [
        Mark(
            assessment_id=assessment_id,
            item_key=cell.item_key,
            column=column,
            repeat=cell.repeat,
            value=finding.value,
            reason=finding.reason,
            note=finding.note,
            judgement_keys=ended.judgement_keys,
        )
        for column, finding in zip(cell.family.columns, findings, strict=True)
    ]
