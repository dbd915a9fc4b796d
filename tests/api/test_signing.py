"""Signing with a wallet over HTTP, on a real node: accepted signatures, and the error of each refusal."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from passer.adapters.store.database import Database
from passer.antelope.format.transactions import signing_digest
from passer.antelope.ledger.wallets import AntelopeWallets
from passer.antelope.signing.signatures import sign
from passer.api.app import create_app
from passer.bootstrap import Services, build_services
from passer.settings import Settings
from tests.chain.booted import ABI, Chain
from tests.waiting import wait_until
from tests.wallets import ME, OTHER, STRANGER, WALLET, Desk, Wallet, expected, finish, on_chain, refused, settings_of


class Server(Desk):
    """One in this process, with its parts at hand."""

    def __init__(self, client: TestClient, services: Services) -> None:
        super().__init__(client)
        self.services = services

    @property
    def database(self) -> Database:
        return self.services.adapters.database


@pytest.fixture(scope="module")
def desk(chain: Chain, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    services = build_services(settings_of(chain, tmp_path_factory.mktemp("desk"), wallet_relay="http://127.0.0.1:9"))
    with TestClient(create_app(services), base_url="http://127.0.0.1:8000") as client:
        yield Server(client, services)


@pytest.fixture
def own_desk(chain: Chain, tmp_path: Path) -> Iterator[Server]:
    """On a database where nothing waits."""
    services = build_services(settings_of(chain, tmp_path))
    with TestClient(create_app(services), base_url="http://127.0.0.1:8000") as client:
        yield Server(client, services)


@pytest.fixture
def me(chain: Chain) -> Wallet:
    return Wallet(chain, ME)


def test_what_a_wallet_signs_is_on_the_chain_in_order_by_its_account(chain, desk, me):
    run_id = finish(desk.database, entries=52)
    known = desk.client.get(WALLET).json()
    assert (known["available"], known["reason"], known["signs_itself"]) == (True, None, False)
    assert (known["chain_id"], known["contract"], known["kind"]) == (chain.chain_id, chain.contract, "llmtest")
    assert (known["urls"], known["relay"], known["waiting"]) == ([chain.url], "http://127.0.0.1:9", 52)
    actions = {action["name"] for action in json.loads(ABI.read_text())["actions"]}
    assert {action["name"] for action in known["abi"]["actions"]} == actions
    shown = desk.prepare(ME, run_id)
    assert (shown["entries"], shown["waiting"], shown["run_ids"]) == (50, 2, [run_id])
    assert (shown["account"], shown["permission"], shown["chain_id"]) == (ME, "active", chain.chain_id)
    assert shown["transaction"]["expiration"] + "Z" == shown["expires_at"]
    assert {action["authorization"][0]["actor"] for action in shown["transaction"]["actions"]} == {ME}
    answer = desk.send(shown["id"], ME, me.sign(shown))
    assert answer.status_code == 201, answer.text
    signed = answer.json()
    assert (signed["id"], signed["state"], signed["posted"], signed["waiting"]) == (shown["id"], "posted", 50, 2)
    rest = desk.prepare(ME, run_id)
    assert (rest["entries"], rest["waiting"]) == (2, 0)
    assert desk.send(rest["id"], ME, me.sign(rest)).json()["waiting"] == 0
    assert on_chain(chain, run_id) == expected(run_id, 52)
    assert set(desk.states(run_id)) <= {"posted", "recorded"}
    again = desk.send(shown["id"], ME, me.sign(shown))
    assert (again.status_code, again.json()["posted"]) == (201, 50)
    assert len(on_chain(chain, run_id)) == 52
    refused(desk.ask_prepared(ME, run_id), 409, "nothing-waits", "There is nothing to do")


def test_a_strangers_key_is_refused_and_named(chain, desk, me):
    run_id = finish(desk.database)
    shown = desk.prepare(ME, run_id)
    stranger = Wallet(chain, STRANGER)
    refused(desk.send(shown["id"], ME, stranger.sign(shown)), 403, "foreign-key", str(chain.keys[STRANGER].public))
    both = [*me.sign(shown), *stranger.sign(shown)]
    refused(desk.send(shown["id"], ME, both), 403, "foreign-key", f"{ME}@active")
    assert on_chain(chain, run_id) == []
    assert desk.send(shown["id"], ME, me.sign(shown)).status_code == 201
    assert on_chain(chain, run_id) == expected(run_id, 3)


def test_a_signature_over_other_bytes_is_refused(chain, desk, me):
    run_id = finish(desk.database)
    shown = desk.prepare(ME, run_id)
    tampered = bytearray.fromhex(shown["packed"])
    tampered[-70] ^= 1
    for signatures in (me.sign_bytes(bytes(tampered)), me.sign_bytes(b"")):
        refused(desk.send(shown["id"], ME, signatures), 403, "foreign-key", "other bytes were signed")
    other_chain = [sign(signing_digest(bytes.fromhex(shown["packed"]), chain_id="0" * 64), chain.keys[ME]).text]
    refused(desk.send(shown["id"], ME, other_chain), 403, "foreign-key", "other bytes were signed")
    assert on_chain(chain, run_id) == []
    assert desk.drop(shown["id"]).status_code == 204


def test_a_row_for_somebody_else_is_refused(chain, desk, me):
    run_id = finish(desk.database)
    shown = desk.prepare(ME, run_id)
    other = Wallet(chain, OTHER)
    for signatures in (other.sign(shown), me.sign(shown)):
        refused(desk.send(shown["id"], OTHER, signatures), 403, "other-account", f"Sign in as {ME}")
    refused(desk.send(shown["id"], ME, other.sign(shown)), 403, "foreign-key", str(chain.keys[OTHER].public))
    assert on_chain(chain, run_id) == []
    assert desk.drop(shown["id"]).status_code == 204


@pytest.mark.parametrize(
    "text", ["SIG_K1_", "SIG_R1_K1", "hello", "SIG_K1_" + "1" * 90, "EOS5" + "x" * 50, ""], ids=range(6)
)
def test_what_is_no_signature_is_refused(desk, text):
    shown = desk.prepare(ME, finish(desk.database))
    refused(desk.send(shown["id"], ME, [text]), 422, "malformed-signature", "ign")
    assert desk.drop(shown["id"]).status_code == 204


def test_what_was_never_prepared_is_refused(desk, me):
    run_id = finish(desk.database)
    shown = desk.prepare(ME, run_id)
    refused(desk.send("0" * 64, ME, me.sign(shown)), 404, "unknown-transaction", "Prepare")
    refused(desk.drop("0" * 64), 404, "unknown-transaction", "Prepare")
    assert desk.send("zz", ME, me.sign(shown)).status_code == 422
    assert desk.send(shown["id"], ME, []).status_code == 422
    assert desk.send(shown["id"], "Not A Name", me.sign(shown)).status_code == 422
    assert desk.drop(shown["id"]).status_code == 204
    assert desk.ask_prepared("nobodyhere", run_id).status_code == 404
    nothing = desk.ask_prepared(ME, run_id, permission="nosuch")
    assert (nothing.status_code, "nosuch" in nothing.json()["detail"]) == (404, True)


def test_two_tabs_get_one_transaction_and_another_account_waits_until_it_is_given_up(chain, desk, me):
    run_id = finish(desk.database)
    shown = desk.prepare(ME, run_id)
    assert desk.prepare(ME, run_id) == shown
    assert desk.prepare(ME)["id"] == shown["id"]
    refused(desk.ask_prepared(OTHER, run_id), 409, "held", f"{ME} has been asked to sign")
    assert shown["expires_at"][11:19] in desk.ask_prepared(OTHER, run_id).json()["detail"]
    assert desk.drop(shown["id"]).status_code == 204
    assert desk.drop(shown["id"]).status_code == 204
    others = desk.prepare(OTHER, run_id)
    refused(desk.send(shown["id"], ME, me.sign(shown)), 409, "given-up", "Prepare and sign it again")
    refused(desk.ask_prepared(ME, run_id), 409, "held", f"{OTHER} has been asked to sign")
    assert desk.send(others["id"], OTHER, Wallet(chain, OTHER).sign(others)).status_code == 201
    refused(desk.drop(others["id"]), 409, "signed-already", "signed")
    assert on_chain(chain, run_id) == expected(run_id, 3, by=OTHER)


def test_given_up_and_prepared_again_within_a_second_are_other_bytes(desk):
    run_id = finish(desk.database)
    seen = set()
    for _ in range(4):
        shown = desk.prepare(ME, run_id)
        seen.add(shown["id"])
        assert desk.drop(shown["id"]).status_code == 204
    assert len(seen) == 4


def test_another_permission_is_another_transaction(chain, desk, me):
    run_id = finish(desk.database)
    shown = desk.prepare(ME, run_id)
    as_owner = desk.prepare(ME, run_id, permission="owner")
    assert as_owner["id"] != shown["id"]
    assert as_owner["transaction"]["actions"][0]["authorization"] == [{"actor": ME, "permission": "owner"}]
    refused(desk.send(shown["id"], ME, me.sign(shown)), 409, "given-up", "sign it again")
    assert desk.send(as_owner["id"], ME, me.sign(as_owner)).status_code == 201
    assert on_chain(chain, run_id) == expected(run_id, 3)


def test_a_transaction_that_expired_is_refused_and_its_entries_are_free(chain, desk, me, tmp_path):
    run_id = finish(desk.database)
    hasty = build_services(desk.services.settings)
    wallets = AntelopeWallets(hasty.adapters.ledgers.chain, hasty.adapters.ledgers.journal, lifetime_s=1)
    hasty.adapters.ledgers.__dict__["wallets"] = wallets
    shown = hasty.provenance.wallet_signing.prepare(account=ME, run_id=run_id).model_dump(mode="json")
    hasty.close()
    chain.wait_blocks(4)
    refused(desk.send(shown["id"], ME, me.sign(shown)), 409, "expired", shown["expires_at"][11:19])
    assert on_chain(chain, run_id) == []
    others = desk.prepare(OTHER, run_id)
    assert desk.send(others["id"], OTHER, Wallet(chain, OTHER).sign(others)).status_code == 201
    assert on_chain(chain, run_id) == expected(run_id, 3, by=OTHER)


def test_the_bytes_outlive_the_server(chain, tmp_path, me):
    before = build_services(settings_of(chain, tmp_path))
    run_id = finish(before.adapters.database)
    shown = before.provenance.wallet_signing.prepare(account=ME).model_dump(mode="json")
    before.close()
    services = build_services(settings_of(chain, tmp_path))
    with TestClient(create_app(services), base_url="http://127.0.0.1:8000") as client:
        desk = Server(client, services)
        assert desk.prepare(ME) == shown
        assert desk.send(shown["id"], ME, me.sign(shown)).status_code == 201
    assert on_chain(chain, run_id) == expected(run_id, 3)


def test_entries_of_several_runs_are_signed_together_each_run_in_order(chain, own_desk, me):
    run_ids = [finish(own_desk.database, entries=number) for number in (2, 3, 60)]
    shown = own_desk.prepare(ME)
    assert shown["run_ids"] == run_ids
    assert (shown["entries"], shown["waiting"]) == (50, 15)
    assert own_desk.prepare(ME, run_ids[1])["id"] == shown["id"]
    assert own_desk.send(shown["id"], ME, me.sign(shown)).json()["waiting"] == 15
    assert [len(own_desk.states(run_id)) for run_id in run_ids] == [2, 3, 60]
    assert "waiting" not in [state for run_id in run_ids[:2] for state in own_desk.states(run_id)]
    rest = own_desk.prepare(ME)
    assert own_desk.send(rest["id"], ME, me.sign(rest)).json()["waiting"] == 0
    for run_id, number in zip(run_ids, (2, 3, 60), strict=True):
        assert on_chain(chain, run_id) == expected(run_id, number)


def test_entries_that_wait_say_where_to_sign(desk, chain):
    run_id = finish(desk.database)
    # The server posts by itself, and a second poster would be refused while it does.
    [record] = wait_until(lambda: [one for one in records(desk, run_id) if one["reason"]])
    assert "Sign in the browser" in record["reason"]
    assert record["retry_at"] is None
    shown = desk.prepare(ME, run_id)
    assert desk.send(shown["id"], ME, Wallet(chain, ME).sign(shown)).status_code == 201
    [record] = records(desk, run_id)
    assert (record["reason"], record["waiting"]) == (None, 0)


def records(desk: Server, run_id: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = desk.client.get(f"/api/v1/runs/{run_id}/entries").json()["records"]
    return found


def test_a_server_with_a_key_and_one_without_a_chain_say_so(chain, tmp_path):
    key = chain.keys[ME].reveal()
    with_key = settings_of(chain, tmp_path / "a", chain_account=ME, chain_key=key)
    for settings, reason, said in (
        (with_key, "signs-itself", "PASSER_CHAIN_ACCOUNT"),
        (Settings(home=tmp_path / "b", encoder="none"), "no-chain", "PASSER_LEDGER=antelope"),
    ):
        services = build_services(settings)
        desk = Server(TestClient(create_app(services), base_url="http://127.0.0.1:8000"), services)
        known = desk.client.get(WALLET).json()
        assert (known["available"], known["signs_itself"]) == (False, reason == "signs-itself")
        assert said in known["reason"]
        refused(desk.ask_prepared(ME), 409, reason, said)
        services.close()


def test_a_chain_without_the_contract_says_what_to_do(chain, tmp_path):
    for number, (contract, said) in enumerate((("nobodyhere", "nobodyhere"), (STRANGER, "Deploy it"))):
        services = build_services(settings_of(chain, tmp_path / str(number), chain_contract=contract))
        known = services.provenance.wallet_signing.chain()
        assert (known.available, said in str(known.reason)) == (False, True)
        services.close()


def test_out_of_memory_the_signatures_are_kept_until_there_is_some(chain, desk, me):
    run_id = finish(desk.database)
    shown = desk.prepare(ME, run_id)
    chain.limit(ME, ram=chain.ram_usage(ME))
    try:
        refused(desk.send(shown["id"], ME, me.sign(shown)), 503, "kept", "Buy RAM")
        refused(desk.ask_prepared(OTHER, run_id), 409, "signed-already", "signed")
        refused(desk.drop(shown["id"]), 409, "signed-already", "signed")
        [record] = records(desk, run_id)
        assert "Buy RAM" in record["reason"]
        assert on_chain(chain, run_id) == []
    finally:
        chain.limit(ME)
    assert desk.send(shown["id"], ME, me.sign(shown)).status_code == 201
    assert on_chain(chain, run_id) == expected(run_id, 3)
