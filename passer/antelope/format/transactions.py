"""Packs and unpacks transactions, and computes their ids and signing digests."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import lru_cache

from passer.antelope.format.packing import Packer, Unpacker
from passer.domain.ledger.chain import ChainAction, ChainTransaction, IdentityProof, PermissionLevel
from passer.domain.ledger.entry import Digest
from passer.domain.wording.sentence import sentence
from passer.errors import InputError

_NO_CONTEXT_FREE_DATA = bytes(32)
"""Context-free data of a transaction without any, in its signing digest."""


def packed_transaction(transaction: ChainTransaction) -> bytes:
    """The bytes that are signed and posted."""
    return with_actions(transaction, [_packed_action(action) for action in transaction.actions])


def packed_action(account: str, name: str, authorization: tuple[PermissionLevel, ...], data: bytes) -> bytes:
    """Return the bytes of one action; `data` are its packed fields."""
    return _packed_head(account, name, authorization) + Packer().blob(data).packed()


def with_actions(transaction: ChainTransaction, actions: Sequence[bytes]) -> bytes:
    """Return the packed bytes of a transaction with these packed actions in the place of its own."""
    packer = Packer().time_point_sec(transaction.expiration)
    packer.uint16(transaction.ref_block_num).uint32(transaction.ref_block_prefix)
    packer.varuint32(transaction.max_net_usage_words).uint8(transaction.max_cpu_usage_ms)
    packer.varuint32(transaction.delay_sec).varuint32(0)
    return packer.varuint32(len(actions)).raw(b"".join(actions)).varuint32(0).packed()


def unpacked_transaction(data: bytes) -> ChainTransaction:
    """Return the transaction of packed bytes; InputError for other bytes or unsupported content."""
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


def packed_identity(proof: IdentityProof, *, challenge: str) -> bytes:
    """Return the packed transaction by which a wallet proves its key; InputError for malformed names.

    It names no block and a contract that no account can have, so that no chain accepts it.
    """
    content = Packer().name(challenge).uint8(1).name(proof.signer.actor).name(proof.signer.permission).packed()
    action = ChainAction(account="", name="identity", authorization=(proof.signer,), data=content.hex())
    return packed_transaction(
        ChainTransaction(expiration=proof.expiration, ref_block_num=0, ref_block_prefix=0, actions=(action,))
    )


def transaction_id(packed: bytes) -> Digest:
    """Return the SHA-256 of the packed bytes, in hex."""
    return hashlib.sha256(packed).hexdigest()


def signing_digest(packed: bytes, *, chain_id: Digest) -> bytes:
    """Return the digest to sign (32 bytes): of the chain, the packed bytes, and the absence of context-free data."""
    return hashlib.sha256(bytes.fromhex(chain_id) + packed + _NO_CONTEXT_FREE_DATA).digest()


def _packed_action(action: ChainAction) -> bytes:
    return packed_action(action.account, action.name, action.authorization, bytes.fromhex(action.data))


@lru_cache(maxsize=64)
def _packed_head(account: str, name: str, authorization: tuple[PermissionLevel, ...]) -> bytes:
    """Return an action up to its data, which thousands of actions share."""
    packer = Packer().name(account).name(name)
    return packer.list(authorization, lambda out, level: out.name(level.actor).name(level.permission)).packed()


def _expect_none(part: Unpacker, what: str) -> None:
    if part.varuint32():
        raise InputError(sentence("chain.foreign-part", what=what))


def _unpack_action(part: Unpacker) -> ChainAction:
    return ChainAction(
        account=part.name(),
        name=part.name(),
        authorization=part.list(lambda level: PermissionLevel(actor=level.name(), permission=level.name())),
        data=part.blob().hex(),
    )
