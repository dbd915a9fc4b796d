"""Recipes whose results somebody waits for, such as the variations of the questions of a search."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from threading import Event
from typing import TypeVar

from passer.domain.judging.judgement import Judge
from passer.domain.judging.recipe import Recipe
from passer.domain.judging.task import JudgeTask
from passer.domain.models.generation import served
from passer.domain.models.model import Model, ModelInfo
from passer.errors import GeneratorUnavailable
from passer.ports import Counted, Fact, uncounted
from passer.ports.draft import is_aborted
from passer.services.judging.asker import JudgeContext
from passer.services.judging.driver import Ended, RecipeDriver, Started
from passer.services.judging.tools import JudgingTools

R = TypeVar("R")


@dataclass
class _Caller:
    """The owner of the requests: stops at once when the model's server cannot be reached, and says why.

    It also stops when nobody waits for the results any more.
    """

    stop: Event = field(default_factory=Event)
    reason: str = ""

    def renew(self) -> None:
        """Stop if the request for which the recipes run is unwanted by now."""
        if is_aborted():
            self.stop.set()

    def is_live(self, owner: str) -> bool:
        return True

    def pause(self, owners: Collection[str], reason: str) -> None:
        self.reason = reason
        self.stop.set()

    def resume(self, owners: Collection[str]) -> None:
        """Nothing to do: the caller has given up."""


@dataclass(frozen=True)
class RecipeRunner:
    """Runs recipes of one model to their end; replies are kept by content, so none is asked for twice."""

    tools: JudgingTools
    describe: Callable[[Model], ModelInfo]
    located: Callable[[Model], Model]

    def run(
        self,
        model: Model,
        info: ModelInfo,
        tasks: Mapping[str, JudgeTask],
        recipes: Sequence[Recipe[R]],
        counted: Counted = uncounted,
    ) -> list[R | None]:
        """Return the result of each recipe; None of one that failed itself. GeneratorUnavailable without a server.

        `counted` is called with the number of recipes that have ended, each time that one has.
        """
        judge = Judge(model=self.located(model))
        context = JudgeContext(judge, info, served(info, judge.options), tasks)
        found: dict[int, R | None] = {}
        caller = _Caller()

        def ended(one: Ended[int, R]) -> Sequence[Fact]:
            found[one.key] = one.result
            counted(len(found))
            return []

        driver = RecipeDriver[int, R](
            self.tools, self.tools.engine(), context, ended=ended, owners=caller, renew=caller.renew
        )
        caller.renew()
        started = (Started(place, recipe) for place, recipe in enumerate(recipes))
        if not driver.run(started, caller.stop):
            raise GeneratorUnavailable(driver.stopped or caller.reason)
        return [found[place] for place in range(len(recipes))]
