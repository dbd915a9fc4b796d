"""The gain over the questions with passages and over those without, and how tables name it."""

from __future__ import annotations

from passer.domain.base import Frozen
from passer.domain.statistics import Interval, NoTestReason

WITH_PASSAGES = "with_passages"
WITHOUT_PASSAGES = "without_passages"
COVERAGE_COLUMNS: tuple[str, ...] = tuple(
    column
    for which in (WITH_PASSAGES, WITHOUT_PASSAGES)
    for column in (f"n_{which}", f"gain_{which}", f"gain_{which}_ci_low", f"gain_{which}_ci_high")
)
"""Of a table that gives both gains."""


class PartialGain(Frozen):
    """The gain over some of the pairs."""

    n: int
    """Pairs among them."""
    gain: float | None
    """Mean difference in CPS; None without a pair."""
    ci: Interval | None
    """Of the gain, 95 %; None below two pairs."""
    reason: NoTestReason | None
    """Why there is no interval."""


def coverage_cells(with_passages: PartialGain, without_passages: PartialGain) -> dict[str, int | float | None]:
    """Both gains, one value for each of COVERAGE_COLUMNS."""
    values = [
        value
        for part in (with_passages, without_passages)
        for value in (part.n, part.gain, part.ci.low if part.ci else None, part.ci.high if part.ci else None)
    ]
    return dict(zip(COVERAGE_COLUMNS, values, strict=True))
