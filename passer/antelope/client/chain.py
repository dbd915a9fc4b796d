"""A contract on a chain: prepare, sign, push and find entries."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta

from pydantic import Field

from passer.antelope.client.replies import ChainInfo, Pushed
from passer.antelope.client.rows import Rows
from passer.antelope.client.rpc import Rpc
from passer.antelope.format.entries import packed_entry
from passer.antelope.format.transactions import signing_digest, transaction_id, with_actions
from passer.antelope.signing.authorities import SignerCheck, check_signers
from passer.antelope.signing.keys import PrivateKey, PublicKey
from passer.antelope.signing.signatures import Signature, sign
from passer.domain.base import Frozen
from passer.domain.ledger.chain import ChainAction, ChainTransaction, PermissionLevel
from passer.domain.ledger.entry import MOST_ENTRIES_PER_TRANSACTION, Digest, Entry
from passer.domain.wording.sentence import sentence
from passer.errors import InputError, LedgerUnavailable, NotFoundError
from passer.ports.ledger import LedgerRow

LIFETIME_S = 120
"""Lifetime of a transaction in seconds, by the chain's clock."""
LONGEST_LIFETIME_S = 3600
"""Longest lifetime that chains accept by default, in seconds."""


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


class AntelopeChain:
    """Records entries through one contract; `published` is the four-field contract without digests."""

    def __init__(self, rpc: Rpc, contract: str, *, published: bool = False) -> None:
        self.rpc = rpc
        self.contract = contract
        self.published = published
        self.rows = Rows(rpc, contract, published=published)

    def prepare(
        self, entries: Sequence[Entry], creator: str, *, permission: str = "active", lifetime_s: int = LIFETIME_S
    ) -> PreparedTransaction:
        """Return one transaction of up to 50 entries, which expires by the chain's clock."""
        if len(entries) > MOST_ENTRIES_PER_TRANSACTION:
            raise InputError(sentence("chain.too-many-entries", most=MOST_ENTRIES_PER_TRANSACTION))
        return self.prepare_all(entries, creator, permission=permission, lifetime_s=lifetime_s)[0]

    def prepare_all(
        self,
        entries: Sequence[Entry],
        creator: str,
        *,
        permission: str = "active",
        lifetime_s: int = LIFETIME_S,
        info: ChainInfo | None = None,
    ) -> list[PreparedTransaction]:
        """Return as many transactions as the entries need, in order; `info` is the chain's state, read if not given."""
        if not entries:
            raise InputError(sentence("chain.no-entry"))
        info = info or self.rpc.info()
        starts = range(0, len(entries), MOST_ENTRIES_PER_TRANSACTION)
        return [
            self._prepared(info, entries[start : start + MOST_ENTRIES_PER_TRANSACTION], creator, permission, lifetime_s)
            for start in starts
        ]

    def sign(self, prepared: PreparedTransaction, key: PrivateKey) -> SignedTransaction:
        """Sign with a key of this process. It must be one of the creator's, which the chain checks."""
        digest = signing_digest(bytes.fromhex(prepared.packed), chain_id=prepared.chain_id)
        return SignedTransaction(prepared=prepared, signatures=(sign(digest, key).text,))

    def push(self, signed: SignedTransaction) -> PushReceipt:
        """Post it.

        Raises ChainRefused with the chain's reason; after LedgerUnavailable, it may or may not be on the chain.
        """
        prepared = signed.prepared
        pushed = self.rpc.push(bytes.fromhex(prepared.packed), signed.signatures)
        if pushed.transaction_id != prepared.id:
            raise LedgerUnavailable(
                sentence("chain.other-transaction", found=pushed.transaction_id, expected=prepared.id)
            )
        return push_receipt(pushed)

    def find(self, run_digest: Digest, *, testid: str, creator: str) -> list[LedgerRow]:
        """Return the rows of this creator with that digest, found by `testid`; at most one unless posted twice."""
        return [row for row in self.rows_of(testid) if row.run_digest == run_digest and row.account == creator]

    def rows_of(self, testid: str) -> Iterator[LedgerRow]:
        """Return all rows of a run, of both tables, each table oldest first."""
        for action in self.rows.actions:
            yield from self.rows.of_testid(action, testid)

    def check_keys(self, keys: Sequence[PublicKey], account: str, *, permission: str = "active") -> SignerCheck:
        """Return whether keys reach an account's permission, as it is now."""
        authority = self.rpc.account(account).authority(permission)
        if authority is None:
            raise NotFoundError(sentence("chain.no-permission", account=account, permission=permission))
        return check_signers(authority, keys, who=PermissionLevel(actor=account, permission=permission))

    def _prepared(
        self, info: ChainInfo, entries: Sequence[Entry], creator: str, permission: str, lifetime_s: int
    ) -> PreparedTransaction:
        by = {"contract": self.contract, "creator": creator, "permission": permission}
        actions = [packed_entry(entry, **by, published=self.published) for entry in entries]
        transaction = new_transaction(info, (), lifetime_s=lifetime_s)
        packed = with_actions(transaction, actions)
        return PreparedTransaction(
            id=transaction_id(packed),
            chain_id=info.chain_id,
            contract=self.contract,
            creator=creator,
            permission=permission,
            packed=packed.hex(),
            expires_at=transaction.expiration,
            entries=tuple(entries),
        )


def push_receipt(pushed: Pushed) -> PushReceipt:
    """Return the receipt of a transaction that a node accepted."""
    return PushReceipt(
        transaction_id=pushed.transaction_id,
        block_number=pushed.processed.block_num,
        block_time=pushed.processed.block_time,
        cpu_us=pushed.cpu_us,
        net_bytes=pushed.net_bytes,
        ram_bytes=pushed.ram_bytes,
    )


def new_transaction(
    info: ChainInfo, actions: Sequence[ChainAction], *, lifetime_s: int = LIFETIME_S
) -> ChainTransaction:
    """Return actions as a transaction that expires by the chain's clock and refers to an irreversible block."""
    if not 1 <= lifetime_s <= LONGEST_LIFETIME_S:
        raise InputError(sentence("chain.lifetime", most=LONGEST_LIFETIME_S))
    expiration = info.head_block_time.replace(microsecond=0) + timedelta(seconds=lifetime_s)
    return ChainTransaction(
        expiration=expiration,
        # An irreversible block: a chain refuses a transaction that refers to a block which it has dropped since.
        ref_block_num=info.last_irreversible_block_num & 0xFFFF,
        ref_block_prefix=int.from_bytes(bytes.fromhex(info.last_irreversible_block_id)[8:12], "little"),
        actions=tuple(actions),
    )


def recovered_keys(packed: bytes, signatures: Sequence[str], *, chain_id: Digest) -> tuple[PublicKey, ...]:
    """Recover the keys that signed packed bytes; InputError for a malformed or non-canonical signature."""
    digest = signing_digest(packed, chain_id=chain_id)
    read = [Signature.read(text) for text in signatures]
    if not all(signature.canonical for signature in read):
        raise InputError(sentence("chain.not-canonical"))
    return tuple(signature.recover(digest) for signature in read)
