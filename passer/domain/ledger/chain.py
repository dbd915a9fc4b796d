"""Transactions of an Antelope chain as values, in the field names that wallets read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated

from pydantic import AfterValidator, Field, PlainSerializer

from passer.domain.base import Frozen
from passer.domain.ledger.entry import Entry


def _in_utc(moment: datetime) -> datetime:
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)


ChainMoment = Annotated[
    datetime,
    AfterValidator(_in_utc),
    PlainSerializer(lambda moment: moment.replace(tzinfo=None).isoformat(), return_type=str, when_used="json"),
]
"""UTC; in JSON without a zone, as chains and wallets write it: a wallet refuses a Z at the end."""


class PermissionLevel(Frozen):
    """An account and the permission it acts with."""

    actor: str
    """Name of the account."""
    permission: str = "active"
    """Name of the permission."""


class ChainAction(Frozen):
    """One action of a transaction."""

    account: str
    """Account of the contract."""
    name: str
    """Name of the action."""
    authorization: tuple[PermissionLevel, ...]
    """An account and the permission it acts with."""
    data: str
    """Packed fields in hex."""


class ChainTransaction(Frozen):
    """A transaction without signatures, in the field names that wallets take; only the actions' data is packed."""

    expiration: ChainMoment
    """Whole seconds, UTC; no later block accepts it."""
    ref_block_num: int
    """Low 16 bits of the number of a block that must be on the chain."""
    ref_block_prefix: int
    """Bytes 8 to 12 of that block's id."""
    max_net_usage_words: int = 0
    """0 for no limit."""
    max_cpu_usage_ms: int = 0
    """0 for no limit."""
    delay_sec: int = 0
    """Always 0."""
    context_free_actions: tuple[()] = ()
    """Always empty: their data is not part of the packed bytes."""
    actions: tuple[ChainAction, ...]
    """Actions in the order in which the chain runs them."""
    transaction_extensions: tuple[()] = ()
    """Always empty."""


class IdentityProof(Frozen):
    """Proof of a wallet's key: a signed transaction that no chain accepts, in the form of the Signing Request
    specification (EEP-7, identity request of version 3)."""

    expiration: ChainMoment
    """Whole seconds, UTC, as the wallet chose it."""
    signer: PermissionLevel
    """Account that the wallet names; it is part of what is signed, and proves nothing by itself."""
    signature: str = Field(max_length=4000)
    """`SIG_K1_...` or another form that chains accept."""


LegacyFields = tuple[str, str, str, tuple[float, ...]]
"""Action, testid, description with the digest, results: all that the published contract has fields for."""


@dataclass(frozen=True)
class RecordedAction:
    """An action of a transaction, and the entry that it records."""

    contract: str
    """Account of the contract."""
    creator: str | None = None
    """Account of the row; None without an entry."""
    entry: Entry | None = None
    """None if the action records no entry."""
    legacy: LegacyFields | None = None
    """Fields of an action of the published contract, which records no entry."""
    expires_at: datetime | None = None
    """Time at which the transaction expires, UTC: no later block accepts it."""


TransactionReader = Callable[[bytes], Sequence[RecordedAction]]
"""Returns the actions of a packed transaction; InputError for bytes that are none."""
