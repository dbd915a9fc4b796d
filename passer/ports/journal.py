"""Journal of transactions prepared for wallets or sent to a chain."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Literal, Protocol

from passer.domain.base import Frozen
from passer.domain.ledger.entry import Digest

SentState = Literal["prepared", "open", "posted", "final", "dropped"]
"""Waiting for a wallet; signed, possibly pushed; in a reversible block; irreversible; given up."""


class Sent(Frozen):
    """A transaction, saved before it is pushed: a chain refuses the same bytes a second time."""

    id: Digest
    """SHA-256 of the packed bytes."""
    chain_id: Digest
    """Id of the chain."""
    contract: str
    """Account of the contract."""
    creator: str
    """The signing account."""
    packed: str
    """Packed bytes in hex."""
    signatures: tuple[str, ...]
    """`SIG_K1_...`; empty while it waits for a wallet. Keys are never saved."""
    expires_at: datetime
    """UTC by the chain's clock; no later block accepts it."""
    identities: tuple[Digest, ...]
    """Identities of its entries, in the order of its actions."""
    state: SentState = "open"
    """State of the transaction."""
    block_number: int | None = None
    """Number of its block, if it is known."""
    block_id: Digest | None = None
    """Id of its block, once that is irreversible."""
    block_time: datetime | None = None
    """Time of its block, UTC."""


class Journal(Protocol):
    """Store of transactions prepared for wallets or sent to a chain."""

    def keep(self, sent: Sequence[Sent]) -> None:
        """Save transactions before a wallet sees them or they are first pushed.

        LeaseError, and nothing is saved, if an entry is already in another prepared or open transaction: a process
        that lost its lease must not push what the next one has pushed, and two wallets must not sign one entry.
        """

    def signed(self, sent: Sent) -> bool:
        """Save the signatures of a prepared transaction, which becomes open; False if it is no longer prepared."""

    def given_up(self, sent: Sent) -> bool:
        """Give up a prepared transaction and free its entries; False if it is no longer prepared."""

    def find(self, key: str) -> Sent | None:
        """Return a transaction by id; None if it is unknown."""

    def sent(self, *states: SentState) -> list[Sent]:
        """Return the transactions in these states, oldest first."""

    def settled(self, sent: Sequence[Sent]) -> None:
        """Save new states: entries of a dropped transaction wait again, those of a final one are recorded."""
