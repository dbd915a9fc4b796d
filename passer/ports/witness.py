"""Who confirms what a bundle alone cannot show: a chain, asked over its own interface."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from passer.domain.bundle.members import Transaction
from passer.domain.bundle.verification import ChainStep, Finding
from passer.domain.ledger.entry import Entry


@dataclass(frozen=True)
class PlacedEntry:
    """An entry and which action of its transaction it should be."""

    entry: Entry
    action_index: int


class ChainWitness(Protocol):
    """A chain, asked about one transaction after the other."""

    def look(self, transaction: Transaction, entries: Sequence[PlacedEntry]) -> Mapping[ChainStep, Finding]:
        """A finding for each step; a step that is left out counts as not checked.

        What the network does not answer is `not_checked` with the reason, never an error. That the transaction's id is
        the digest of its bytes, and that its actions are these entries, was checked before and holds.
        """
        ...
