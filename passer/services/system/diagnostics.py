"""Components of the installation, with the command that installs each missing one."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from passer.ports import Check, Part


@dataclass(frozen=True)
class Diagnostics:
    """Looks at every part, all at once."""

    checks: Sequence[Check]

    def parts(self, *, only_required: bool = False) -> tuple[Part, ...]:
        """Return the current state of each component, in the order of the checks."""
        checks = [check for check in self.checks if check.required or not only_required]
        with ThreadPoolExecutor(max_workers=len(checks) or 1) as pool:
            return tuple(pool.map(lambda check: check(), checks))
