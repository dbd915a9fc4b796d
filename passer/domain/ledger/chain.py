"""What passes between PaSSER and an Antelope chain: a transaction on its way, and where it came to stand."""

from __future__ import annotations

from datetime import datetime

from pydantic import Field

from passer.domain.base import Frozen
from passer.domain.ledger.antelope.transaction import ChainTransaction
from passer.domain.ledger.entry import MOST_ENTRIES_PER_TRANSACTION, Digest, Entry


class PreparedTransaction(Frozen):
    """A transaction that waits for a signature: its bytes, and the same for a wallet to show and sign."""

    id: Digest
    """SHA-256 of the packed bytes."""
    chain_id: Digest
    """Which chain."""
    contract: str
    """Account that holds the contract."""
    creator: str
    """Account that is to sign."""
    permission: str
    """Which of its permissions."""
    packed: str
    """Its bytes, in hex."""
    expires_at: datetime
    """UTC, by the chain's clock; no later block takes it."""
    entries: tuple[Entry, ...] = Field(min_length=1, max_length=MOST_ENTRIES_PER_TRANSACTION)
    """What it records, in the order of its actions."""
    transaction: ChainTransaction
    """What the bytes say."""


class SignedTransaction(Frozen):
    """A prepared transaction with signatures."""

    prepared: PreparedTransaction
    """What was signed."""
    signatures: tuple[str, ...]
    """`SIG_K1_...`."""


class PushReceipt(Frozen):
    """What the node said of a transaction that it took."""

    transaction_id: Digest
    """SHA-256 of the packed bytes."""
    block_number: int | None
    """Block that it expects to hold it; another may."""
    block_time: datetime | None
    """That block's time, UTC."""
    cpu_us: int
    """Microseconds billed."""
    net_bytes: int
    """Bytes of the network billed."""
    ram_bytes: int
    """Bytes of memory that its rows took."""
