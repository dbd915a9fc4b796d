"""That a transaction stands in a block: receipt, Merkle path, block id. Arithmetic over bytes that anyone can fetch.

This is the rule of EOSIO and Leap. A block that carries a finality extension follows another one (Savanna: Spring 1
and later), and is not checked here.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Literal, get_args

from passer.domain.base import Frozen
from passer.domain.bundle.verification import Finding
from passer.domain.ledger.antelope.packing import Packer, Unpacker
from passer.domain.ledger.antelope.transaction import transaction_id
from passer.domain.ledger.entry import Digest
from passer.errors import InputError

Status = Literal["executed", "soft_fail", "hard_fail", "delayed", "expired"]
"""In the order of their packed numbers."""
Compression = Literal["none", "zlib"]
"""In the order of their packed numbers."""

FINALITY_EXTENSION = 2
"""Of a block header under Savanna."""
SAVANNA = "this block follows Savanna's rule, which is not known here"
_SLOTS_SINCE = datetime(2000, 1, 1, tzinfo=UTC)
_SLOT = timedelta(milliseconds=500)
_WEBAUTHN = 2


class BlockReceipt(Frozen):
    """What a block says of one of its transactions, and all that goes into its Merkle leaf."""

    status: Status
    """How it ended."""
    cpu_us: int
    """Microseconds billed."""
    net_words: int
    """Words of 8 bytes billed."""
    id: Digest | None = None
    """Of a transaction that stands there by its id alone; then what follows is empty."""
    signatures: tuple[str, ...] = ()
    """Packed, hex: kind and 65 bytes each."""
    compression: Compression = "none"
    """Of the packed bytes."""
    context_free_data: str = ""
    """Packed, hex."""
    packed: str = ""
    """The transaction's bytes, hex, compressed where it says so."""

    def holds(self, wanted: Digest) -> bool:
        """Whether it is of the transaction with that id."""
        if self.id is not None:
            return self.id == wanted
        return self.compression == "none" and transaction_id(bytes.fromhex(self.packed)) == wanted


class MerkleStep(Frozen):
    """A neighbour on the way from a leaf to the root."""

    side: Literal["left", "right"]
    """Where the neighbour stands."""
    digest: Digest
    """Of the neighbour."""


class InclusionProof(Frozen):
    """All that shows that a transaction stands in a block."""

    receipt: BlockReceipt
    """The block's word on it."""
    path: tuple[MerkleStep, ...]
    """From the receipt's leaf up."""
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
        """Whether another Merkle rule holds."""
        return FINALITY_EXTENSION in self.extensions


def read_header(header: bytes) -> Header:
    """A header's fields; InputError for bytes that are none."""
    part = Unpacker(header)
    at, producer, _ = _SLOTS_SINCE + _SLOT * part.uint32(), part.name(), part.uint16()
    previous, transaction_mroot, _, _ = part.checksum256(), part.checksum256(), part.checksum256(), part.uint32()
    if part.boolean():
        _skip_schedule(part)
    extensions = part.list(lambda one: (one.uint16(), one.blob()))
    part.done()
    return Header(at, producer, previous, transaction_mroot, tuple(number for number, _ in extensions))


def block_number(block_id: Digest) -> int:
    """The first four bytes of a block's id."""
    return int(block_id[:8], 16)


def block_id(header: bytes) -> Digest:
    """Of a header: its number in four bytes, then the rest of its SHA-256."""
    number = read_header(header).number
    return number.to_bytes(4, "big").hex() + hashlib.sha256(header).hexdigest()[8:]


def receipt_leaf(receipt: BlockReceipt) -> Digest:
    """The Merkle leaf of a receipt."""
    packer = Packer().uint8(get_args(Status).index(receipt.status))
    packer.uint32(receipt.cpu_us).varuint32(receipt.net_words)
    return _sha256(packer.checksum256(receipt.id or _packed_digest(receipt)).packed())


def merkle_root(leaves: Sequence[Digest]) -> Digest:
    """Root over leaves; 64 zeros over none. Of a pair the left hash begins with bit 0 and the right with bit 1."""
    level = list(leaves) or ["0" * 64]
    while len(level) > 1:
        level = _next_level(level)
    return level[0]


def merkle_path(leaves: Sequence[Digest], place: int) -> tuple[MerkleStep, ...]:
    """Neighbours of the leaf at `place`, from 0, on its way up."""
    level, steps = list(leaves), []
    while len(level) > 1:
        neighbour = min(place ^ 1, len(level) - 1)
        steps.append(MerkleStep(side="left" if place % 2 else "right", digest=level[neighbour]))
        level, place = _next_level(level), place // 2
    return tuple(steps)


def root_of(leaf: Digest, path: Sequence[MerkleStep]) -> Digest:
    """Where a path leads from a leaf."""
    for step in path:
        leaf = _pair(step.digest, leaf) if step.side == "left" else _pair(leaf, step.digest)
    return leaf


def prove_inclusion(receipts: Sequence[BlockReceipt], header: bytes, *, transaction: Digest) -> InclusionProof:
    """The proof for one of a block's transactions; InputError where the block does not hold it."""
    places = [place for place, receipt in enumerate(receipts) if receipt.holds(transaction)]
    if not places:
        raise InputError(f"Look into another block: this one does not hold the transaction {transaction}.")
    path = merkle_path([receipt_leaf(receipt) for receipt in receipts], places[0])
    return InclusionProof(receipt=receipts[places[0]], path=path, header=header.hex(), block_id=block_id(header))


def check_inclusion(proof: InclusionProof, *, packed: str, signatures: Sequence[str]) -> Finding:
    """Whether the proof leads from these packed bytes and signatures (both hex) to the root in its own header."""
    try:
        header, leaf = read_header(bytes.fromhex(proof.header)), receipt_leaf(proof.receipt)
    except (ValueError, InputError):
        return Finding(outcome="fail", detail="The proof's block header is damaged.")
    if proof.receipt.packed != packed or proof.receipt.id is not None:
        return Finding(outcome="fail", detail="The block's receipt is of another transaction.")
    if list(proof.receipt.signatures) != list(signatures):
        return Finding(outcome="fail", detail="The block's receipt has other signatures.")
    if proof.receipt.status != "executed":
        return Finding(outcome="fail", detail=f"The transaction had no effect: it {proof.receipt.status}.")
    if header.savanna:
        return Finding(outcome="not_checked", detail=f"Not checked, because {SAVANNA}.")
    if root_of(leaf, proof.path) != header.transaction_mroot:
        return Finding(outcome="fail", detail="The Merkle path does not lead to the block's transaction_mroot.")
    return Finding(outcome="pass", detail=f"The transaction stands in block {header.number}.")


def check_block_id(proof: InclusionProof) -> Finding:
    """Whether the proof's header has the block id that it names."""
    try:
        found = block_id(bytes.fromhex(proof.header))
    except (ValueError, InputError):
        return Finding(outcome="fail", detail="The proof's block header is damaged.")
    if found != proof.block_id:
        return Finding(outcome="fail", detail=f"The header is of block {found}, not of {proof.block_id}.")
    return Finding(outcome="pass", detail=f"The header is that of block {found}.")


def check_irreversible(named: Digest, *, on_chain: Digest, last_irreversible: int) -> Finding:
    """Whether the block stands on the chain for good: `on_chain` is the id that the chain has at its number."""
    number = block_number(named)
    if on_chain != named:
        return Finding(outcome="fail", detail=f"The chain has another block at {number}: {on_chain}.")
    if number > last_irreversible:
        detail = (
            f"Not checked, because block {number} can still be undone: {last_irreversible} is the last that cannot."
        )
        return Finding(outcome="not_checked", detail=detail)
    return Finding(outcome="pass", detail=f"Block {number} cannot be undone: the chain is past it.")


def check_code(on_chain: Digest, *, expected: Digest) -> Finding:
    """Whether the contract's account holds the code that is expected."""
    if on_chain != expected:
        return Finding(outcome="fail", detail=f"The contract's code is {on_chain}, not {expected}.")
    return Finding(outcome="pass", detail=f"The contract's code is {expected}.")


def _packed_digest(receipt: BlockReceipt) -> Digest:
    prunable = Packer().list(receipt.signatures, lambda out, one: out.raw(bytes.fromhex(one)))
    prunable.blob(bytes.fromhex(receipt.context_free_data))
    whole = Packer().uint8(get_args(Compression).index(receipt.compression)).blob(bytes.fromhex(receipt.packed))
    return _sha256(whole.checksum256(_sha256(prunable.packed())).packed())


def _next_level(level: list[Digest]) -> list[Digest]:
    """A last one without neighbour is its own."""
    even = [*level, level[-1]] if len(level) % 2 else level
    return [_pair(left, right) for left, right in zip(even[::2], even[1::2], strict=True)]


def _pair(left: Digest, right: Digest) -> Digest:
    first, second = bytearray.fromhex(left), bytearray.fromhex(right)
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
