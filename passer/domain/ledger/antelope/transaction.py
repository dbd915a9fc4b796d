"""Transactions: actions with their authority, the bytes they are packed to, and the id of those bytes."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime
from typing import Annotated

from pydantic import AfterValidator, PlainSerializer

from passer.domain.base import Frozen
from passer.domain.ledger.antelope.packing import Packer, Unpacker
from passer.domain.ledger.entry import Digest
from passer.errors import InputError

_NO_CONTEXT_FREE_DATA = bytes(32)
"""Stands in a signing digest where there is none."""


def _in_utc(moment: datetime) -> datetime:
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)


ChainMoment = Annotated[
    datetime,
    AfterValidator(_in_utc),
    PlainSerializer(lambda moment: moment.replace(tzinfo=None).isoformat(), return_type=str, when_used="json"),
]
"""UTC; in JSON as chains and wallets write it, without saying so: a wallet refuses a Z at the end."""


class PermissionLevel(Frozen):
    """Who acts."""

    actor: str
    """Account."""
    permission: str = "active"
    """Which of its permissions."""


class ChainAction(Frozen):
    """One action of a transaction."""

    account: str
    """Account whose contract it is for."""
    name: str
    """Which of the contract's actions."""
    authorization: tuple[PermissionLevel, ...]
    """Who acts."""
    data: str
    """Its packed fields, in hex."""


class ChainTransaction(Frozen):
    """A transaction without signatures, in the field names that wallets take; only the actions' data is packed."""

    expiration: ChainMoment
    """Whole seconds, UTC; no later block takes it."""
    ref_block_num: int
    """Low 16 bits of the number of a block that must be on the chain."""
    ref_block_prefix: int
    """Bytes 8 to 12 of that block's id."""
    max_net_usage_words: int = 0
    """0 is no limit of its own."""
    max_cpu_usage_ms: int = 0
    """0 is no limit of its own."""
    delay_sec: int = 0
    """Always 0 here."""
    context_free_actions: tuple[()] = ()
    """None: their data would stand outside the packed bytes."""
    actions: tuple[ChainAction, ...]
    """In the order in which the chain runs them."""
    transaction_extensions: tuple[()] = ()
    """None."""


def packed_transaction(transaction: ChainTransaction) -> bytes:
    """The bytes that are signed and posted."""
    packer = Packer().time_point_sec(transaction.expiration)
    packer.uint16(transaction.ref_block_num).uint32(transaction.ref_block_prefix)
    packer.varuint32(transaction.max_net_usage_words).uint8(transaction.max_cpu_usage_ms)
    packer.varuint32(transaction.delay_sec).varuint32(0)
    return packer.list(transaction.actions, _pack_action).varuint32(0).packed()


def unpacked_transaction(data: bytes) -> ChainTransaction:
    """The transaction of packed bytes; InputError for bytes that are none, or hold what is not used here."""
    part = Unpacker(data)
    header = {
        "expiration": part.time_point_sec(),
        "ref_block_num": part.uint16(),
        "ref_block_prefix": part.uint32(),
        "max_net_usage_words": part.varuint32(),
        "max_cpu_usage_ms": part.uint8(),
        "delay_sec": part.varuint32(),
    }
    _expect_none(part, "context-free actions")
    actions = part.list(_unpack_action)
    _expect_none(part, "extensions")
    part.done()
    return ChainTransaction.model_validate({**header, "actions": actions})


def transaction_id(packed: bytes) -> Digest:
    """SHA-256 of the packed bytes, hex."""
    return hashlib.sha256(packed).hexdigest()


def signing_digest(packed: bytes, *, chain_id: Digest) -> bytes:
    """What is signed: the chain, the packed bytes, and that there is no context-free data; 32 bytes."""
    return hashlib.sha256(bytes.fromhex(chain_id) + packed + _NO_CONTEXT_FREE_DATA).digest()


def _pack_action(packer: Packer, action: ChainAction) -> None:
    packer.name(action.account).name(action.name)
    packer.list(action.authorization, lambda out, level: out.name(level.actor).name(level.permission))
    packer.blob(bytes.fromhex(action.data))


def _expect_none(part: Unpacker, what: str) -> None:
    if part.varuint32():
        raise InputError(f"Look at another transaction: this one has {what}, which PaSSER never makes.")


def _unpack_action(part: Unpacker) -> ChainAction:
    return ChainAction(
        account=part.name(),
        name=part.name(),
        authorization=part.list(lambda level: PermissionLevel(actor=level.name(), permission=level.name())),
        data=part.blob().hex(),
    )
