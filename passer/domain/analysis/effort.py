"""Effort of answers: seconds and tokens, of one answer and over a configuration."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from passer.domain.base import Frozen


@dataclass(frozen=True, slots=True)
class AnswerEffort:
    """Seconds and tokens of one answer."""

    generation_s: float
    """Seconds from sending to the last byte."""
    prompt_tokens: int | None = None
    """Tokens of the prompt as the server counts; None if it does not report them."""
    output_tokens: int | None = None
    """Tokens of the answer as the server counts; None if it does not report them."""
    read_tokens: int | None = None
    """Tokens of the prompt that were read for this answer."""


class Latency(Frozen):
    """Seconds and tokens of the answers of one configuration, without answers that were not generated."""

    n: int = 0
    """Answers with a time."""
    median_s: float | None = None
    """Median of the seconds to generate one answer."""
    mean_prompt_tokens: float | None = None
    """Mean number of tokens of the prompt, over the answers whose server counts them."""
    mean_output_tokens: float | None = None
    """Mean number of tokens of the answer, over the answers whose server counts them."""
    mean_read_tokens: float | None = None
    """Mean number of tokens of the prompt that were read: fewer if an earlier prompt had the same beginning."""

    @classmethod
    def of(cls, efforts: Sequence[AnswerEffort]) -> Latency:
        """Return times and tokens over the answers of one configuration."""
        if not efforts:
            return cls()
        seconds = np.array([item.generation_s for item in efforts])
        return cls(
            n=len(efforts),
            median_s=float(np.median(seconds)),
            mean_prompt_tokens=_mean([item.prompt_tokens for item in efforts]),
            mean_output_tokens=_mean([item.output_tokens for item in efforts]),
            mean_read_tokens=_mean([item.read_tokens for item in efforts]),
        )


def _mean(counts: Sequence[int | None]) -> float | None:
    known = [count for count in counts if count is not None]
    return float(np.mean(known)) if known else None
