"""The client against a real node: posting, refusals, keys recovered over its blocks, proofs of inclusion."""

from __future__ import annotations

import hashlib
import json
import logging
import time
from typing import TYPE_CHECKING

import pytest

from passer.antelope.client.chain import AntelopeChain, SignedTransaction, new_transaction, recovered_keys
from passer.antelope.format.transactions import packed_transaction, signing_digest, unpacked_transaction
from passer.antelope.signing.authorities import Authority, SignerCheck
from passer.antelope.signing.signatures import sign
from passer.domain.ledger import entry as ledger
from passer.domain.ledger.chain import PermissionLevel
from passer.errors import NotFoundError
from scripts.test_node.system_actions import setcode, updateauth
from tests.antelope.entries import entries, entry
from tests.antelope.legacy import legacy_private_text
from tests.antelope.node import BY, posted, refused, signed
from tests.conftest import ROOT

if TYPE_CHECKING:
    from tests.chain.booted import Chain


@pytest.fixture(scope="module")
def client(chain: Chain) -> AntelopeChain:
    return AntelopeChain(chain.rpc, chain.contract)


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
    ours = unpacked_transaction(bytes.fromhex(client.prepare([entry(1)], BY).packed))
    packed = packed_transaction(new_transaction(other, ours.actions))
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


def check_signed(client: AntelopeChain, signed: SignedTransaction) -> SignerCheck:
    prepared = signed.prepared
    keys = recovered_keys(bytes.fromhex(prepared.packed), signed.signatures, chain_id=prepared.chain_id)
    return client.check_keys(keys, prepared.creator, permission=prepared.permission)


def test_the_signers_authority(fresh_chain: Chain) -> None:
    """As it is, with two keys of which both are needed, and handed to another account."""
    chain, client = fresh_chain, AntelopeChain(fresh_chain.rpc, fresh_chain.contract)
    transaction = signed(chain, client, [entry(1)])
    assert check_signed(client, transaction).satisfied is True
    foreign = client.sign(transaction.prepared, chain.keys["stranger"])
    assert check_signed(client, foreign).satisfied is False
    first, second = chain.keys[BY].public, chain.keys["researcher2"].public
    chain.push(updateauth(BY, "active", Authority(3, keys=((first, 2), (second, 1)))), by=BY)
    assert check_signed(client, transaction).satisfied is False
    both = transaction.model_copy(update={"signatures": (*transaction.signatures, *_by(chain, client, transaction))})
    assert check_signed(client, both).satisfied is True
    client.push(both)
    chain.push(updateauth(BY, "active", Authority.of_account(PermissionLevel(actor="researcher2"))), by=BY)
    checked = check_signed(client, transaction)
    assert checked.satisfied is None
    assert "other accounts" in checked.detail
    with pytest.raises(NotFoundError, match="no account nobody"):
        client.check_keys([first], "nobody")
    with pytest.raises(NotFoundError, match="no permission nosuch"):
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
        with pytest.raises(NotFoundError, match="no account nobody"):
            ask("nobody")
    with pytest.raises(NotFoundError, match="no table testtable"):
        chain.rpc.table_page("stranger", "testtable")
    for number in (2**31, 0):
        with pytest.raises(NotFoundError, match="older blocks"):
            chain.rpc.block_info(number)
    with pytest.raises(NotFoundError, match="older blocks"):
        chain.rpc.raw_block(2**31)


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
