"""Who rewrites a question before it is searched for."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, field_validator

from passer.domain.base import Frozen, younger
from passer.domain.model import Model

Pins = dict[str, str]
"""Digests by the name of what they are of."""


class Variations(Frozen):
    """Other wordings of the question, written by a model: RAG-Fusion (Rackauckas 2024).

    The rankings of the question and of its variations are merged by reciprocal rank fusion.
    """

    form: Literal["variations"] = "variations"
    """`variations`"""
    judge: Model
    """The model that writes them."""
    n: int = Field(default=4, ge=1, le=8)
    """How many; fewer are searched for where the model repeats itself."""
    with_original: bool = True
    """Whether the question as it was asked is searched for too."""
    pins: Pins = younger({})
    """Digests of the model's weights and of the instruction, set by PaSSER when a sweep is created."""

    @field_validator("judge")
    @classmethod
    def _writes(cls, value: Model) -> Model:
        if value.provider == "extractive":
            raise ValueError("the extractive reader copies sentences and cannot write: choose a model")
        return value

    @property
    def label(self) -> str:
        """Return a short name for tables."""
        return f"RAG-Fusion x{self.n}" if self.with_original else f"RAG-Fusion x{self.n} without the question"

    @property
    def searches(self) -> int:
        """Return the number of texts searched for."""
        return self.n + self.with_original

    def with_model(self, model: Model) -> Variations:
        """Return the same rewriter asking another model, or the same one under another name."""
        return self.model_copy(update={"judge": model})

    @property
    def models(self) -> tuple[Model, ...]:
        """Return the models that are asked."""
        return (self.judge,)


QueryRewriter = Variations
"""How a question is rewritten."""
