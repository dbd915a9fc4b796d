"""Enters studies and registered plans in the ledger."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from time import sleep
from typing import Protocol

from passer.domain.ledger.entry import Entry, Receipt
from passer.errors import LeaseError, UnavailableError
from passer.ports import POSTING, Ledger, WorkStore
from passer.services.provenance.outbox_poster import elsewhere
from passer.services.work.lease import leased

WAIT_S, MOST_WAITS = 0.2, 25
"""Pause, and how often, while another process posts: a round of the local ledger takes less than a second."""


class Recorder(Protocol):
    """Recorder that enters studies and registrations in a ledger."""

    def record(self, entry: Entry) -> Receipt:
        """Record an entry, or find it."""

    def receipt(self, entry: Entry) -> Receipt | None:
        """Return the receipt of an entry that is recorded already; None where it is not, or is not known."""


@dataclass(frozen=True)
class StudyRecorder:
    """Records an entry at once: a person waits for it, and the ledger keeps each entry once."""

    ledger: Ledger
    work: WorkStore

    def record(self, entry: Entry) -> Receipt:
        """Record an entry, or find it.

        LedgerUnavailable or LedgerRefused where nothing was recorded, LeaseError while another process posts for long.
        """
        for _ in range(MOST_WAITS):
            with suppress(LeaseError):
                return self._record(entry)
            sleep(WAIT_S)
        return self._record(entry)

    def _record(self, entry: Entry) -> Receipt:
        with leased(self.work, POSTING, refusal=elsewhere):
            return self.ledger.append([entry])[0]

    def receipt(self, entry: Entry) -> Receipt | None:
        """Return the receipt of an entry that is recorded already; None where it is not, or is not known."""
        try:
            is_recorded = self.ledger.verify(entry).verdict == "equal"
            return self.ledger.append([entry])[0] if is_recorded else None
        except UnavailableError:
            return None
