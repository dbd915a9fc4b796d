"""Recipes whose caller waits for the results: models that rewrite questions and grade passages for retrievers."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from threading import Event
from typing import TypeVar

from passer.domain.judging.judgement import Judge, pins_of
from passer.domain.judging.recipe import Recipe
from passer.domain.judging.task import JudgeTask
from passer.domain.models.generation import served
from passer.domain.models.model import Model, ModelInfo
from passer.domain.retrieval.passage_relevance import SCALES, Graded, passage_relevance
from passer.domain.retrieval.passages import Rewriting
from passer.domain.retrieval.refinements import PassageJudge, Variations
from passer.domain.sweeps.variations import PROMPTS, variations
from passer.domain.wording.sentence import sentence
from passer.errors import ConflictError, GeneratorUnavailable
from passer.ports import Counted, Fact, uncounted
from passer.ports.draft import is_aborted
from passer.services.judging.asker import JudgeContext
from passer.services.judging.driver import Ended, RecipeDriver, Started
from passer.services.judging.tools import JudgingTools

R = TypeVar("R")
NO_REPLY = "no-reply"


@dataclass
class _Caller:
    """Owner of the requests: stops immediately if the model's server cannot be reached, and states the reason.

    It also stops when the results are no longer needed.
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
        """No effect: the caller has given up."""


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


@dataclass(frozen=True)
class PassageJudges:
    """Models that grade passages."""

    recipes: RecipeRunner

    def pinned(self, by: PassageJudge) -> PassageJudge:
        """Return the reranker with the digests of the model and of the instruction."""
        return by.model_copy(update={"pins": pins_of(self.recipes.describe(by.judge), SCALES[by.task])})

    def grades(self, by: PassageJudge, question: str, texts: Sequence[str]) -> list[Graded]:
        """Return the grade of each text; the same one always gets the same grade from the same model."""
        info, task = self.recipes.describe(by.judge), SCALES[by.task]
        if by.pins and by.pins != pins_of(info, task):
            raise ConflictError(sentence("retriever.changed", retriever=by.label, model=by.judge.label))
        recipes = [passage_relevance(question, text, task) for text in texts]
        found = self.recipes.run(by.judge, info, {task.name: task}, recipes)
        return [each or Graded(None, is_final=False) for each in found]


@dataclass(frozen=True)
class QuestionRewriters:
    """The available rewriters of questions."""

    recipes: RecipeRunner

    def pinned(self, by: Variations) -> Variations:
        """Return the rewriter with the digests of the model and of the instruction."""
        return by.model_copy(update={"pins": pins_of(self.recipes.describe(by.judge), PROMPTS[by.prompt])})

    def rewrite(self, by: Variations, questions: Sequence[str], counted: Counted = uncounted) -> list[Rewriting]:
        """Return the texts to search for; the same question always gets the same ones from the same model."""
        info, task = self.recipes.describe(by.judge), PROMPTS[by.prompt]
        if by.pins and by.pins != pins_of(info, task):
            raise ConflictError(sentence("retriever.changed", retriever=by.label, model=by.judge.label))
        distinct = tuple(dict.fromkeys(questions))
        recipes = [variations(question, by) for question in distinct]
        results = self.recipes.run(by.judge, info, {task.name: task}, recipes, counted)
        found = {
            question: result or Rewriting(asked=(question,), reason=NO_REPLY)
            for question, result in zip(distinct, results, strict=True)
        }
        return [found[question] for question in questions]
