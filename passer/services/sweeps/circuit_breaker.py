"""Notices that a model keeps failing in the same way, so that a night is not spent on collecting one error."""

from __future__ import annotations

from typing import NamedTuple

from passer.domain.model import Model
from passer.domain.wording.sentence import code_of
from passer.ports import FailureStreak

EQUAL_FAILURES = 5
"""Number of equal failures in a row that count as a fault of the model or its server, not of the questions."""

OF_THE_PROMPT = frozenset({"server.context", "server.context-counted", "server.repeats"})
"""Failures of one prompt while the server works: a configuration with long prompts must not stop the others."""


class _Streak(NamedTuple):
    """Equal failures in a row."""

    kind: str
    length: int
    reason: str


class CircuitBreaker:
    """Counts equal failures in a row, model by model."""

    def __init__(self, limit: int = EQUAL_FAILURES) -> None:
        self._limit = limit
        self._streaks: dict[Model, _Streak] = {}

    @property
    def streaks(self) -> tuple[FailureStreak, ...]:
        """Return the rows of equal failures that have begun, one for each model that has one."""
        return tuple(
            FailureStreak(model=model.label, count=streak.length, limit=self._limit, reason=streak.reason)
            for model, streak in self._streaks.items()
        )

    def succeeded(self, model: Model) -> None:
        """Record an answer, which ends a row of failures."""
        self._streaks.pop(model, None)

    def failed(self, model: Model, reason: str) -> bool:
        """Record a failure; return whether its model should not be called any more."""
        kind = _kind(reason)
        if kind in OF_THE_PROMPT:
            self.succeeded(model)
            return False
        before = self._streaks.get(model)
        count = before.length + 1 if before and before.kind == kind else 1
        self._streaks[model] = _Streak(kind, count, reason)
        # Once for each row: requests that were in flight go on failing after the runs are held.
        return count == self._limit


def _kind(reason: str) -> str:
    """Return the message without its values, because servers put sizes and addresses into their messages."""
    return code_of(reason) or reason
