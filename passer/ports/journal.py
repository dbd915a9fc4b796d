"""What was prepared for a wallet, and what was sent to a chain."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Literal, Protocol

from passer.domain.base import Frozen
from passer.domain.ledger.entry import Digest

SentState = Literal["prepared", "open", "posted", "final", "dropped"]
"""Waits for a wallet, never pushed; signed and not known to be taken; in a block that may be undone; irreversible;
never to be pushed any more."""


class Sent(Frozen):
    """A transaction that is kept before it is pushed: the same bytes are refused twice by a chain."""

    id: Digest
    """SHA-256 of the packed bytes."""
    chain_id: Digest
    """Which chain."""
    contract: str
    """Account that holds the contract."""
    creator: str
    """Account that signs."""
    packed: str
    """Its bytes, in hex."""
    signatures: tuple[str, ...]
    """`SIG_K1_...`; none while it waits for a wallet; no key is ever kept."""
    expires_at: datetime
    """UTC, by the chain's clock; after it no block takes it."""
    identities: tuple[Digest, ...]
    """Of its entries, in the order of its actions."""
    state: SentState = "open"
    """How far it is."""
    block_number: int | None = None
    """Block that holds it, as far as is known."""
    block_id: Digest | None = None
    """Its id, once it is irreversible."""
    block_time: datetime | None = None
    """Its time, UTC."""


class Journal(Protocol):
    """What was prepared for wallets, and what was sent to a chain."""

    def keep(self, sent: Sequence[Sent]) -> None:
        """Before it is shown to a wallet, or first pushed. LeaseError, and nothing kept, where an entry of a prepared
        or open one is in another such: a process that was held up for so long that it lost its lease must not push
        what the next one has pushed, and two wallets must not sign for one entry.
        """
        ...

    def signed(self, sent: Sent) -> bool:
        """Keep the signatures of a prepared one, which is open from then on; False where it is prepared no more."""
        ...

    def given_up(self, sent: Sent) -> bool:
        """Drop a prepared one, whose entries are free again; False where it is prepared no more."""
        ...

    def find(self, key: str) -> Sent | None:
        """The transaction of that id."""
        ...

    def sent(self, *states: SentState) -> list[Sent]:
        """Transactions in these states, oldest first."""
        ...

    def settled(self, sent: Sequence[Sent]) -> None:
        """Keep their new states; entries of a dropped one wait again, those of a final one are there for good."""
        ...
