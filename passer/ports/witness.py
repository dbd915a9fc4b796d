"""Port to a chain that confirms what a bundle alone cannot prove."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from passer.domain.bundle.members import Transaction
from passer.domain.bundle.verification import ChainStep, Finding
from passer.domain.ledger.entry import Entry


@dataclass(frozen=True)
class PlacedEntry:
    """An entry, the index of its action in the transaction, and the time that the bundle states."""

    entry: Entry
    action_index: int
    recorded_at: datetime


class ChainWitness(Protocol):
    """A node of a chain that is asked about one transaction at a time."""

    name: str
    """Its address, without user name and password."""

    def examine(self, transaction: Transaction, entries: Sequence[PlacedEntry]) -> Mapping[ChainStep, Finding]:
        """Return a finding per step; a missing step counts as not checked.

        A node that does not answer gives `not_checked` with the reason, never an error. The caller has checked that
        the transaction's id is the digest of its bytes and that its actions are these entries.
        """
