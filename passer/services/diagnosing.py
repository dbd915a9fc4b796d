"""Which parts are there, and for each missing one the command that adds it."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from passer.ports import Check, Part


@dataclass(frozen=True)
class Diagnosing:
    """Looks at every part, all at once."""

    checks: Sequence[Check]

    def parts(self) -> tuple[Part, ...]:
        """Each part as it is now, in the order of the checks."""
        with ThreadPoolExecutor(max_workers=len(self.checks) or 1) as pool:
            return tuple(pool.map(lambda check: check(), self.checks))
