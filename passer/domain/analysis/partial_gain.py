"""The gain over the questions with passages and over those without, and how tables name it."""

from __future__ import annotations

from passer.domain.base import Frozen
from passer.domain.statistics import Interval, NoTestReason

COVERAGE_COLUMNS: dict[str, str] = {
    name.format(which): f"{which}.{path}"
    for which in ("with_passages", "without_passages")
    for name, path in (("n_{}", "n"), ("gain_{}", "gain"), ("gain_{}_ci_low", "ci.low"), ("gain_{}_ci_high", "ci.high"))
}
"""Columns of a table that gives both gains, and where a comparison has them."""


class PartialGain(Frozen):
    """The gain over some of the pairs."""

    n: int
    """Pairs among them."""
    gain: float | None
    """Mean difference in CPS; None without a pair."""
    ci: Interval | None
    """95 % interval of the gain; None below two pairs."""
    reason: NoTestReason | None
    """Reason why there is no interval."""
