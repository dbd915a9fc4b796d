"""Expected requests of the judge that a sweep records: they follow once all of its answers are there."""

from __future__ import annotations

from passer.domain.base import Frozen
from passer.domain.models.model import Model
from passer.domain.sweeps.budget import SweepBudget
from passer.domain.wording.sentence import Said, sentence

Bounds = tuple[float | None, float | None]
"""Least and most of an amount; None where it is not known."""


class JudgingPlan(Frozen):
    """Expected requests of a recorded judge, with the reference answers in place of the answers."""

    model: Model
    """The judge."""
    column: str
    """The judged column that decides."""
    answers: int
    """Number of answers that are judged, at most: equal answers from the same passages are judged once."""
    asks: int
    """Number of requests of the first step; later steps depend on the replies."""
    is_complete: bool
    """True if the column has no later step."""
    input_tokens: int | None = None
    """Estimated tokens of the prompts of these requests; None before a preview if they contain passages."""
    output_tokens: int | None = None
    """Largest number of tokens of their replies; None where `input_tokens` is."""
    cost: float | None = None
    """Cost of these tokens; None without a price."""
    lines: tuple[Said, ...] = ()
    """The same in words."""

    def priced(self, budget: SweepBudget) -> JudgingPlan:
        """Return the plan with its cost and its words."""
        price = budget.price_of_judge
        key = "plan.judging" if self.is_complete else "plan.judging-steps"
        lines: list[Said] = [
            sentence(key, judge=self.model.name, answers=self.answers, asks=self.asks, column=self.column)
        ]
        if self.input_tokens is None or self.output_tokens is None:
            return self.model_copy(update={"lines": (*lines, sentence("plan.judging-passages"))})
        lines.append(sentence("plan.judging-tokens", input=self.input_tokens, output=self.output_tokens))
        cost = None if price is None else price.of(self.input_tokens, self.output_tokens)
        if cost is not None:
            lines.append(sentence("plan.judging-cost", cost=budget.amount("cost", cost)))
        return self.model_copy(update={"cost": cost, "lines": tuple(lines)})

    def needs(self, budget: SweepBudget) -> dict[str, Bounds]:
        """Return least and most of each amount that a budget can limit."""
        read, written, price = self.input_tokens, self.output_tokens, budget.price_of_judge
        most: dict[str, float | None] = {"asks": self.asks, "tokens": None, "cost": None, "running_s": None}
        if read is not None and written is not None:
            most |= {"tokens": read + written, "cost": None if price is None else price.of(read, written)}
        least: dict[str, float] = {
            "asks": self.asks,
            "tokens": read or 0,
            "cost": 0.0 if price is None else price.of(read or 0, 0),
            "running_s": 0.0,
        }
        return {name: (least[name], most[name] if self.is_complete else None) for name in least}
