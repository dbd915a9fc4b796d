"""Who orders the first passages of a ranking anew."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from passer.domain.base import Frozen, younger
from passer.domain.query_rewriters import Pins


class CrossEncoder(Frozen):
    """A sequence classifier that reads question and passage together and gives one score (Nogueira and Cho 2019)."""

    form: Literal["cross-encoder"] = "cross-encoder"
    """`cross-encoder`"""
    name: str = Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$")
    """Name of its folder in the folder of models (PASSER_MODELS)."""
    pins: Pins = younger({})
    """Digest of its weights, set by PaSSER when a sweep is created."""

    @property
    def label(self) -> str:
        """Return a short name for tables."""
        return self.name


Reranker = CrossEncoder
"""How passages are ordered anew."""
