"""Time of the operating system."""

from __future__ import annotations

import time
from datetime import UTC, datetime


class SystemClock:
    """ports.Clock of the operating system."""

    def now(self) -> datetime:
        return datetime.now(UTC)

    monotonic = staticmethod(time.monotonic)
