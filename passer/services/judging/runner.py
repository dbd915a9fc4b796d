"""Runs assessments to their end, also after an earlier process died: the only state is what was committed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from threading import Event
from typing import NamedTuple, Protocol, TypeVar

from passer.domain.base import Frozen
from passer.domain.judging.assessment import Assessment
from passer.domain.judging.marks import Mark
from passer.domain.judging.other_script import watched
from passer.domain.judging.recipe import Findings, missing
from passer.domain.judging.task import JudgeTask
from passer.domain.sweeps.budget import Spent
from passer.domain.wording.sentence import sentence
from passer.errors import ConflictError, WorkPaused
from passer.metrics.judged import families_of
from passer.metrics.registry import RecipeFamily
from passer.ports import Embedder, Engine, Fact, MarkFact, SpentFact
from passer.services.judging.asker import JudgeContext
from passer.services.judging.driver import Ended, RecipeDriver, Started
from passer.services.judging.items import ItemSource
from passer.services.judging.tools import EmbedTexts, JudgingTools, no_vectors

K = TypeVar("K")
R = TypeVar("R")


class Report(Protocol):
    """Reports the progress of a running assessment and keeps its lease."""

    def __call__(self, message: str, done: int, total: int) -> None:
        """Save the progress. Raises LeaseError if the lease is lost, and WorkStopped if the work must stop."""

    def renew(self) -> None:
        """Extend the lease immediately before a commit. Raises LeaseError and WorkStopped as saving does."""


@dataclass
class Meter:
    """Counts the progress of an assessment; as the owner of its requests it is notified when their server is gone."""

    report: Report
    done: int
    total: int
    gone: str = ""
    doing: str = "judging.asking"
    """Code of the sentence that says what is done."""

    def tick(self) -> None:
        self.report(self.gone or sentence(self.doing), self.done, self.total)

    def is_live(self, owner: str) -> bool:
        return True

    def pause(self, owners: Collection[str], reason: str) -> None:
        self.gone = reason

    def resume(self, owners: Collection[str]) -> None:
        self.gone = ""


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

    @classmethod
    def of(cls, ran: Assessment, reasons: Sequence[str | None], *, items: int) -> AssessmentReport:
        """Count the marks of an assessment that ran by the reason why they have no value, which is None with one."""
        missing = Counter(reason for reason in reasons if reason is not None)
        return cls(items=items, marks=len(reasons), missing=dict(sorted(missing.items())), spent=ran.spent)


def run_recipes(
    assessment: Assessment,
    tools: JudgingTools,
    engine: Engine,
    context: JudgeContext,
    meter: Meter,
    recipes: Iterator[Started[K, R] | None],
    *,
    facts: Callable[[Ended[K, R]], Sequence[Fact]],
    is_over: Callable[[], bool] = lambda: False,
) -> Spent:
    """Run recipes of an assessment within its budget, and return what it has used then.

    `facts` says what to commit with a result. WorkPaused where the budget is used up or the judge keeps failing,
    unless it `is_over` even so.
    """

    def ended(result: Ended[K, R]) -> Sequence[Fact]:
        meter.done += 1
        return facts(result)

    def renew() -> None:
        meter.tick()
        meter.report.renew()

    driver = RecipeDriver[K, R](
        tools,
        engine,
        context,
        ended=ended,
        owners=meter,
        renew=renew,
        spend=lambda spent: [SpentFact(assessment.id, spent)],
        budget=assessment.budget,
        spent=assessment.spent,
    )
    if not driver.run(recipes, Event()) and not is_over():
        raise WorkPaused(driver.stopped or sentence("judging.budget", asks=driver.spent.asks))
    return driver.spent


def check_unchanged(assessment: Assessment, tasks: Iterable[JudgeTask]) -> None:
    """Raise ConflictError if a task is another one than when the assessment was created: results would be mixed."""
    now = {task.name: task.digest for task in tasks}
    for task in assessment.tasks:
        if now.get(task.name) != task.digest:
            raise ConflictError(sentence("judging.other-task", task=task.name))


class Cell(NamedTuple):
    """One recipe, applied to one item in one repetition."""

    item_key: str
    family: RecipeFamily
    repeat: int


@dataclass(frozen=True)
class AssessmentRunner:
    """Runs one assessment at a time."""

    tools: JudgingTools
    items: ItemSource
    embedder: Callable[[], Embedder]
    """Returns the embedding model of the judged columns that compare vectors."""

    def run(self, assessment_id: str, report: Report) -> AssessmentReport:
        """Run what is left of an assessment; WorkPaused where its budget is used up or its judge keeps failing."""
        judgements = self.tools.judgements
        assessment = judgements.assessment(assessment_id)
        families = families_of(assessment.spec.columns, tuned=assessment.spec.tuned)
        tasks = [task for family in families for task in family.tasks]
        check_unchanged(assessment, tasks)
        keys = {found.key for found in self.items.keys_of_spec(assessment.spec) if found.key is not None}
        # Read before anything is asked: what an earlier process has marked is not judged again.
        marked = judgements.marked(assessment_id)
        done = sum(_is_marked(cell, marked) for cell in _cells(keys, families, assessment.spec.repeats))
        meter = Meter(report, done, len(keys) * len(families) * assessment.spec.repeats)
        tools = replace(self.tools, embed=self._vectors(assessment, families))
        with closing(tools.engine()) as engine:
            run_recipes(
                assessment,
                tools,
                engine,
                JudgeContext.of(assessment.spec, tasks),
                meter,
                self._recipes(assessment, families, marked),
                facts=lambda cell: [MarkFact(mark) for mark in _marks(assessment.id, cell)],
            )
        reasons = [mark.reason for mark in judgements.marks(assessment_id)]
        return AssessmentReport.of(judgements.assessment(assessment_id), reasons, items=len(keys))

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

    def _vectors(self, assessment: Assessment, families: Sequence[RecipeFamily]) -> EmbedTexts:
        """Vectors by the model that the assessment was created with; ConflictError if it is another one now."""
        if not any(family.embeds for family in families):
            return no_vectors
        embedder, wanted = self.embedder(), assessment.spec.embedding
        if wanted is not None and embedder.model != wanted:
            raise ConflictError(sentence("judging.other-embedding", before=wanted.name, now=embedder.model.name))
        return embedder.sentence_vectors


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
