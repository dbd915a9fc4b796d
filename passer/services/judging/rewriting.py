"""Rewrites questions before they are searched for, by models whose replies are kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from passer.domain.judging.judgement import pins_of
from passer.domain.retrieval.passages import Rewriting
from passer.domain.retrieval.query_rewriters import Variations
from passer.domain.sweeps.variations import PROMPTS, variations
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
