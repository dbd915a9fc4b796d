"""Conditions under which a sweep stops asking: its budget is used up, or a model keeps failing in the same way."""

from __future__ import annotations

from typing import NamedTuple

from passer.domain.models.answer import Answer
from passer.domain.models.model import Model
from passer.domain.sweeps.budget import Spent
from passer.domain.sweeps.run import PROMPT_TOO_LONG
from passer.domain.wording.sentence import Sentence, code_of, sentence
from passer.ports import Clock, FailureStreak, StoredSweep

EQUAL_FAILURES = 5
"""Number of equal failures in a row that count as a fault of the model or its server, not of the questions."""

OF_THE_PROMPT = PROMPT_TOO_LONG | {"server.repeats"}
"""Failures of one prompt while the server works: a configuration with long prompts must not stop the others."""


class Spending:
    """Counts requests, tokens and time, continuing from an earlier process, and reports when a limit is reached.

    The count is saved with the progress of the sweep. A process that is killed loses the last half second of it.
    """

    def __init__(self, sweep: StoredSweep, clock: Clock) -> None:
        self._budget, self._clock = sweep.budget, clock
        self._counted = sweep.spent
        self._began = clock.monotonic()
        self._limit: Sentence | None = None
        self._has_open = False

    @property
    def spent(self) -> Spent:
        """Return what all processes have used so far."""
        running_s = self._counted.running_s + self._clock.monotonic() - self._began
        return self._counted.model_copy(update={"running_s": running_s})

    def replied(self, answer: Answer) -> None:
        """Count a reply. Stored answers cost nothing and are not counted."""
        self._counted = self._counted.plus(answer)

    def failed(self) -> None:
        """Count a request without a usable reply: servers charge for those too."""
        self._counted = self._counted.model_copy(update={"asks": self._counted.asks + 1})

    def may_ask(self, *, pending: int) -> bool:
        """Return whether one more request stays within the limits; `pending` requests are not answered yet.

        The limit of requests is kept exactly. Tokens and their cost are known only after a reply, so that the replies
        that the servers have begun can exceed these limits.
        """
        spent = self.spent
        limit = self._budget.reached(spent.model_copy(update={"asks": spent.asks + pending}))
        # Kept although later calls may be within the limits, with fewer requests pending: `stopped` names it.
        self._limit = limit or self._limit
        return limit is None

    def leave_open(self) -> None:
        """Record that a question was not asked because of a limit."""
        self._has_open = True

    @property
    def stopped(self) -> Sentence | None:
        """Return why questions were left open; None if none were."""
        return sentence("stop.budget", limit=self._limit) if self._has_open and self._limit else None


class _Streak(NamedTuple):
    """Equal failures in a row."""

    kind: str
    length: int
    reason: str


class CircuitBreaker:
    """Counts equal failures in a row, model by model, so that a night is not spent on collecting one error."""

    def __init__(self) -> None:
        self._streaks: dict[Model, _Streak] = {}

    @property
    def streaks(self) -> tuple[FailureStreak, ...]:
        """Return the rows of equal failures that have begun, one for each model that has one."""
        return tuple(
            FailureStreak(model=model.label, count=streak.length, limit=EQUAL_FAILURES, reason=streak.reason)
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
        return count == EQUAL_FAILURES


def _kind(reason: str) -> str:
    """Return the message without its values, because servers put sizes and addresses into their messages."""
    return code_of(reason) or reason
