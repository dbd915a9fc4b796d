"""Log probabilities of a given text: what a model server replies when a text is measured instead of generated."""

from __future__ import annotations

import math
from typing import Annotated, Literal

from pydantic import Field

from passer.domain.base import Frozen

LARGEST_EXPONENT = 700.0
"""Mean of minus the log probabilities up to which a perplexity is a finite number."""


class LogProbabilities(Frozen):
    """Natural logarithms of the probabilities of a text's tokens, each given the prompt and the tokens before it."""

    # A server's rounding may put the log of a certain token a little above 0.
    values: tuple[Annotated[float, Field(le=1e-3, allow_inf_nan=False)], ...] = Field(min_length=1)
    """One for each token, in order."""
    prompt: Literal["chat", "text"]
    """Form of the prompt: the model's chat template, or plain text."""

    @property
    def perplexity(self) -> float | None:
        """Return exp of minus their mean; None if that is no finite number."""
        exponent = -math.fsum(self.values) / len(self.values)
        return math.exp(exponent) if exponent <= LARGEST_EXPONENT else None
