"""Runs the recipes of one assessment: its budget, its progress, the lease that it keeps, and how it ended."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from threading import Event
from typing import Protocol, TypeVar

from passer.domain.base import Frozen
from passer.domain.judging.assessment import Assessment
from passer.domain.judging.task import JudgeTask
from passer.domain.sweeps.budget import Spent
from passer.domain.wording.sentence import sentence
from passer.errors import ConflictError, WorkPaused
from passer.ports import Engine, Fact, SpentFact
from passer.services.judging.asker import JudgeContext
from passer.services.judging.driver import Ended, RecipeDriver, Started
from passer.services.judging.tools import JudgingTools

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
