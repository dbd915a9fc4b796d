"""What running recipes needs from outside."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from passer.ports import Clock, Engine, EvaluationStore, JudgementStore, Vectors
from passer.services.sweeps.context import GROUP_FOR_S, LOOK_AHEAD

EmbedTexts = Callable[[Sequence[str]], Vectors]
"""Returns L2-normalised vectors, float32 of shape (len(texts), dimension)."""


def no_vectors(texts: Sequence[str]) -> Vectors:
    """Return vectors of zeros, for recipes that compare none."""
    return np.zeros((len(texts), 1), np.float32)


@dataclass(frozen=True)
class JudgingTools:
    """The ports that running recipes needs."""

    judgements: JudgementStore
    evaluations: EvaluationStore
    engine: Callable[[], Engine]
    """Opens an engine that sends the requests."""
    clock: Clock
    embed: EmbedTexts = no_vectors
    look_ahead: int = LOOK_AHEAD
    """Number of requests kept in flight."""
    group_for_s: float = GROUP_FOR_S
    """Longest time from the arrival of a reply to its commit."""
