"""Proofs that a block contains a transaction: receipt, Merkle path, block id, from bytes that anyone can fetch.

This is the rule of EOSIO and Leap. A block that carries a finality extension follows another one (Savanna: Spring 1
and later), and is not checked here.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Literal, get_args

from passer.antelope.format.packing import Packer, Unpacker
from passer.antelope.format.transactions import transaction_id
from passer.domain.base import Frozen
from passer.domain.bundle.verification import Finding
from passer.domain.ledger.entry import Digest
from passer.domain.wording.sentence import sentence
from passer.errors import InputError

Status = Literal["executed", "soft_fail", "hard_fail", "delayed", "expired"]
"""Outcomes in the order of their packed numbers."""
Compression = Literal["none", "zlib"]
"""Compressions in the order of their packed numbers."""

FINALITY_EXTENSION = 2
"""Number of the finality extension of a block header under Savanna."""
SAVANNA = "the block follows the Savanna rules, which this version does not know"
_SLOTS_SINCE = datetime(2000, 1, 1, tzinfo=UTC)
_SLOT = timedelta(milliseconds=500)
_WEBAUTHN = 2


class BlockReceipt(Frozen):
    """Receipt of a transaction in its block, with everything that is part of its Merkle leaf."""

    status: Status
    """Outcome of the transaction as the block states it."""
    cpu_us: int
    """Microseconds billed."""
    net_words: int
    """Words of 8 bytes billed."""
    id: Digest | None = None
    """Id of a transaction that the block contains by id only; the following fields are then empty."""
    signatures: tuple[str, ...] = ()
    """Packed, hex: kind and 65 bytes each."""
    compression: Compression = "none"
    """Compression of the packed bytes."""
    context_free_data: str = ""
    """Packed, hex."""
    packed: str = ""
    """Bytes of the transaction in hexadecimal, possibly compressed."""

    def holds(self, wanted: Digest) -> bool:
        """Return whether the proof is for the transaction with that id."""
        if self.id is not None:
            return self.id == wanted
        return self.compression == "none" and transaction_id(bytes.fromhex(self.packed)) == wanted


class MerkleStep(Frozen):
    """A neighbour on the way from a leaf to the root."""

    side: Literal["left", "right"]
    """Side of the neighbour."""
    digest: Digest
    """Digest of the neighbour."""


class InclusionProof(Frozen):
    """Proof that a block contains a transaction."""

    receipt: BlockReceipt
    """The block's word on it."""
    path: tuple[MerkleStep, ...]
    """Steps from the receipt's leaf up."""
    header: str
    """The block's header as it is hashed, hex."""
    block_id: Digest
    """Its number in the first four bytes, then the header's SHA-256."""


@dataclass(frozen=True, slots=True)
class Header:
    """A block's header, as far as it is needed."""

    at: datetime
    """UTC, in half seconds."""
    producer: str
    previous: Digest
    transaction_mroot: Digest
    extensions: tuple[int, ...]
    """Numbers of its extensions."""

    @property
    def number(self) -> int:
        """One more than the block before."""
        return block_number(self.previous) + 1

    @property
    def savanna(self) -> bool:
        """Return whether another Merkle rule applies (Savanna)."""
        return FINALITY_EXTENSION in self.extensions


def read_header(header: bytes) -> Header:
    """Return the fields of a header; InputError for other bytes."""
    part = Unpacker(header)
    at, producer, _ = _SLOTS_SINCE + _SLOT * part.uint32(), part.name(), part.uint16()
    previous, transaction_mroot, _, _ = part.checksum256(), part.checksum256(), part.checksum256(), part.uint32()
    if part.boolean():
        _skip_schedule(part)
    extensions = part.list(lambda one: (one.uint16(), one.blob()))
    part.done()
    return Header(at, producer, previous, transaction_mroot, tuple(number for number, _ in extensions))


def block_number(block_id: Digest) -> int:
    """Return the block's number: the first four bytes of its id."""
    return int(block_id[:8], 16)


def block_id(header: bytes) -> Digest:
    """Return the id of a block header: its number in four bytes, then the rest of the header's SHA-256."""
    number = read_header(header).number
    return number.to_bytes(4, "big").hex() + hashlib.sha256(header).hexdigest()[8:]


def receipt_leaf(receipt: BlockReceipt) -> Digest:
    """Return the Merkle leaf of a receipt."""
    packer = Packer().uint8(get_args(Status).index(receipt.status))
    packer.uint32(receipt.cpu_us).varuint32(receipt.net_words)
    return _sha256(packer.checksum256(receipt.id or _packed_digest(receipt)).packed())


def merkle_path(leaves: Sequence[Digest], place: int) -> tuple[MerkleStep, ...]:
    """Return the neighbours of the leaf at `place`, counted from 0, from the leaf to the root."""
    level, steps = list(leaves), []
    while len(level) > 1:
        neighbour = min(place ^ 1, len(level) - 1)
        steps.append(MerkleStep(side="left" if place % 2 else "right", digest=level[neighbour]))
        level, place = _next_level(level), place // 2
    return tuple(steps)


def root_of(leaf: Digest, path: Sequence[MerkleStep]) -> Digest:
    """Return the root that a path leads to from a leaf."""
    for step in path:
        leaf = _pair(step.digest, leaf) if step.side == "left" else _pair(leaf, step.digest)
    return leaf


def prove_inclusion(receipts: Sequence[BlockReceipt], header: bytes, *, transaction: Digest) -> InclusionProof:
    """Return the proof for a transaction of a block; InputError if the block does not contain it."""
    places = [place for place, receipt in enumerate(receipts) if receipt.holds(transaction)]
    if not places:
        raise InputError(sentence("chain.not-in-block", transaction=transaction))
    path = merkle_path([receipt_leaf(receipt) for receipt in receipts], places[0])
    return InclusionProof(receipt=receipts[places[0]], path=path, header=header.hex(), block_id=block_id(header))


def check_inclusion(proof: InclusionProof, *, packed: str, signatures: Sequence[str]) -> Finding:
    """Check that the proof leads from these packed bytes and signatures (both hex) to the root in its own header."""
    try:
        header, leaf = read_header(bytes.fromhex(proof.header)), receipt_leaf(proof.receipt)
    except (ValueError, InputError):
        return Finding(outcome="fail", detail="The block header in the proof is damaged.")
    # A receipt that has the transaction by its id alone shows no bytes, so it cannot prove these.
    if proof.receipt.packed != packed or proof.receipt.id is not None:
        return Finding(outcome="fail", detail="The receipt belongs to another transaction.")
    if list(proof.receipt.signatures) != list(signatures):
        return Finding(outcome="fail", detail="The receipt has other signatures.")
    if proof.receipt.status != "executed":
        return Finding(outcome="fail", detail=f"The transaction had no effect: its status is {proof.receipt.status}.")
    if header.savanna:
        return Finding(outcome="not_checked", detail=f"Not checked, because {SAVANNA}.")
    if root_of(leaf, proof.path) != header.transaction_mroot:
        return Finding(outcome="fail", detail="The Merkle path does not lead to the block's transaction_mroot.")
    return Finding(outcome="pass", detail=f"The transaction is in block {header.number}.")


def check_block_id(proof: InclusionProof) -> Finding:
    """Check that the proof's header has the block id that it names."""
    try:
        found = block_id(bytes.fromhex(proof.header))
    except (ValueError, InputError):
        return Finding(outcome="fail", detail="The block header in the proof is damaged.")
    if found != proof.block_id:
        return Finding(outcome="fail", detail=f"The header belongs to block {found}, not {proof.block_id}.")
    return Finding(outcome="pass", detail=f"The header belongs to block {found}.")


def check_irreversible(named: Digest, *, on_chain: Digest, last_irreversible: int) -> Finding:
    """Check whether the block is irreversible; `on_chain` is the chain's block id at its number."""
    number = block_number(named)
    if on_chain != named:
        return Finding(outcome="fail", detail=f"The blockchain has another block {number}: {on_chain}.")
    if number > last_irreversible:
        detail = (
            f"Not checked, because block {number} is not irreversible yet; the last irreversible block is "
            f"{last_irreversible}."
        )
        return Finding(outcome="not_checked", detail=detail)
    return Finding(outcome="pass", detail=f"Block {number} is irreversible.")


def check_code(on_chain: Digest, *, expected: Digest) -> Finding:
    """Check whether the contract's account has the expected code."""
    if on_chain != expected:
        return Finding(outcome="fail", detail=f"The contract's code is {on_chain}, not {expected}.")
    return Finding(outcome="pass", detail=f"The contract's code is {expected}.")


def _packed_digest(receipt: BlockReceipt) -> Digest:
    prunable = Packer().list(receipt.signatures, lambda out, one: out.raw(bytes.fromhex(one)))
    prunable.blob(bytes.fromhex(receipt.context_free_data))
    whole = Packer().uint8(get_args(Compression).index(receipt.compression)).blob(bytes.fromhex(receipt.packed))
    return _sha256(whole.checksum256(_sha256(prunable.packed())).packed())


def _next_level(level: list[Digest]) -> list[Digest]:
    """Return the next level; a last node without neighbour is paired with itself, as in nodeos."""
    even = [*level, level[-1]] if len(level) % 2 else level
    return [_pair(left, right) for left, right in zip(even[::2], even[1::2], strict=True)]


def _pair(left: Digest, right: Digest) -> Digest:
    first, second = bytearray.fromhex(left), bytearray.fromhex(right)
    # As nodeos makes a canonical pair: the first bit of each half says left or right.
    first[0] &= 0x7F
    second[0] |= 0x80
    return _sha256(bytes(first + second))


def _sha256(data: bytes) -> Digest:
    return hashlib.sha256(data).hexdigest()


def _skip_schedule(part: Unpacker) -> None:
    """A new list of producers, which nothing here needs: version, then names and keys."""
    part.uint32()
    part.list(_skip_producer)


def _skip_producer(part: Unpacker) -> None:
    part.name()
    kind = part.uint8()
    part.raw(33)
    if kind == _WEBAUTHN:
        part.uint8()
        part.blob()
