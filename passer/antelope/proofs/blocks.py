"""Converts a node's JSON blocks back into the hashed bytes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from passer.antelope.client.rpc import Rpc
from passer.antelope.format.packing import Packer
from passer.antelope.proofs.inclusion import (
    SAVANNA,
    BlockReceipt,
    InclusionProof,
    block_id,
    prove_inclusion,
    read_header,
)
from passer.antelope.signing.keys import PublicKey
from passer.antelope.signing.signatures import packed_signature
from passer.domain.bundle.verification import Finding
from passer.domain.ledger.entry import Digest
from passer.domain.wording.sentence import sentence
from passer.errors import InputError, NotFoundError

_SLOTS_SINCE = datetime(2000, 1, 1, tzinfo=UTC)
_SLOT = timedelta(milliseconds=500)


class Blocks:
    """Blocks of one chain."""

    def __init__(self, rpc: Rpc) -> None:
        self._rpc = rpc

    def proof(self, number: int, transaction: Digest) -> InclusionProof | Finding:
        """Proof that a block holds a transaction; where none can be made a finding that says why.

        InputError where the block does not hold it, NotFoundError where the node has no such block.
        """
        body = self._block(number)
        expected = self._rpc.block_info(number).id
        header = packed_header(body)
        if block_id(header) != expected:
            reason = "this node does not return all bytes of the block's header; use a node of Leap 4 or later"
            return Finding(outcome="not_checked", detail=f"Not checked, because {reason}.")
        if read_header(header).savanna:
            return Finding(outcome="not_checked", detail=f"Not checked, because {SAVANNA}.")
        return prove_inclusion(block_receipts(body), header, transaction=transaction)

    def _block(self, number: int) -> dict[str, Any]:
        body = self._rpc.raw_block(number) or self._rpc.block(number)
        if body is None:
            raise NotFoundError(sentence("chain.no-blocks"))
        return body


def packed_header(body: Mapping[str, Any]) -> bytes:
    """Return a block's header in its hashed form from a node's JSON; InputError for other JSON."""
    try:
        packer = Packer().uint32(_slot(body["timestamp"])).name(body["producer"]).uint16(body["confirmed"])
        for field in ("previous", "transaction_mroot", "action_mroot"):
            packer.checksum256(body[field])
        packer.uint32(body["schedule_version"])
        schedule = body.get("new_producers")
        packer.boolean(schedule is not None)
        if schedule is not None:
            packer.uint32(schedule["version"]).list(schedule["producers"], _pack_producer)
        packer.list(
            body.get("header_extensions") or (), lambda out, part: out.uint16(part[0]).blob(bytes.fromhex(part[1]))
        )
    except (KeyError, TypeError, ValueError, IndexError) as exc:
        raise _no_block() from exc
    return packer.packed()


def block_receipts(body: Mapping[str, Any]) -> list[BlockReceipt]:
    """Return a block's transactions in order from a node's JSON; InputError for other JSON."""
    try:
        return [_receipt(part) for part in body["transactions"]]
    except (KeyError, TypeError, ValueError, IndexError) as exc:
        raise _no_block() from exc


def _receipt(part: Mapping[str, Any]) -> BlockReceipt:
    # A signed block writes a choice as (number, value), an unsigned view the value alone.
    within = part["trx"][1] if isinstance(part["trx"], Sequence) and not isinstance(part["trx"], str) else part["trx"]
    billed = {"status": part["status"], "cpu_us": part["cpu_usage_us"], "net_words": part["net_usage_words"]}
    if isinstance(within, str):
        return BlockReceipt(**billed, id=within)
    return BlockReceipt(
        **billed,
        signatures=tuple(packed_signature(text).hex() for text in within["signatures"]),
        compression=within["compression"],
        context_free_data=within["packed_context_free_data"],
        packed=within["packed_trx"],
    )


def _pack_producer(packer: Packer, producer: Mapping[str, Any]) -> None:
    packer.name(producer["producer_name"]).raw(PublicKey.read(producer["block_signing_key"]).packed)


def _slot(text: str) -> int:
    moment = datetime.fromisoformat(text)
    return ((moment if moment.tzinfo else moment.replace(tzinfo=UTC)) - _SLOTS_SINCE) // _SLOT


def _no_block() -> InputError:
    return InputError(sentence("chain.not-a-block"))
