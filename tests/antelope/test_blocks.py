"""Two blocks of the EOS main chain, as its nodes gave them in 2018 and 2019; and blocks that cannot be proven here."""

from __future__ import annotations

import json
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from passer.antelope.client.chain import recovered_keys
from passer.antelope.client.rpc import Rpc
from passer.antelope.format.transactions import packed_transaction, transaction_id, unpacked_transaction
from passer.antelope.proofs.blocks import Blocks, block_receipts, packed_header
from passer.antelope.proofs.inclusion import (
    InclusionProof,
    block_id,
    check_block_id,
    check_inclusion,
    prove_inclusion,
    read_header,
    receipt_leaf,
)
from passer.antelope.signing.keys import PrivateKey
from passer.antelope.signing.signatures import packed_signature
from passer.errors import InputError, NotFoundError
from tests.antelope.legacy import merkle_root
from tests.antelope.scripted_node import ScriptedNode

BLOCKS: list[dict[str, Any]] = json.loads(Path(__file__).with_name("mainnet_blocks.json").read_text())
EOS = "aca376f206b8fc25a6ed44dbdc66547c36c6c33e3a119ffbeaef943642f0e906"
ONE, FOUR = BLOCKS
RAW, VIEW, BLOCK_INFO = "/v1/chain/get_raw_block", "/v1/chain/get_block", "/v1/chain/get_block_info"


@pytest.mark.parametrize("block", BLOCKS, ids=["one transaction", "four, one of them deferred"])
def test_a_block_of_the_main_chain(block: dict[str, Any]) -> None:
    header, receipts = packed_header(block), block_receipts(block)
    assert block_id(header) == block["id"]
    assert read_header(header).number == block["block_num"]
    assert merkle_root([receipt_leaf(one) for one in receipts]) == block["transaction_mroot"]
    for part in block["transactions"]:
        if isinstance(part["trx"], str):
            assert prove_inclusion(receipts, header, transaction=part["trx"]).receipt.id == part["trx"]
            continue
        packed = part["trx"]["packed_trx"]
        assert transaction_id(bytes.fromhex(packed)) == part["trx"]["id"]
        assert packed_transaction(unpacked_transaction(bytes.fromhex(packed))).hex() == packed
        proof = prove_inclusion(receipts, header, transaction=part["trx"]["id"])
        signatures = [packed_signature(text).hex() for text in part["trx"]["signatures"]]
        assert check_inclusion(proof, packed=packed, signatures=signatures).outcome == "pass"
        assert check_block_id(proof).outcome == "pass"


def test_signers_of_the_main_chain() -> None:
    """One key for each of a transaction's four signatures."""
    held = FOUR["transactions"][1]["trx"]
    keys = recovered_keys(bytes.fromhex(held["packed_trx"]), held["signatures"], chain_id=EOS)
    assert len(set(keys)) == 4
    held = ONE["transactions"][0]["trx"]
    (key,) = recovered_keys(bytes.fromhex(held["packed_trx"]), held["signatures"], chain_id=EOS)
    assert key.legacy_text == "EOS5kp5nrcG329Sm9EEUm8QqCgEYXQJn6dhpxWxhVrYj6WLcpLS4n"


def test_a_header_with_new_producers_is_packed_as_it_is_read() -> None:
    producers = [{"producer_name": "alice", "block_signing_key": PrivateKey.generate().public.legacy_text}]
    body = {**ONE, "new_producers": {"version": 45, "producers": producers}, "header_extensions": [[1, "abcd"]]}
    header = packed_header(body)
    version, count, producer, extension = 4, 1, 8 + 34, 2 + 1 + 2
    assert len(header) == len(packed_header(ONE)) + version + count + producer + extension
    assert read_header(header).extensions == (1,)


@pytest.mark.parametrize(
    "change",
    [
        {"timestamp": "yesterday"},
        {"timestamp": None},
        {"previous": "zz"},
        {"producer": 5},
        {"confirmed": "x"},
        {"header_extensions": [[1]]},
    ],
)
def test_what_is_no_block(change: dict[str, Any]) -> None:
    with pytest.raises(InputError):
        packed_header({**ONE, **change})


@pytest.mark.parametrize(
    "part",
    [{}, {"status": "lost"}, {"trx": 5}, {"trx": [1]}, {"trx": {"signatures": ["SIG_K1_x"]}}, {"cpu_usage_us": "x"}],
)
def test_what_is_no_receipt(part: dict[str, Any]) -> None:
    receipt = {**deepcopy(ONE["transactions"][0]), **part} if part else {}
    with pytest.raises(InputError):
        block_receipts({"transactions": [receipt]})


@pytest.fixture
def node() -> ScriptedNode:
    node = ScriptedNode()
    node.say(BLOCK_INFO, 200, {"block_num": FOUR["block_num"], "id": FOUR["id"], "timestamp": FOUR["timestamp"]})
    return node


@pytest.fixture
def blocks(node: ScriptedNode) -> Iterator[Blocks]:
    with node.serving() as url:
        rpc = Rpc([url], connect_timeout_s=2, read_timeout_s=5)
        yield Blocks(rpc)
        rpc.close()


WANTED = FOUR["transactions"][2]["trx"]["id"]


def test_a_node_too_old_to_give_raw_blocks(node: ScriptedNode, blocks: Blocks) -> None:
    """Enough, as long as the header has no extensions."""
    node.say(VIEW, 200, FOUR)
    assert isinstance(blocks.proof(FOUR["block_num"], WANTED), InclusionProof)
    extended = packed_header({**FOUR, "header_extensions": [[0, "00"]]})
    node.say(BLOCK_INFO, 200, {"block_num": 5, "id": block_id(extended), "timestamp": FOUR["timestamp"]})
    finding = blocks.proof(FOUR["block_num"], WANTED)
    assert not isinstance(finding, InclusionProof)
    assert (finding.outcome, "Leap 4" in finding.detail) == ("not_checked", True)


def test_a_block_under_savanna(node: ScriptedNode, blocks: Blocks) -> None:
    body = {**FOUR, "header_extensions": [[2, "00" * 40]]}
    savanna = block_id(packed_header(body))
    node.say(RAW, 200, body)
    node.say(BLOCK_INFO, 200, {"block_num": FOUR["block_num"], "id": savanna, "timestamp": FOUR["timestamp"]})
    finding = blocks.proof(FOUR["block_num"], WANTED)
    assert not isinstance(finding, InclusionProof)
    assert (finding.outcome, "Savanna" in finding.detail) == ("not_checked", True)


def test_a_node_without_blocks(blocks: Blocks) -> None:
    with pytest.raises(NotFoundError, match="does not return blocks"):
        blocks.proof(5, WANTED)


def test_a_compressed_transaction_is_not_taken_for_ours() -> None:
    """Its id would be that of the bytes before compression."""
    part = deepcopy(ONE["transactions"][0])
    part["trx"]["compression"] = "zlib"
    (receipt,) = block_receipts({"transactions": [part]})
    assert not receipt.holds(part["trx"]["id"])
    assert receipt_leaf(receipt) != receipt_leaf(block_receipts(ONE)[0])
