"""Enters studies in the ledger."""

from __future__ import annotations

from dataclasses import dataclass

from passer.domain.ledger.entry import Entry, Receipt
from passer.errors import UnavailableError
from passer.ports import POSTING, Ledger, WorkStore
from passer.services.provenance.outbox_poster import elsewhere
from passer.services.work.lease import leased


@dataclass(frozen=True)
class StudyRecorder:
    """Records the entry of a study at once: a person waits for it, and the ledger keeps each entry once."""

    ledger: Ledger
    work: WorkStore

    def record(self, entry: Entry) -> Receipt:
        """Record an entry, or find it.

        LedgerUnavailable or LedgerRefused where nothing was recorded, LeaseError while another process posts.
        """
        with leased(self.work, POSTING, refusal=elsewhere):
            return self.ledger.append([entry])[0]

    def receipt(self, entry: Entry) -> Receipt | None:
        """Return the receipt of an entry that is recorded already; None where it is not, or is not known."""
        try:
            is_recorded = self.ledger.verify(entry).verdict == "equal"
            return self.ledger.append([entry])[0] if is_recorded else None
        except UnavailableError:
            return None
