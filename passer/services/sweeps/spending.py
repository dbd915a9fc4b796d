"""Use of a sweep's budget while it runs."""

from __future__ import annotations

from passer.domain.answer import Answer
from passer.domain.budget import Spent
from passer.domain.wording.sentence import Sentence, sentence
from passer.ports import Clock, StoredSweep


class Spending:
    """Counts requests, tokens and time from where an earlier process stopped, and says when a limit is reached.

    The count is kept with the progress of the sweep. A process that is killed loses the last half second of it.
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
        self._limit = limit or self._limit
        return limit is None

    def leave_open(self) -> None:
        """Record that a question was not asked because of a limit."""
        self._has_open = True

    @property
    def stopped(self) -> Sentence | None:
        """Return why questions were left open; None if none were."""
        return sentence("stop.budget", limit=self._limit) if self._has_open and self._limit else None
