"""Proofs of inclusion over the blocks of a real node."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

from passer.antelope.client.chain import AntelopeChain, SignedTransaction, recovered_keys
from passer.antelope.format.transactions import packed_transaction, transaction_id, unpacked_transaction
from passer.antelope.proofs.blocks import Blocks, block_receipts, packed_header
from passer.antelope.proofs.inclusion import (
    InclusionProof,
    block_id,
    check_block_id,
    check_inclusion,
    check_irreversible,
    read_header,
    receipt_leaf,
)
from passer.antelope.signing.signatures import packed_signature
from passer.errors import InputError
from tests.antelope.entries import entry
from tests.antelope.legacy import merkle_root
from tests.antelope.node import signed

if TYPE_CHECKING:
    from tests.chain.booted import Chain


@pytest.fixture(scope="module")
def client(chain: Chain) -> AntelopeChain:
    return AntelopeChain(chain.rpc, chain.contract)


@pytest.fixture(scope="module")
def together(chain: Chain, client: AntelopeChain) -> list[SignedTransaction]:
    """Five transactions, pushed at once: an odd number, so that the Merkle tree mostly has a lone leaf."""
    run = f"block {time.monotonic_ns()}"
    recorded = [[entry(number, run=run), entry(number + 50, run=run)] for number in range(5)]
    transactions = [signed(chain, client, pair) for pair in recorded]
    for one in transactions:
        client.push(one)
    chain.wait_irreversible(chain.wait_blocks(1))
    return transactions


def test_proofs_of_inclusion(chain: Chain, together: list[SignedTransaction]) -> None:
    blocks, deepest = Blocks(chain.rpc), 0
    for one in together:
        number = chain.rpc.block_of(one.prepared.id)
        assert number is not None
        proof = blocks.proof(number, one.prepared.id)
        assert isinstance(proof, InclusionProof)
        deepest = max(deepest, len(proof.path))
        signatures = [packed_signature(text).hex() for text in one.signatures]
        assert check_inclusion(proof, packed=one.prepared.packed, signatures=signatures).outcome == "pass"
        assert check_block_id(proof).outcome == "pass"
        info, on_chain = chain.rpc.info(), chain.rpc.block_info(number).id
        checked = check_irreversible(
            proof.block_id, on_chain=on_chain, last_irreversible=info.last_irreversible_block_num
        )
        assert checked.outcome == "pass"
    assert deepest > 0, "more than one transaction in a block"


def test_a_block_without_a_transaction_proves_nothing_of_it(chain: Chain, together: list[SignedTransaction]) -> None:
    number = chain.rpc.block_of(together[3].prepared.id)
    assert number is not None
    with pytest.raises(InputError, match="does not contain transaction"):
        Blocks(chain.rpc).proof(number, "ab" * 32)


def test_every_block_so_far(chain: Chain, together: list[SignedTransaction]) -> None:
    """Ids, roots, bytes and signers of all blocks, also those that carry protocol features."""
    head, extended, seen = chain.rpc.info().last_irreversible_block_num, 0, 0
    public = {key.public for key in chain.keys.values()}
    for number in range(2, head + 1):
        body, view = chain.rpc.raw_block(number), chain.rpc.block(number)
        assert body is not None
        assert view is not None
        header = packed_header(body)
        assert block_id(header) == chain.rpc.block_info(number).id
        extended += len(read_header(header).extensions)
        receipts = block_receipts(body)
        assert receipts == block_receipts(view), "both forms of a block say the same"
        assert merkle_root([receipt_leaf(one) for one in receipts]) == body["transaction_mroot"]
        for part in view["transactions"]:
            packed = bytes.fromhex(part["trx"]["packed_trx"])
            assert transaction_id(packed) == part["trx"]["id"]
            assert packed_transaction(unpacked_transaction(packed)) == packed
            assert set(recovered_keys(packed, part["trx"]["signatures"], chain_id=chain.chain_id)) <= public
            seen += 1
    assert extended >= 2
    assert seen > 5
