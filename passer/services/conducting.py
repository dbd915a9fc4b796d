"""The server's worker: runs every sweep that waits, one after the other, for as long as the server lives."""

from __future__ import annotations

import logging
from threading import Event, Thread

from passer.errors import LeaseError, PasserError
from passer.ports import LeaseStore
from passer.services.running import Running

log = logging.getLogger(__name__)

LOOK_EVERY_S = 2.0
PATIENCE_S = 15.0
"""How long a sweep whose model server is gone keeps others waiting."""
GIVE_UP_AFTER_S = 30.0
"""How long a stopping server waits for what is under way."""


class Conducting:
    """Picks up queued sweeps, and those that an earlier process left running."""

    def __init__(self, running: Running, leases: LeaseStore) -> None:
        self._running, self._leases = running, leases
        self._stop, self._wake = Event(), Event()
        self._thread = Thread(target=self._conduct, name="conducting", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def wake(self) -> None:
        """Something new waits: look now."""
        self._wake.set()

    def stop(self) -> None:
        """Commit what is there and end; what is left goes on at the next start."""
        self._stop.set()
        self._wake.set()
        if self._thread.is_alive():
            self._thread.join(timeout=GIVE_UP_AFTER_S)

    def _conduct(self) -> None:
        while not self._stop.is_set():
            try:
                waiting = self._leases.unfinished()
                for sweep_id in waiting:
                    if self._stop.is_set():
                        return
                    self._run(sweep_id, patience_s=PATIENCE_S if len(waiting) > 1 else None)
            except PasserError as exc:
                log.warning("looking for sweeps failed: %s", exc.message)
            self._wake.wait(LOOK_EVERY_S)
            self._wake.clear()

    def _run(self, sweep_id: str, *, patience_s: float | None) -> None:
        try:
            self._running.run(sweep_id, stop=self._stop, patience_s=patience_s)
        except LeaseError:
            log.debug("sweep %s is run elsewhere", sweep_id)
        except PasserError as exc:
            log.warning("sweep %s: %s", sweep_id, exc.message)
        except Exception:
            log.exception("sweep %s: PaSSER itself failed", sweep_id)
