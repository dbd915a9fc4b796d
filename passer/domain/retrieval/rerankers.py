"""Forms of retrievers that rerank the first passages of a ranking."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from passer.domain.base import younger
from passer.domain.retrieval.query_rewriters import AsksModel, AsksNobody, Pins


class CrossEncoder(AsksNobody):
    """A sequence classifier that reads question and passage together and gives one score (Nogueira and Cho 2019)."""

    form: Literal["cross-encoder"] = "cross-encoder"
    """`cross-encoder`"""
    name: str = Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$")
    """Name of its folder in the folder of models (PASSER_MODELS)."""
    pins: Pins = younger({})
    """Digest of its weights, set by PaSSER when a sweep is created."""

    @property
    def label(self) -> str:
        return self.name


class PassageJudge(AsksModel):
    """A language model that grades each passage for the question; one request for each passage."""

    form: Literal["passage-judge"] = "passage-judge"
    """`passage-judge`"""
    duty: ClassVar[str] = "grade"
    task: Literal["relevance", "umbrela"] = younger("relevance")
    """Scale: 0 (no answer), 1 (a part of it) or 2 (the answer); or 0 to 3 (UMBRELA, Upadhyay et al. 2024)."""

    @property
    def label(self) -> str:
        return self.judge.label if self.task == "relevance" else f"{self.judge.label} (UMBRELA)"


Reranker = Annotated[CrossEncoder | PassageJudge, Field(discriminator="form")]
"""Reordering of passages."""
