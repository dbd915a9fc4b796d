"""Checks of recorded transactions on a real chain: each step passes, fails or is not checked, with a reason."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from passer.antelope.client.chain import AntelopeChain
from passer.antelope.client.replies import Account
from passer.antelope.client.rpc import Rpc
from passer.antelope.proofs.witness import AntelopeWitness
from passer.antelope.signing.authorities import Authority
from passer.antelope.signing.keys import PrivateKey
from passer.domain.bundle.members import Transaction
from passer.domain.bundle.verification import CHAIN_STEPS, ChainStep
from passer.domain.ledger.entry import Entry
from passer.ports.signing import PlacedEntry
from scripts.test_node.system_actions import updateauth
from tests.antelope.entries import entries
from tests.conftest import ROOT

if TYPE_CHECKING:
    from tests.chain.booted import Chain

BY = "researcher1"
WASM = hashlib.sha256((ROOT / "contracts" / "llmtest" / "llmtest.wasm").read_bytes()).hexdigest()
ENTRIES = entries(6, run="witness")


def placed(
    client: AntelopeChain, *, later: timedelta = timedelta(0), of: Sequence[Entry] = ENTRIES
) -> list[PlacedEntry]:
    """Entries with the time of their rows, which have whole seconds."""
    rows = [row.recorded_at for row in client.rows_of(ENTRIES[0].testid)]
    return [PlacedEntry(entry, place, rows[0] + later) for place, entry in enumerate(of)]


@pytest.fixture(scope="module")
def client(chain: Chain) -> AntelopeChain:
    return AntelopeChain(chain.rpc, chain.contract)


@pytest.fixture(scope="module")
def recorded(chain: Chain, client: AntelopeChain) -> Transaction:
    """Posted, irreversible, and as a bundle holds it."""
    signed = client.sign(client.prepare(ENTRIES, BY), chain.keys[BY])
    client.push(signed)
    chain.wait_irreversible(chain.wait_blocks(2))
    number = chain.rpc.block_of(signed.prepared.id)
    assert number is not None
    return Transaction(
        chain_id=signed.prepared.chain_id,
        contract=chain.contract,
        creator=BY,
        transaction_id=signed.prepared.id,
        packed_transaction=signed.prepared.packed,
        signatures=signed.signatures,
        block_number=number,
        block_id=chain.rpc.block_info(number).id,
        seals={},
    )


def outcomes(client: AntelopeChain, transaction: Transaction, *, code: str | None = WASM) -> dict[ChainStep, str]:
    found = AntelopeWitness(client, code=code).examine(transaction, placed(client))
    assert all(finding.detail.endswith(".") for finding in found.values())
    return {name: finding.outcome for name, finding in found.items()}


def test_everything_passes(client: AntelopeChain, recorded: Transaction) -> None:
    assert outcomes(client, recorded) == dict.fromkeys(CHAIN_STEPS, "pass") | {"lock": "not_checked"}
    unplaced = recorded.model_copy(update={"block_number": None, "block_id": None})
    assert outcomes(client, unplaced) == dict.fromkeys(CHAIN_STEPS, "pass") | {"lock": "not_checked"}


@pytest.mark.parametrize("seconds", [-3.0, 3.0, -60.0])
def test_a_time_that_is_not_the_block_s(client: AntelopeChain, recorded: Transaction, seconds: float) -> None:
    entries_placed = placed(client, later=timedelta(seconds=seconds))
    found = AntelopeWitness(client, code=WASM).examine(recorded, entries_placed)
    assert [name for name, finding in found.items() if finding.outcome == "fail"] == ["time"]
    assert "its block is of" in found["time"].detail


def locked(**changes: object) -> Account:
    """An account as a node tells it, owned by `eosio.null`."""
    nobody = {"permission": {"actor": "eosio.null", "permission": "active"}, "weight": 1}
    auth = {"threshold": 1, "keys": [], "accounts": [nobody], "waits": []}
    names = {"owner": auth, "active": auth} | changes
    told = [{"perm_name": name, "required_auth": value} for name, value in names.items() if value]
    return Account.model_validate({"account_name": "llmtest", "permissions": told})


def test_an_account_is_locked_when_nobody_owns_it() -> None:
    key = {"threshold": 1, "keys": [{"key": PrivateKey.generate().public.text, "weight": 1}], "accounts": []}
    friend = {"permission": {"actor": "researcher1", "permission": "active"}, "weight": 1}
    assert locked().is_locked
    assert not locked(owner=key).is_locked
    assert not locked(active={"threshold": 1, "keys": [], "accounts": [friend]}).is_locked
    assert not locked(deploy=key).is_locked, "a permission beside them may be linked to setcode"
    assert not Account.model_validate({"account_name": "llmtest"}).is_locked


def test_another_code(client: AntelopeChain, recorded: Transaction) -> None:
    assert outcomes(client, recorded, code="00" * 32)["code"] == "fail"
    assert outcomes(client, recorded, code=None)["code"] == "not_checked"


def test_another_block(client: AntelopeChain, recorded: Transaction) -> None:
    """One that does not hold it, one that there is not yet, and a wrong id."""
    before = outcomes(client, recorded.model_copy(update={"block_number": 3}))
    assert [before[name] for name in ("inclusion", "block", "irreversible")] == ["fail"] * 3
    far = outcomes(client, recorded.model_copy(update={"block_number": 2**31}))
    assert [far[name] for name in ("inclusion", "block", "irreversible")] == ["not_checked"] * 3
    wrong = outcomes(client, recorded.model_copy(update={"block_id": "00" * 32}))
    assert (wrong["inclusion"], wrong["block"]) == ("pass", "fail")


def test_a_foreign_signature(chain: Chain, client: AntelopeChain, recorded: Transaction) -> None:
    foreign = client.sign(client.prepare(ENTRIES, BY), chain.keys["stranger"])
    found = outcomes(client, recorded.model_copy(update={"signatures": foreign.signatures}))
    assert (found["signer"], found["inclusion"]) == ("fail", "fail")
    broken = outcomes(client, recorded.model_copy(update={"signatures": ("SIG_K1_x",)}))
    assert (broken["signer"], broken["inclusion"]) == ("fail", "fail")


def test_a_transaction_that_was_never_posted(chain: Chain, client: AntelopeChain, recorded: Transaction) -> None:
    others = entries(3, run="never")
    signed = client.sign(client.prepare(others, BY), chain.keys[BY])
    never = recorded.model_copy(
        update={
            "transaction_id": signed.prepared.id,
            "packed_transaction": signed.prepared.packed,
            "signatures": signed.signatures,
        }
    )
    found = AntelopeWitness(client, code=WASM).examine(never, placed(client, of=others))
    assert {name: found[name].outcome for name in ("signer", "inclusion", "row")} == {
        "signer": "pass",
        "inclusion": "fail",
        "row": "fail",
    }


def test_rows_that_say_something_else(client: AntelopeChain, recorded: Transaction) -> None:
    other = placed(client, of=[ENTRIES[0].model_copy(update={"results": (0.0,) * 24}), *ENTRIES[1:]])
    assert AntelopeWitness(client, code=WASM).examine(recorded, other)["row"].outcome == "fail"
    somebody = recorded.model_copy(update={"creator": "researcher2"})
    found = outcomes(client, somebody)
    assert (found["row"], found["signer"]) == ("fail", "fail")


def test_another_chain_is_no_witness(client: AntelopeChain, recorded: Transaction) -> None:
    found = outcomes(client, recorded.model_copy(update={"chain_id": "ab" * 32}))
    assert set(found.values()) == {"not_checked"}


def test_an_entry_in_another_contract_than_the_named_one_fails(client: AntelopeChain, recorded: Transaction) -> None:
    found = outcomes(client, recorded.model_copy(update={"contract": "other"}))
    assert set(found.values()) == {"fail"}


def test_keys_that_were_changed_since(chain: Chain, client: AntelopeChain, recorded: Transaction) -> None:
    """The chain checked the old ones when it took the transaction: that is not held against the account."""
    new = PrivateKey.generate().public
    chain.push(updateauth(BY, "active", Authority.of_key(new)), by=BY)
    try:
        found = AntelopeWitness(client, code=WASM).examine(recorded, placed(client))
        assert (found["signer"].outcome, found["inclusion"].outcome) == ("not_checked", "pass")
        assert "other keys now" in found["signer"].detail
    finally:
        chain.push(updateauth(BY, "active", Authority.of_key(chain.keys[BY].public)), by=BY)


def stopped(chain: Chain) -> Iterator[Rpc]:
    rpc = Rpc([chain.url], connect_timeout_s=1, read_timeout_s=2)
    chain.node.stop()
    yield rpc
    rpc.close()
    chain.node.start()


def test_a_node_that_is_gone(chain: Chain, client: AntelopeChain, recorded: Transaction) -> None:
    known = placed(client)
    for rpc in stopped(chain):
        found = AntelopeWitness(AntelopeChain(rpc, chain.contract), code=WASM).examine(recorded, known)
        assert {finding.outcome for finding in found.values()} == {"not_checked"}
