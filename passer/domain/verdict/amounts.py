"""Differences of the primary metric in words: CPS in points of .01, any other metric in its own unit."""

from __future__ import annotations

from typing import Literal

from passer.domain.composite import CPS
from passer.domain.wording.sentence import Sentence, sentence

POINTS = 100
"""Points in one unit of CPS."""
Form = Literal["gain", "bound", "size"]
"""gain: with sign and unit. bound: with sign, for the ends of an interval. size: without sign, with unit."""


def amount(primary: str, value: float, form: Form = "gain") -> Sentence:
    """Return a difference of the primary metric as text, e.g. `+1.20 points` of CPS and `+0.0120` of METEOR."""
    if primary == CPS:
        points = value * POINTS
        return sentence(f"amount.points-{form}", value=_short(points, 1) if form == "size" else points)
    return sentence(f"amount.own-{form}", value=_short(value, 4) if form == "size" else value)


def _short(size: float, digits: int) -> float:
    """Return a size with few digits; one that would be 0 with them keeps two significant ones."""
    return round(size, digits) or float(f"{size:.2g}")


def level(alpha: float) -> float:
    """Return the confidence level of intervals in percent."""
    return round(100 * (1 - alpha), 2)
