"""Signing in with a wallet over HTTP, on a real node: accepted keys, and attacks."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
from fastapi.testclient import TestClient

from passer.antelope.format.transactions import packed_identity, signing_digest
from passer.antelope.signing.keys import PrivateKey
from passer.antelope.signing.signatures import sign
from passer.api.app import create_app
from passer.bootstrap import build_services
from passer.domain.ledger.chain import IdentityProof, PermissionLevel
from passer.services.accounts.attempts import MOST
from passer.settings import Settings
from tests.chain.booted import Chain
from tests.sign_in import BASE, PASSWORD, Place
from tests.wallets import ME, OTHER, settings_of

START, PROOF = "/api/v1/session/wallet", "/api/v1/session/wallet/proof"


@pytest.fixture
def place(chain: Chain, tmp_path: Any) -> Iterator[Place]:
    services = build_services(settings_of(chain, tmp_path, wallet_relay="http://127.0.0.1:9"))
    made = Place(services)
    services.accounts.add("maria", role="researcher", password=PASSWORD)
    yield made
    services.close()


def begun(browser: TestClient, **more: Any) -> dict[str, Any]:
    made = browser.post(START, json=more)
    assert made.status_code == 201, made.text
    return made.json()


def proved(asked: dict[str, Any], key: PrivateKey, **changes: Any) -> dict[str, Any]:
    """What a wallet with this key sends for a challenge."""
    asked = {**asked, **changes}
    proof = IdentityProof(expiration=datetime(2020, 1, 1, tzinfo=UTC), signer=PermissionLevel(actor=ME), signature="")
    packed = packed_identity(proof, challenge=asked["challenge"])
    signature = sign(signing_digest(packed, chain_id=asked["chain_id"]), key).text
    return {**proof.model_dump(mode="json"), "signature": signature}


def connected(place: Place, name: str, key: PrivateKey) -> TestClient:
    browser = place.signed_in(name)
    found = browser.post(PROOF, json=proved(begun(browser, join=True), key))
    assert (found.status_code, found.json()) == (201, {"account": name, "is_joined": True})
    return browser


def refused(answer: Any, said: str, status: int = 401) -> None:
    assert answer.status_code == status, answer.text
    assert said in answer.json()["detail"]


def test_a_connected_key_signs_in_until_it_is_removed(chain, place):
    key = chain.keys[ME]
    browser = place.browser()
    assert browser.get("/api/v1/session").json()["has_wallets"] is True
    refused(browser.post(PROOF, json=proved(begun(browser), key)), key.public.text)
    owner = connected(place, "maria", key)
    [identity] = owner.get("/api/v1/identities").json()["items"]
    assert (identity["issuer"], identity["subject"]) == ("wallet", key.public.text)

    asked = begun(browser)
    assert (asked["chain_id"], asked["urls"], asked["relay"]) == (chain.chain_id, [chain.url], "http://127.0.0.1:9")
    answer = browser.post(PROOF, json=proved(asked, key))
    assert (answer.status_code, answer.json()) == (201, {"account": "maria", "is_joined": False})
    cookie = next(each for each in answer.headers.get_list("set-cookie") if each.startswith("passer_session="))
    assert {"HttpOnly", "SameSite=strict", "Path=/"} <= {part.strip() for part in cookie.split(";")}
    session = browser.get("/api/v1/session").json()
    assert (session["account"], session["role"]) == ("maria", "researcher")
    assert place.rows()[1] == ("finish_wallet_sign_in", "maria", "done")

    assert owner.delete(f"/api/v1/identities/{identity['id']}").status_code == 204
    late = place.browser()
    refused(late.post(PROOF, json=proved(begun(late), key)), "belongs to no account")
    assert place.rows()[1] == ("finish_wallet_sign_in", None, "refused")


def test_a_key_is_of_one_account(chain, place):
    connected(place, "maria", chain.keys[ME])
    browser = place.signed_in("boss")
    answer = browser.post(PROOF, json=proved(begun(browser, join=True), chain.keys[ME]))
    refused(answer, "belongs to another account", 409)


def test_a_proof_is_valid_once_in_the_browser_that_began(chain, place):
    key = chain.keys[ME]
    connected(place, "maria", key)
    browser, thief = place.browser(), place.browser()
    asked = begun(browser)
    ticket = browser.cookies["passer_wallet"]
    proof = proved(asked, key)
    refused(thief.post(PROOF, json=proof), "began in another browser")
    begun(thief)
    refused(thief.post(PROOF, json=proof), "belongs to no account")
    assert browser.post(PROOF, json=proof).status_code == 201
    browser.cookies.set("passer_wallet", ticket)
    refused(browser.post(PROOF, json=proof), "was used already")


@pytest.mark.parametrize(
    "changes", [{"challenge": "aaaaaaaaaaaa"}, {"chain_id": "0" * 64}], ids=["another challenge", "another chain"]
)
def test_a_proof_of_something_else_is_of_nobody(chain, place, changes):
    connected(place, "maria", chain.keys[ME])
    browser = place.browser()
    refused(browser.post(PROOF, json=proved(begun(browser), chain.keys[ME], **changes)), "belongs to no account")


@pytest.mark.parametrize(
    ("changes", "status", "said"),
    [
        ({"signature": "SIG_K1_nonsense"}, 401, "not a signature"),
        ({"signature": "SIG_WA_" + "1" * 80}, 401, "Sign with a K1 key"),
        ({"signer": {"actor": "Ünknown", "permission": "active"}}, 401, "not an account name"),
        ({"expiration": "2500-01-01T00:00:00"}, 401, "cannot be accepted"),
        ({"expiration": "1900-01-01T00:00:00"}, 401, "cannot be accepted"),
        ({"signature": "S" * 4001}, 422, ""),
    ],
)
def test_a_malformed_proof_is_refused_in_a_sentence(chain, place, changes, status, said):
    browser = place.browser()
    refused(browser.post(PROOF, json={**proved(begun(browser), chain.keys[ME]), **changes}), said, status)


def test_nobody_connects_a_key_without_being_signed_in(place):
    assert place.browser().post(START, json={"join": True}).status_code == 401


def test_a_session_that_ended_meanwhile_takes_no_key(chain, place):
    browser = place.signed_in("maria")
    proof = proved(begun(browser, join=True), chain.keys[OTHER])
    ticket = browser.cookies["passer_wallet"]
    assert browser.delete("/api/v1/session").status_code == 204
    browser.cookies.set("passer_wallet", ticket)
    assert browser.post(PROOF, json=proof).status_code == 401
    assert place.services.signing_in.identities.of_account("maria") == []


def test_guesses_are_limited(chain, place):
    browser = place.browser()
    for _ in range(MOST["address"]):
        assert (
            browser.post(PROOF, json=proved({"challenge": "a", "chain_id": "0" * 64}, chain.keys[ME])).status_code
            == 401
        )
    assert browser.post(START, json={}).status_code == 429


def test_without_a_chain_no_wallet_signs_in(tmp_path):
    with TestClient(create_app(build_services(Settings(home=tmp_path, encoder="none"))), base_url=BASE) as client:
        assert client.get("/api/v1/session").json()["has_wallets"] is False
        refused(client.post(START, json={}), "records on no blockchain", 404)
