"""Merkle paths against a second way to compute the root, header bytes by hand, every tampering found."""

from __future__ import annotations

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from passer.antelope.format.packing import Packer
from passer.antelope.format.transactions import transaction_id
from passer.antelope.proofs.inclusion import (
    BlockReceipt,
    InclusionProof,
    MerkleStep,
    block_id,
    check_block_id,
    check_code,
    check_inclusion,
    check_irreversible,
    merkle_path,
    prove_inclusion,
    read_header,
    receipt_leaf,
    root_of,
)
from passer.errors import InputError
from tests.antelope.legacy import merkle_root

SIGNATURE = "00" + "1f" * 65
DIGESTS = st.lists(st.binary(min_size=32, max_size=32).map(bytes.hex), min_size=1, max_size=20)


def recursive_root(leaves: list[bytes]) -> bytes:
    """EOSIO's rule written the other way round: by halves of the next power of two, the last leaf repeated."""
    if len(leaves) == 1:
        return leaves[0]
    half = 1
    while half * 2 < len(leaves):
        half *= 2
    left = recursive_root(leaves[:half])
    right_leaves = leaves[half:]
    # A lone subtree on the right is lifted to the left one's height by pairing it with itself.
    right, height = recursive_root(right_leaves), 1
    while height < len(right_leaves):
        height *= 2
    while height < half:
        right = pair(right, right)
        height *= 2
    return pair(left, right)


def pair(left: bytes, right: bytes) -> bytes:
    number = int.from_bytes(left + right, "big")
    number &= ~(1 << 511)
    number |= 1 << 255
    return hashlib.sha256(number.to_bytes(64, "big")).digest()


@given(DIGESTS)
def test_the_root(leaves: list[str]) -> None:
    assert merkle_root(leaves) == recursive_root([bytes.fromhex(leaf) for leaf in leaves]).hex()


@given(DIGESTS, st.data())
def test_every_path_leads_to_the_root(leaves: list[str], data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(leaves) - 1))
    path = merkle_path(leaves, place)
    assert root_of(leaves[place], path) == merkle_root(leaves)
    other = hashlib.sha256(bytes.fromhex(leaves[place])).hexdigest()
    assert root_of(other, path) != merkle_root(leaves)


def receipt(number: int) -> BlockReceipt:
    return BlockReceipt(
        status="executed", cpu_us=100 + number, net_words=300, signatures=(SIGNATURE,), packed=bytes([number]).hex()
    )


def header_of(root: str, *, extensions: tuple[tuple[int, bytes], ...] = (), schedule: bytes = b"\0") -> bytes:
    packer = Packer().uint32(1_000_000_001).name("eosio").uint16(0).checksum256("0000002a" + "11" * 28)
    packer.checksum256(root).checksum256("22" * 32).uint32(7).raw(schedule)
    return packer.list(extensions, lambda out, part: out.uint16(part[0]).blob(part[1])).packed()


RECEIPTS = [receipt(number) for number in range(5)]
ROOT = merkle_root([receipt_leaf(one) for one in RECEIPTS])


def proof_of(place: int, header: bytes) -> InclusionProof:
    return prove_inclusion(RECEIPTS, header, transaction=transaction_id(bytes([place])))


def test_fields_of_a_header() -> None:
    header = read_header(header_of(ROOT))
    assert header.at.isoformat() == "2015-11-05T00:53:20.500000+00:00"
    assert (header.number, header.producer, header.transaction_mroot) == (0x2B, "eosio", ROOT)
    assert block_id(header_of(ROOT)).startswith("0000002b")


def test_a_header_with_new_producers() -> None:
    """Two producers, one with a WebAuthn key, whose length varies; then an extension."""
    plain = Packer().name("alice").uint8(0).raw(b"\x02" * 33).packed()
    webauthn = Packer().name("bob").uint8(2).raw(b"\x03" * 33).uint8(1).string("example.org").packed()
    schedule = Packer().boolean(True).uint32(8).varuint32(2).raw(plain + webauthn).packed()
    header = read_header(header_of(ROOT, schedule=schedule, extensions=((1, b"abc"),)))
    assert (header.extensions, header.savanna) == ((1,), False)


@pytest.mark.parametrize("place", range(5))
def test_a_proof_passes(place: int) -> None:
    proof = proof_of(place, header_of(ROOT))
    checked = check_inclusion(proof, packed=bytes([place]).hex(), signatures=[SIGNATURE])
    assert (checked.outcome, checked.detail) == ("pass", "The transaction is in block 43.")
    assert check_block_id(proof).outcome == "pass"


def tampered(proof: InclusionProof, **changes: object) -> InclusionProof:
    return InclusionProof.model_validate({**proof.model_dump(), **changes})


def test_every_tampering_is_found() -> None:
    proof, packed = proof_of(2, header_of(ROOT)), "02"
    step = proof.path[0]
    flipped = MerkleStep(side="left" if step.side == "right" else "right", digest=step.digest)
    wrong = [
        tampered(proof, path=proof.path[1:]),
        tampered(proof, path=(flipped, *proof.path[1:])),
        tampered(proof, header=header_of("33" * 32).hex()),
        tampered(proof, header=proof.header[:-2]),
        tampered(proof, header="zz"),
        tampered(proof, receipt=proof.receipt.model_copy(update={"cpu_us": 1})),
        tampered(proof, receipt=proof.receipt.model_copy(update={"status": "hard_fail"})),
    ]
    assert [check_inclusion(one, packed=packed, signatures=[SIGNATURE]).outcome for one in wrong] == ["fail"] * 7
    assert check_inclusion(proof, packed="03", signatures=[SIGNATURE]).outcome == "fail"
    assert check_inclusion(proof, packed=packed, signatures=[]).outcome == "fail"
    assert check_block_id(tampered(proof, block_id="00" * 32)).outcome == "fail"
    assert check_block_id(tampered(proof, header="")).outcome == "fail"


def test_savanna_is_not_checked() -> None:
    proof = proof_of(2, header_of(ROOT, extensions=((2, b"\0" * 9),)))
    checked = check_inclusion(proof, packed="02", signatures=[SIGNATURE])
    assert checked.outcome == "not_checked"
    assert "Savanna" in checked.detail


def test_a_block_that_does_not_hold_it() -> None:
    with pytest.raises(InputError, match="does not contain transaction"):
        prove_inclusion(RECEIPTS, header_of(ROOT), transaction="ab" * 32)


def test_irreversible() -> None:
    named = "0000002b" + "44" * 28
    assert check_irreversible(named, on_chain=named, last_irreversible=43).outcome == "pass"
    assert check_irreversible(named, on_chain=named, last_irreversible=42).outcome == "not_checked"
    assert check_irreversible(named, on_chain="0000002b" + "55" * 28, last_irreversible=99).outcome == "fail"


def test_code() -> None:
    assert check_code("aa" * 32, expected="aa" * 32).outcome == "pass"
    assert check_code("00" * 32, expected="aa" * 32).outcome == "fail"
