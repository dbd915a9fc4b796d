"""Recipes whose results somebody waits for, such as the variations of the questions of a search."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from threading import Event
from typing import Generic, NamedTuple, TypeVar

import numpy as np

from passer.domain.budget import NOTHING, Budget, Spent
from passer.domain.generation import served
from passer.domain.judging.judgement import Judge
from passer.domain.judging.recipe import Recipe
from passer.domain.judging.task import JudgeTask
from passer.domain.model import Model, ModelInfo
from passer.domain.wording.sentence import sentence
from passer.errors import GeneratorUnavailable, WorkPaused
from passer.ports import Clock, Engine, EvaluationStore, Fact, JudgementStore
from passer.services.judging.asker import JudgeContext
from passer.services.judging.driver import NO_LIMIT, Ended, JudgingTools, RecipeDriver, Started

R = TypeVar("R")


class Ran(NamedTuple, Generic[R]):
    """Recipes that ran to their end."""

    results: list[R | None]
    """Result of each recipe, in order; None of one that failed itself."""
    spent: Spent
    """Requests and tokens, with those that were used before."""


@dataclass
class _Caller:
    """The owner of the requests: stops at once when the model's server cannot be reached, and says why."""

    stop: Event = field(default_factory=Event)
    reason: str = ""

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

    judgements: JudgementStore
    evaluations: EvaluationStore
    engine: Callable[[], Engine]
    describe: Callable[[Model], ModelInfo]
    located: Callable[[Model], Model]
    clock: Clock

    def run(
        self, model: Model, info: ModelInfo, tasks: Mapping[str, JudgeTask], recipes: Sequence[Recipe[R]]
    ) -> list[R | None]:
        """Return the result of each recipe; None of one that failed itself. GeneratorUnavailable without a server."""
        judge = Judge(model=self.located(model))
        return self.ask(JudgeContext(judge, info, served(info, judge.options), tasks), recipes).results

    def ask(
        self, context: JudgeContext, recipes: Sequence[Recipe[R]], *, budget: Budget = NO_LIMIT, spent: Spent = NOTHING
    ) -> Ran[R]:
        """Run recipes of a judge within a budget; WorkPaused where it is used up, GeneratorUnavailable."""
        found: dict[int, R | None] = {}
        caller = _Caller()

        def ended(one: Ended[int, R]) -> Sequence[Fact]:
            found[one.key] = one.result
            return []

        tools = JudgingTools(
            engine=self.engine(),
            judgements=self.judgements,
            evaluations=self.evaluations,
            clock=self.clock,
            embed=lambda texts: np.zeros((len(texts), 1), np.float32),
        )
        driver = RecipeDriver[int, R](tools, context, ended=ended, owners=caller, budget=budget, spent=spent)
        started = (Started(place, recipe) for place, recipe in enumerate(recipes))
        if not driver.run(started, caller.stop):
            if driver.is_spent:
                raise WorkPaused(sentence("judging.budget", asks=driver.spent.asks))
            raise GeneratorUnavailable(driver.stopped or caller.reason)
        return Ran([found[place] for place in range(len(recipes))], driver.spent)
