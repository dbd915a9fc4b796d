"""Ports to a chain: people sign on it with their own wallets, and it confirms what a bundle alone cannot prove.

PaSSER never has a key of a wallet.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, Protocol

from passer.domain.base import Frozen
from passer.domain.bundle.members import Transaction
from passer.domain.bundle.verification import ChainStep, Finding
from passer.domain.ledger.chain import ChainTransaction, IdentityProof
from passer.domain.ledger.entry import Digest, Entry, Receipt

SentState = Literal["prepared", "open", "posted", "final", "dropped"]
"""Waiting for a wallet; signed, possibly pushed; in a reversible block; irreversible; given up."""
ContractKind = Literal["llmtest", "published"]
"""The contract of this repository, or the published contract with four fields."""


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

        Raises LeaseError, and saves none, if an entry is already in another prepared or open transaction: a process
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


class ChainContract(Frozen):
    """A contract, as a wallet needs it."""

    chain_id: Digest
    """Id of the chain."""
    urls: tuple[str, ...]
    """Addresses of its nodes, without passwords."""
    contract: str
    """Account of the contract."""
    kind: ContractKind
    """Kind of the contract."""
    abi: dict[str, Any] | None
    """ABI as JSON, with which a wallet shows what it signs; None if the account has none."""


class WalletLedger(Protocol):
    """Prepares transactions for wallets and checks their signatures."""

    def contract(self) -> ChainContract:
        """Return the contract. Raises LedgerUnavailable if the chain does not answer."""

    def proving_key(self, proof: IdentityProof, *, challenge: str, chain_id: Digest) -> str:
        """Return the public key that signed the proof of this challenge; InputError if malformed. Asks no chain."""

    def now(self) -> datetime:
        """Return the chain's time, UTC. Raises LedgerUnavailable if the chain does not answer."""

    def is_here(self, sent: Sent) -> bool:
        """Return whether a transaction is for this contract and chain.

        Raises LedgerUnavailable if the chain does not answer.
        """

    def there(self, entries: Sequence[Entry], *, account: str) -> list[Receipt]:
        """Return receipts of entries that this account, or one they were prepared for, has recorded already."""

    def prepared(self, entries: Sequence[Entry], *, account: str, permission: str) -> Sent:
        """Return an unsigned transaction of these entries, not saved yet; NotFoundError for an unknown permission."""

    def transaction(self, sent: Sent) -> ChainTransaction:
        """Return the content of the packed bytes, in the form that wallets read."""

    def with_signatures(self, sent: Sent, signatures: Sequence[str]) -> Sent:
        """Return the transaction with readable signatures.

        Asks no chain. Raises SigningRefused for an unreadable one.
        """

    def check(self, sent: Sent) -> None:
        """Check that the creator's keys on the chain signed exactly these bytes. Raises SigningRefused otherwise."""


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
