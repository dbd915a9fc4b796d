"""Rewrites questions before they are searched for, by models whose replies are kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from passer.domain.judging.judgement import pins_of
from passer.domain.query_rewriters import Variations
from passer.domain.retrieval import Rewriting
from passer.domain.variations import VARIATIONS, variations
from passer.domain.wording.sentence import sentence
from passer.errors import ConflictError
from passer.ports import Counted, uncounted
from passer.services.judging.recipe_runner import RecipeRunner

NO_REPLY = "no-reply"


@dataclass(frozen=True)
class QuestionRewriters:
    """The rewriters of questions that there are."""

    recipes: RecipeRunner

    def pinned(self, by: Variations) -> Variations:
        """Return the rewriter with the digests of the model and of the instruction."""
        pins = pins_of(self.recipes.describe(by.judge), VARIATIONS)
        return Variations(judge=by.judge, n=by.n, with_original=by.with_original, pins=pins)

    def rewrite(self, by: Variations, questions: Sequence[str], counted: Counted = uncounted) -> list[Rewriting]:
        """Return the texts to search for; the same question always gets the same ones from the same model."""
        info = self.recipes.describe(by.judge)
        if by.pins and by.pins != pins_of(info, VARIATIONS):
            raise ConflictError(sentence("retriever.changed", retriever=by.label, model=by.judge.label))
        distinct = tuple(dict.fromkeys(questions))
        recipes = [variations(question, by) for question in distinct]
        results = self.recipes.run(by.judge, info, {VARIATIONS.name: VARIATIONS}, recipes, counted)
        found = {
            question: result or Rewriting(asked=(question,), reason=NO_REPLY)
            for question, result in zip(distinct, results, strict=True)
        }
        return [found[question] for question in questions]
