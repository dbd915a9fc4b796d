"""Grades passages for reranking, by models whose replies are kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from passer.domain.judging.judgement import pins_of
from passer.domain.retrieval.passage_relevance import SCALES, Graded, passage_relevance
from passer.domain.retrieval.rerankers import PassageJudge
from passer.domain.wording.sentence import sentence
from passer.errors import ConflictError
from passer.services.judging.recipe_runner import RecipeRunner


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
