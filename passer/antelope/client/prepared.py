"""A transaction on its way to a chain, and the node's answer."""

from __future__ import annotations

from datetime import datetime

from pydantic import Field

from passer.domain.base import Frozen
from passer.domain.ledger.entry import MOST_ENTRIES_PER_TRANSACTION, Digest, Entry


class PreparedTransaction(Frozen):
    """A transaction that waits for a signature."""

    id: Digest
    """SHA-256 of the packed bytes."""
    chain_id: Digest
    """The chain."""
    contract: str
    """Account of the contract."""
    creator: str
    """Account that is to sign."""
    permission: str
    """Permission of the account that signs."""
    packed: str
    """Its bytes, in hex."""
    expires_at: datetime
    """UTC, by the chain's clock; no later block takes it."""
    entries: tuple[Entry, ...] = Field(min_length=1, max_length=MOST_ENTRIES_PER_TRANSACTION)
    """Entries that it records, in the order of its actions."""


class SignedTransaction(Frozen):
    """A prepared transaction with signatures."""

    prepared: PreparedTransaction
    """Bytes that were signed."""
    signatures: tuple[str, ...]
    """`SIG_K1_...`."""


class PushReceipt(Frozen):
    """Receipt of a transaction that a node accepted."""

    transaction_id: Digest
    """SHA-256 of the packed bytes."""
    block_number: int | None
    """Block in which the node expects the transaction; it may end up in another."""
    block_time: datetime | None
    """Time of that block, UTC."""
    cpu_us: int
    """Microseconds billed."""
    net_bytes: int
    """Bytes of the network billed."""
    ram_bytes: int
    """Bytes of memory that its rows took."""
