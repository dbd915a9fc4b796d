"""Models of the parts of a node's replies that PaSSER uses."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict, Field, field_validator

from passer.antelope.signing.authorities import Authority
from passer.antelope.signing.keys import PublicKey
from passer.domain.ledger.chain import ChainMoment, PermissionLevel
from passer.domain.ledger.entry import Digest


class Reply(BaseModel):
    """Base of replies. Unknown fields are ignored, because they differ between versions of nodes."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class ChainInfo(Reply):
    """Current state of a chain."""

    chain_id: Digest
    head_block_num: int
    head_block_id: Digest
    head_block_time: ChainMoment
    last_irreversible_block_num: int
    last_irreversible_block_id: Digest
    server_version_string: str = ""


class _KeyWeight(Reply):
    key: str
    weight: int


class _AccountWeight(Reply):
    permission: PermissionLevel
    weight: int


class _Wait(Reply):
    wait_sec: int
    weight: int


class _RequiredAuth(Reply):
    threshold: int
    keys: tuple[_KeyWeight, ...] = ()
    accounts: tuple[_AccountWeight, ...] = ()
    waits: tuple[_Wait, ...] = ()

    def authority(self) -> Authority:
        """Return the authority as the client's own type."""
        return Authority(
            self.threshold,
            keys=tuple((PublicKey.read(part.key), part.weight) for part in self.keys),
            accounts=tuple((part.permission, part.weight) for part in self.accounts),
            waits=tuple((part.wait_sec, part.weight) for part in self.waits),
        )


class _Permission(Reply):
    perm_name: str
    required_auth: _RequiredAuth


NOBODY = PermissionLevel(actor="eosio.null", permission="active")
"""Owner of a locked account: a permission that no key satisfies."""


class Account(Reply):
    """An account, its memory and its permissions."""

    account_name: str
    ram_quota: int = -1
    """Bytes; -1 is no limit."""
    ram_usage: int = 0
    """Bytes."""
    permissions: tuple[_Permission, ...] = ()

    def authority(self, permission: str = "active") -> Authority | None:
        """Return the authority of a permission; None if there is no such permission."""
        for found in self.permissions:
            if found.perm_name == permission:
                return found.required_auth.authority()
        return None

    @property
    def is_locked(self) -> bool:
        """Return whether owner and active belong to `eosio.null`, whose keys nobody has, without other permissions."""
        return {found.perm_name for found in self.permissions} == {"owner", "active"} and all(
            not found.required_auth.keys and [part.permission for part in found.required_auth.accounts] == [NOBODY]
            for found in self.permissions
        )


class CodeHash(Reply):
    """SHA-256 of a contract's code."""

    code_hash: Digest


class ContractAbi(Reply):
    """ABI of a contract as JSON; None if the account has none."""

    abi: dict[str, Any] | None = None


class TablePage(Reply):
    """Rows of a table, packed, and the key at which the next page begins."""

    rows: tuple[str, ...]
    """Hex."""
    more: bool = False
    next_key: str = ""


class BlockInfo(Reply):
    """A block without its transactions."""

    block_num: int
    id: Digest
    timestamp: ChainMoment
    producer: str = ""


class PostedTransaction(Reply):
    """A transaction as it was posted."""

    packed: str = Field(alias="packed_trx")
    """Hex of its bytes, which `compression` says how to read."""
    signatures: tuple[str, ...]
    compression: str = "none"


class _BlockReceipt(Reply):
    status: str
    trx: PostedTransaction | str
    """An id for one that a contract had delayed."""

    @field_validator("trx", mode="before")
    @classmethod
    def _without_number(cls, value: Any) -> Any:
        # A block as signed writes a choice as (number, value).
        return value[1] if isinstance(value, list) and len(value) == 2 else value


class BlockTransactions(Reply):
    """A block with its transactions, as far as they were posted."""

    id: Digest | None = None
    """None in a block as signed: it follows from the header."""
    timestamp: ChainMoment
    receipts: tuple[_BlockReceipt, ...] = Field(default=(), alias="transactions")

    @property
    def executed(self) -> tuple[PostedTransaction, ...]:
        """Return the posted ones that took effect."""
        return tuple(
            part.trx for part in self.receipts if part.status == "executed" and isinstance(part.trx, PostedTransaction)
        )


class _TransactionReceipt(Reply):
    status: str
    cpu_usage_us: int = 0
    net_usage_words: int = 0


class _RamDelta(Reply):
    account: str
    delta: int


class _ActionTrace(Reply):
    account_ram_deltas: tuple[_RamDelta, ...] = ()


class _Processed(Reply):
    block_num: int | None = None
    block_time: ChainMoment | None = None
    receipt: _TransactionReceipt | None = None
    action_traces: tuple[_ActionTrace, ...] = ()
    excepted: dict[str, Any] | None = Field(default=None, alias="except")


class Pushed(Reply):
    """Reply to an accepted transaction; its block may still change."""

    transaction_id: Digest
    processed: _Processed

    @property
    def cpu_us(self) -> int:
        """Microseconds that are billed."""
        return self.processed.receipt.cpu_usage_us if self.processed.receipt else 0

    @property
    def net_bytes(self) -> int:
        """Bytes that are billed."""
        return 8 * self.processed.receipt.net_usage_words if self.processed.receipt else 0

    @property
    def ram_bytes(self) -> int:
        """Bytes of memory that its rows took, of all accounts."""
        return sum(part.delta for trace in self.processed.action_traces for part in trace.account_ram_deltas)
