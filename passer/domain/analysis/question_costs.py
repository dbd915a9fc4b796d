"""What the questions of a configuration cost, by every measure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from passer.domain.analysis.run_rows import EvaluatedQuestion
from passer.domain.statistics import Floats, mean_of
from passer.domain.sweeps.budget import TokenPrice
from passer.domain.verdict.verdict import Cost

Counted = Literal["prompt_tokens", "output_tokens", "generation_s"]


@dataclass(frozen=True)
class QuestionCosts:
    """Costs of some questions, each of shape (questions,); None where one is not known."""

    ids: tuple[str, ...]
    passages: Floats
    seconds: Floats | None
    prompt_tokens: Floats | None
    output_tokens: Floats | None
    asked_model: bool
    """Whether any of the questions asked a model."""

    @classmethod
    def of(cls, items: Sequence[EvaluatedQuestion]) -> QuestionCosts:
        """Return the costs of answered questions; one that asked no model costs only its passages."""
        return cls(
            ids=tuple(item.question_id for item in items),
            passages=np.array([item.retrieval.kept for item in items], dtype=np.float64),
            seconds=_counted(items, "generation_s"),
            prompt_tokens=_counted(items, "prompt_tokens"),
            output_tokens=_counted(items, "output_tokens"),
            asked_model=any(item.prompt_digest is not None for item in items),
        )

    def mean(self, measure: Cost, price: TokenPrice | None, weights: Mapping[str, float]) -> float | None:
        """Return the mean cost of a question; None if it is unknown. Without `weights` all questions are equal."""
        costs = self._by(measure, price)
        if costs is None:
            return None
        return mean_of(costs, np.array([weights[question] for question in self.ids]) if weights else None)

    def _by(self, measure: Cost, price: TokenPrice | None) -> Floats | None:
        if measure == "passages":
            return self.passages
        if measure == "seconds":
            return self.seconds
        tokens, made = self.prompt_tokens, self.output_tokens
        if measure == "prompt_tokens":
            return tokens
        if tokens is None or made is None:
            return None
        if price is None:
            # Nothing is paid where no model is asked, whatever the price.
            return None if self.asked_model else tokens
        return np.array([price.of(*each) for each in zip(tokens.tolist(), made.tolist(), strict=True)])


def _counted(items: Sequence[EvaluatedQuestion], name: Counted) -> Floats | None:
    found = []
    for item in items:
        cost = 0.0 if item.prompt_digest is None else None if item.effort is None else getattr(item.effort, name)
        # A server that counts no tokens counts none for any answer: the first answer shows it, and no others are read.
        if cost is None:
            return None
        found.append(cost)
    return np.array(found, dtype=np.float64)
