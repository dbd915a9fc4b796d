"""The client against a real node: posting, refusals, keys recovered over its blocks, proofs of inclusion."""

from __future__ import annotations

import hashlib
import json
import logging
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from passer.adapters.antelope.authorities import Authority
from passer.adapters.antelope.blocks import Blocks, block_receipts, packed_header
from passer.adapters.antelope.chain import AntelopeChain, new_transaction, recovered_keys
from passer.adapters.antelope.keys import legacy_private_text
from passer.adapters.antelope.signatures import packed_signature, sign
from passer.adapters.antelope.system_actions import setcode, updateauth
from passer.domain.ledger import entry as ledger
from passer.domain.ledger.antelope.transaction import (
    PermissionLevel,
    packed_transaction,
    signing_digest,
    transaction_id,
    unpacked_transaction,
)
from passer.domain.ledger.chain import PushReceipt, SignedTransaction
from passer.domain.ledger.chain_proof import (
    InclusionProof,
    block_id,
    check_block_id,
    check_inclusion,
    check_irreversible,
    merkle_root,
    read_header,
    receipt_leaf,
)
from passer.domain.ledger.entry import Entry
from passer.errors import ChainRefused, InputError, NotFoundError
from tests.adapters.antelope.entries import entries, entry
from tests.conftest import ROOT

if TYPE_CHECKING:
    from tests.chain.booted import Chain

BY = "researcher1"
ABI = json.loads((ROOT / "contracts" / "llmtest" / "llmtest.abi").read_text())


@pytest.fixture(scope="module")
def client(chain: Chain) -> AntelopeChain:
    return AntelopeChain(chain.rpc, chain.contract)


def signed(chain: Chain, client: AntelopeChain, recorded: list[Entry], *, by: str = BY) -> SignedTransaction:
    return client.sign(client.prepare(recorded, by), chain.keys[by])


def posted(chain: Chain, client: AntelopeChain, recorded: list[Entry]) -> tuple[SignedTransaction, PushReceipt]:
    transaction = signed(chain, client, recorded)
    return transaction, client.push(transaction)


def refused(act: Callable[[], object]) -> ChainRefused:
    with pytest.raises(ChainRefused) as raised:
        act()
    return raised.value


def test_fifty_entries_are_posted_and_found(chain: Chain, client: AntelopeChain) -> None:
    recorded = entries(50, run="fifty")
    transaction, receipt = posted(chain, client, recorded)
    assert receipt.transaction_id == transaction.prepared.id
    assert receipt.cpu_us > 0
    assert receipt.net_bytes > 50 * 300
    assert receipt.ram_bytes > 50 * 400
    rows = list(client.rows_of(ledger.testid_of("fifty")))
    by_digest = {row.run_digest: row for row in rows}
    assert len(rows) == len(by_digest) == 50
    for one in recorded:
        row = by_digest[one.run_digest]
        assert (row.action, row.account, row.testid) == (one.action, BY, one.testid)
        assert (row.description, row.results, row.config_digest) == (one.description, one.results, one.config_digest)
    shown = {row["run_digest"]: row for row in chain.rows("testtable") + chain.rows("timetable")}
    assert shown.keys() >= by_digest.keys(), "the node's own serialiser reads the same rows"
    found = client.find(recorded[7].run_digest, testid=ledger.testid_of("fifty"), creator=BY)
    assert found == [by_digest[recorded[7].run_digest]]
    assert client.find(recorded[7].run_digest, testid=ledger.testid_of("fifty"), creator="researcher2") == []
    assert client.find("00" * 32, testid=ledger.testid_of("fifty"), creator=BY) == []


def test_more_rows_of_a_run_than_a_page_holds(chain: Chain, client: AntelopeChain) -> None:
    recorded = [entry(number, run="long") for number in range(420)]
    prepared = client.prepare_all(recorded, BY)
    assert [len(one.entries) for one in prepared] == [50] * 8 + [20]
    for one in prepared:
        client.push(client.sign(one, chain.keys[BY]))
        client.push(signed(chain, client, [entry(len(one.id), run=one.id)]))
    rows = list(client.rows_of(ledger.testid_of("long")))
    assert [row.run_digest for row in rows] == [one.run_digest for one in recorded], "in order"
    by_account = client.rows.of_account("addtest", BY)
    assert {row.run_digest for row in by_account} >= {one.run_digest for one in recorded}
    last = client.rows.last_number("addtest")
    assert last is not None
    row = client.rows.one("addtest", last)
    assert row is not None
    assert row.id == f"addtest-{last}"
    assert client.rows.one("addtest", last + 1) is None


def test_the_same_bytes_are_refused_as_a_duplicate(chain: Chain, client: AntelopeChain) -> None:
    transaction, _ = posted(chain, client, [entry(1, run="twice")])
    assert refused(lambda: client.push(transaction)).reason == "duplicate"
    chain.wait_blocks(2)
    assert refused(lambda: client.push(transaction)).reason == "duplicate"
    assert len(client.find(entry(1, run="twice").run_digest, testid=ledger.testid_of("twice"), creator=BY)) == 1


def test_an_expired_transaction(chain: Chain, client: AntelopeChain) -> None:
    prepared = client.prepare([entry(1, run="late")], BY, lifetime_s=1)
    while client.rpc.info().head_block_time <= prepared.expires_at:
        time.sleep(0.1)
    assert refused(lambda: client.push(client.sign(prepared, chain.keys[BY]))).reason == "expired"


def test_a_transaction_of_another_chain(chain: Chain, client: AntelopeChain) -> None:
    """Its reference block is not on this one."""
    info = client.rpc.info()
    other = info.model_copy(update={"last_irreversible_block_id": "00000001" + "77" * 28})
    packed = packed_transaction(new_transaction(other, client.prepare([entry(1)], BY).transaction.actions))
    digest = signing_digest(packed, chain_id=info.chain_id)
    assert refused(lambda: client.rpc.push(packed, [sign(digest, chain.keys[BY]).text])).reason == "reference"


def test_authority(chain: Chain, client: AntelopeChain) -> None:
    recorded = [entry(1, run="authority")]
    foreign = client.sign(client.prepare(recorded, BY), chain.keys["stranger"])
    assert refused(lambda: client.push(foreign)).reason == "authority"
    unsigned = client.sign(client.prepare(recorded, BY), chain.keys[BY]).model_copy(update={"signatures": ()})
    assert refused(lambda: client.push(unsigned)).reason == "authority"
    unknown = client.sign(client.prepare(recorded, BY, permission="nosuch"), chain.keys[BY])
    assert refused(lambda: client.push(unknown)).reason == "authority"
    nobody = client.sign(client.prepare(recorded, "nobody"), chain.keys[BY])
    assert refused(lambda: client.push(nobody)).reason == "account"
    elsewhere = AntelopeChain(chain.rpc, "nocontract")
    assert refused(lambda: elsewhere.push(signed(chain, elsewhere, recorded))).reason == "account"


def test_a_changed_transaction_no_longer_fits_its_signature(chain: Chain, client: AntelopeChain) -> None:
    transaction = signed(chain, client, [entry(1, run="changed")])
    packed = bytearray.fromhex(transaction.prepared.packed)
    packed[-40] ^= 1
    keys = recovered_keys(bytes(packed), transaction.signatures, chain_id=transaction.prepared.chain_id)
    assert keys != (chain.keys[BY].public,)
    assert refused(lambda: client.rpc.push(bytes(packed), transaction.signatures)).reason == "authority"


def test_what_the_contract_refuses_is_said(chain: Chain, client: AntelopeChain) -> None:
    too_long = entry(1).model_copy(update={"description": "x" * 257})
    error = refused(lambda: client.push(signed(chain, client, [too_long])))
    assert error.reason == "contract"
    assert error.said
    assert error.said in error.message


def test_memory_runs_out(fresh_chain: Chain) -> None:
    chain, client = fresh_chain, AntelopeChain(fresh_chain.rpc, fresh_chain.contract)
    chain.limit(BY, ram=chain.ram_usage(BY) + 1000)
    error = refused(lambda: client.push(signed(chain, client, entries(50, run="ram"))))
    assert error.reason == "ram"
    assert BY in error.message
    client.push(signed(chain, client, [entry(1, run="ram")]))


def test_the_network_budget_runs_out(fresh_chain: Chain) -> None:
    chain, client = fresh_chain, AntelopeChain(fresh_chain.rpc, fresh_chain.contract)
    chain.limit("researcher2", net=1_000_000)
    chain.limit(BY, net=0)
    chain.wait_blocks(1)
    assert refused(lambda: client.push(signed(chain, client, [entry(1)]))).reason == "net"


def test_the_signers_authority(fresh_chain: Chain) -> None:
    """As it is, with two keys of which both are needed, and handed to another account."""
    chain, client = fresh_chain, AntelopeChain(fresh_chain.rpc, fresh_chain.contract)
    transaction = signed(chain, client, [entry(1)])
    assert client.check_signed(transaction).satisfied is True
    foreign = client.sign(transaction.prepared, chain.keys["stranger"])
    assert client.check_signed(foreign).satisfied is False
    first, second = chain.keys[BY].public, chain.keys["researcher2"].public
    chain.push(updateauth(BY, "active", Authority(3, keys=((first, 2), (second, 1)))), by=BY)
    assert client.check_signed(transaction).satisfied is False
    both = transaction.model_copy(update={"signatures": (*transaction.signatures, *_by(chain, client, transaction))})
    assert client.check_signed(both).satisfied is True
    client.push(both)
    chain.push(updateauth(BY, "active", Authority.of_account(PermissionLevel(actor="researcher2"))), by=BY)
    checked = client.check_signed(transaction)
    assert checked.satisfied is None
    assert "other accounts" in checked.detail
    with pytest.raises(NotFoundError, match="no nobody"):
        client.check_keys([first], "nobody")
    with pytest.raises(NotFoundError, match="called nosuch"):
        client.check_keys([first], BY, permission="nosuch")


def _by(chain: Chain, client: AntelopeChain, transaction: SignedTransaction) -> tuple[str, ...]:
    return client.sign(transaction.prepared, chain.keys["researcher2"]).signatures


def test_a_locked_account_takes_rows_but_no_code(fresh_chain: Chain) -> None:
    chain, client = fresh_chain, AntelopeChain(fresh_chain.rpc, fresh_chain.contract)
    nobody = Authority.of_account(PermissionLevel(actor="eosio.null"))
    lock = [updateauth(chain.contract, "active", nobody), updateauth(chain.contract, "owner", nobody)]
    chain.push(*lock, by=chain.contract)
    wasm = (ROOT / "contracts" / "llmtest" / "llmtest.wasm").read_bytes()
    assert refused(lambda: chain.push(setcode(chain.contract, wasm), by=chain.contract)).reason == "authority"
    client.push(signed(chain, client, [entry(1, run="locked")]))
    assert chain.rpc.code_hash(chain.contract) == hashlib.sha256(wasm).hexdigest()


def test_the_published_contract_is_written_to_and_read(chain: Chain) -> None:
    """Four fields, no digests: rows say themselves that nothing vouches for them."""
    folder = ROOT / "tests" / "contracts" / "published"
    abi = json.loads((folder / "published.abi").read_text())
    chain.deploy("published", wasm=(folder / "published.wasm").read_bytes(), abi=abi)
    legacy = AntelopeChain(chain.rpc, "published", published=True)
    recorded = entries(7, run="legacy")
    legacy.push(legacy.sign(legacy.prepare(recorded, BY), chain.keys[BY]))
    rows = list(legacy.rows_of(ledger.testid_of("legacy")))
    assert sorted(row.description for row in rows) == sorted(one.description for one in recorded)
    assert {(row.account, row.authenticated, row.run_digest, row.config_digest) for row in rows} == {
        (BY, False, None, None)
    }
    by_text = {row.description: row.results for row in rows}
    assert all(by_text[one.description] == one.results for one in recorded)


def test_what_the_node_says_of_accounts_and_contracts(chain: Chain) -> None:
    assert chain.rpc.abi(chain.contract) is not None
    assert chain.rpc.abi("stranger") is None
    assert chain.rpc.code_hash("stranger") == "00" * 32
    account = chain.rpc.account(BY)
    assert account.authority() == Authority.of_key(chain.keys[BY].public)
    for ask in (chain.rpc.abi, chain.rpc.code_hash, chain.rpc.account):
        with pytest.raises(NotFoundError, match="no nobody"):
            ask("nobody")
    with pytest.raises(NotFoundError, match="no table testtable"):
        chain.rpc.table_page("stranger", "testtable")
    for number in (2**31, 0):
        with pytest.raises(NotFoundError, match="older blocks"):
            chain.rpc.block_info(number)
    with pytest.raises(NotFoundError, match="older blocks"):
        chain.rpc.raw_block(2**31)


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
        number = blocks.holding(one.prepared.id)
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


def test_a_transaction_is_looked_for_where_a_node_keeps_no_traces(
    chain: Chain, together: list[SignedTransaction], monkeypatch: pytest.MonkeyPatch
) -> None:
    blocks, wanted = Blocks(chain.rpc), together[3].prepared.id
    number = blocks.holding(wanted)
    assert number is not None
    monkeypatch.setattr(type(chain.rpc), "block_of", lambda *_: None)
    assert blocks.holding(wanted) is None
    assert blocks.holding(wanted, near=number - 2) == number
    assert blocks.holding("ab" * 32, near=number) is None
    with pytest.raises(InputError, match="another block"):
        blocks.proof(number, "ab" * 32)


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


def test_no_private_key_in_logs_or_in_the_nodes_answers(
    chain: Chain, client: AntelopeChain, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    transaction, receipt = posted(chain, client, [entry(1, run="quiet")])
    error = refused(lambda: client.push(transaction))
    shown = f"{transaction!r} {receipt!r} {error!r} {caplog.text} {client!r} {chain.keys!r}"
    for key in chain.keys.values():
        for secret in (key.reveal(), legacy_private_text(key)):
            assert secret.get_secret_value()[8:-8] not in shown
