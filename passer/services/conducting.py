"""The server's worker: runs every sweep that waits, one after the other, for as long as the server lives."""

from __future__ import annotations

import logging

from passer.errors import LeaseError, PasserError
from passer.ports import LeaseStore
from passer.services.background import Background
from passer.services.running import Running

log = logging.getLogger(__name__)

PATIENCE_S = 15.0
"""How long a sweep whose model server is gone keeps others waiting."""


class Conducting(Background):
    """Picks up queued sweeps, and those that an earlier process left running."""

    def __init__(self, running: Running, leases: LeaseStore) -> None:
        super().__init__("conducting")
        self._running, self._leases = running, leases

    def look(self) -> None:
        """Run what waits."""
        try:
            waiting = self._leases.unfinished()
            for sweep_id in waiting:
                if self._stop.is_set():
                    return
                self._run(sweep_id, patience_s=PATIENCE_S if len(waiting) > 1 else None)
        except PasserError as exc:
            log.warning("looking for sweeps failed: %s", exc.message)

    def _run(self, sweep_id: str, *, patience_s: float | None) -> None:
        try:
            self._running.run(sweep_id, stop=self._stop, patience_s=patience_s)
        except LeaseError:
            log.debug("sweep %s is run elsewhere", sweep_id)
        except PasserError as exc:
            log.warning("sweep %s: %s", sweep_id, exc.message)
        except Exception:
            log.exception("sweep %s: PaSSER itself failed", sweep_id)
