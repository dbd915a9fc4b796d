"""The driver of one assessment: its budget, its progress, and the lease that it keeps."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

from passer.domain.judging.assessment import Assessment
from passer.domain.wording.sentence import sentence
from passer.ports import Fact, SpentFact
from passer.services.judging.asker import JudgeContext
from passer.services.judging.driver import Ended, JudgingTools, RecipeDriver

K = TypeVar("K")
R = TypeVar("R")


class Report(Protocol):
    """Reports the progress of a running assessment and keeps its lease."""

    def __call__(self, message: str, done: int, total: int) -> None:
        """Save the progress; LeaseError, WorkStopped."""

    def renew(self) -> None:
        """Extend the lease immediately before a commit; LeaseError, WorkStopped."""


@dataclass
class Meter:
    """Counts the progress of an assessment; as their owner it learns when the server of its requests is gone."""

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


def driver_of(
    assessment: Assessment,
    tools: JudgingTools,
    context: JudgeContext,
    meter: Meter,
    *,
    facts: Callable[[Ended[K, R]], Sequence[Fact]],
) -> RecipeDriver[K, R]:
    """Return a driver for the recipes of an assessment; `facts` says what to commit with a result."""

    def ended(result: Ended[K, R]) -> Sequence[Fact]:
        meter.done += 1
        return facts(result)

    def renew() -> None:
        meter.tick()
        meter.report.renew()

    return RecipeDriver(
        tools,
        context,
        ended=ended,
        owners=meter,
        renew=renew,
        spend=lambda spent: [SpentFact(assessment.id, spent)],
        budget=assessment.budget,
        spent=assessment.spent,
    )
