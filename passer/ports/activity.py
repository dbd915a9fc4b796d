"""Store of the activity log."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from passer.domain.activity import Act, LoggedAct


class ActivityStore(Protocol):
    """Rows of the activity log; they are only ever added."""

    def append(self, act: Act, at: datetime) -> LoggedAct:
        """Add a row after the last one, in one transaction."""

    def newest(
        self, *, account: str | None = None, operation: str | None = None, before: int | None = None, limit: int = 100
    ) -> Sequence[LoggedAct]:
        """Return rows, the newest first: of an account, of an operation, with a lower number than `before`."""

    def oldest(self, *, after: int = 0, limit: int = 1000) -> Sequence[LoggedAct]:
        """Return rows, the oldest first, with a higher number than `after`."""
