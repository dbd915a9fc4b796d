"""Attacks on signing in at an identity provider over HTTP, with a real provider and real RS256 keys."""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
from fastapi.testclient import TestClient
from joserfc.jwk import RSAKey

from passer.adapters.oidc import OidcProvider as Adapter
from passer.adapters.provider_client import AT_ONCE, MOST_BYTES, ProviderClient
from passer.api.app import create_app
from passer.bootstrap import build_services
from passer.services.accounts.attempts import MOST
from passer.settings import Settings
from tests.oidc_provider import CLIENT_ID, OidcProvider, small_key
from tests.sign_in import BASE, REPLY, START, Place, begun, came_back, placed


@pytest.fixture
def place(tmp_path: Any, provider: OidcProvider) -> Place:
    return placed(tmp_path, provider)


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Place, OidcProvider]]:
    """For attacks that change nothing."""
    with OidcProvider() as provider:
        yield placed(tmp_path_factory.mktemp("shared"), provider), provider


WRONG_TOKENS: dict[str, Any] = {
    "another nonce": lambda provider: provider.changes.update(nonce="another"),
    "no nonce": lambda provider: provider.changes.update(nonce=None),
    "another audience": lambda provider: provider.changes.update(aud="another client"),
    "two audiences, for the other": lambda provider: provider.changes.update(aud=[CLIENT_ID, "other"], azp="other"),
    "another issuer": lambda provider: provider.changes.update(iss="https://evil.example"),
    "expired": lambda provider: provider.changes.update(exp=int(time.time()) - 3600),
    "without an end": lambda provider: provider.changes.update(exp=None),
    "of the future": lambda provider: provider.changes.update(iat=int(time.time()) + 3600),
    "no subject": lambda provider: provider.changes.update(sub=""),
    "a subject that is no text": lambda provider: provider.changes.update(sub=["248289761001"]),
    "a subject that no database holds": lambda provider: provider.changes.update(sub="x\ud800"),
    "a subject with a NUL": lambda provider: provider.changes.update(sub="x\0y"),
    "a very long subject": lambda provider: provider.changes.update(sub="x" * 300),
    "unsigned": lambda provider: setattr(provider, "sign", provider.unsigned),
    "signed with the public key": lambda provider: setattr(provider, "sign", provider.confused),
    "signed with another key": lambda provider: setattr(
        provider, "sign", lambda claims: provider.signed(claims, key=RSAKey.generate_key(2048))
    ),
    "its own key in its header": lambda provider: setattr(
        provider, "sign", lambda claims: _with_own_key(provider, claims)
    ),
    "an unknown key": lambda provider: setattr(provider, "sign", lambda claims: provider.signed(claims, kid="two")),
    "a short key": lambda provider: setattr(provider, "key", small_key()),
    "no token": lambda provider: setattr(provider, "sign", lambda claims: None),
    "no JSON": lambda provider: setattr(provider, "sign", lambda claims: "a.b.c"),
    "a code of nobody": lambda provider: provider._codes.clear(),
}


def _with_own_key(provider: OidcProvider, claims: dict[str, Any]) -> str:
    own = RSAKey.generate_key(2048)
    return provider.signed(claims, key=own, jwk=own.as_dict(private=False))


@pytest.mark.parametrize("wrong", WRONG_TOKENS)
def test_a_token_that_proves_nothing_signs_nobody_in(shared, wrong):
    place, provider = shared
    provider.behave()
    browser = place.browser()
    reply = begun(browser)
    WRONG_TOKENS[wrong](provider)
    refused = browser.post(REPLY, json=reply)
    assert (refused.status_code, refused.json()["title"]) == (401, "Sign-in needed"), refused.text
    assert "passer_session" not in refused.headers.get("set-cookie", "")
    assert browser.get("/api/v1/sweeps").status_code == 401
    assert [each.name for each in place.services.accounts.store.list_accounts()] == ["boss"]
    assert place.rows()[1] == ("finish_provider_sign_in", None, "refused")


def test_a_state_is_of_one_browser_and_one_use(place):
    browser, victim = place.browser(), place.browser()
    reply = begun(browser)
    assert victim.post(REPLY, json=reply).status_code == 401, "another browser, which never began"
    begun(victim)
    assert victim.post(REPLY, json=reply).status_code == 401, "another browser, which began for itself"
    assert browser.post(REPLY, json={**reply, "state": reply["state"].swapcase()}).status_code == 401
    reply = begun(browser)
    ticket = browser.cookies["passer_provider"]
    assert browser.post(REPLY, json=reply).status_code == 201
    assert "passer_provider" not in browser.cookies
    for again in (reply, begun(place.browser())):
        replaying = place.browser()
        replaying.cookies.set("passer_provider", ticket)
        assert replaying.post(REPLY, json={**reply, "code": again["code"]}).status_code == 401
    forged = place.browser()
    forged.cookies.set("passer_provider", ticket[:-4] + "AAAA")
    assert forged.post(REPLY, json=reply).status_code == 401


def test_of_two_replies_at_once_one_signs_in(place, provider):
    browser = place.browser()
    reply, ticket = begun(browser), browser.cookies["passer_provider"]
    asked = len([each for each in provider.asked if each == "/token"])

    def sent(_: int) -> int:
        mine = place.browser()
        mine.cookies.set("passer_provider", ticket)
        return mine.post(REPLY, json=reply).status_code

    with ThreadPoolExecutor(6) as pool:
        assert sorted(pool.map(sent, range(6))) == [201, *[401] * 5]
    assert len([each for each in provider.asked if each == "/token"]) == asked + 1


@pytest.mark.parametrize(
    "page", ["//evil.example", "/\\evil.example", "https://evil.example", "\\\\evil", "javascript:alert(1)", "",
             "/\t/evil.example", "sweeps", "/x\r\nSet-Cookie: a=b"],
)  # fmt: skip
def test_nobody_is_led_to_another_site(shared, page):
    refused = shared[0].browser().post(START, json={"next": page})
    assert refused.status_code == 422
    assert refused.json()["errors"][0]["field"] == "next"


def test_failures_are_limited_by_address(place):
    for _ in range(MOST["address"]):
        assert place.browser().post(REPLY, json={"code": "x", "state": "y"}).status_code == 401
    assert place.browser().post(REPLY, json={"code": "x", "state": "y"}).status_code == 429
    assert place.browser().post(START, json={}).status_code == 429


def test_a_key_that_the_provider_has_changed_is_fetched(tmp_path, provider):
    time_now = [0.0]
    adapter = Adapter(
        provider.issuer, client_id=CLIENT_ID, client_secret=lambda: None, scopes="openid",
        monotonic=lambda: time_now[0],
    )  # fmt: skip
    assert adapter._key({"kid": "one"}).kid == "one"
    provider.key = RSAKey.generate_key(2048, {"kid": "two"})
    with pytest.raises(ValueError, match="unknown key"):
        adapter._key({"kid": "two"})
    time_now[0] = 31.0
    assert adapter._key({"kid": "two"}).kid == "two"
    before = len(provider.asked)
    for _ in range(20):
        with pytest.raises(ValueError, match="unknown key"):
            adapter._key({"kid": "made up"})
    assert len(provider.asked) == before, "made-up names do not have the provider asked without end"


def test_huge_keys_wrong_descriptions_and_redirects_are_refused(place, provider):
    def status() -> tuple[int, str]:
        browser = place.browser()
        made = browser.post(START, json={})
        if made.status_code == 201:
            came = parse_qs(urlsplit(httpx.get(made.json()["url"]).headers["location"]).query)
            made = browser.post(REPLY, json={name: value[0] for name, value in came.items()})
        place.services.signing_in.provider.provider._kept = type(place.services.signing_in.provider.provider._kept)(4)
        return made.status_code, made.json().get("detail", "")

    provider.keys = lambda: b'{"keys": [' + b"1," * MOST_BYTES
    assert (status()[0], "256 KB" in status()[1]) == (503, True)
    provider.keys = lambda: b"[" * 100_000
    assert status()[0] == 503
    provider.keys = lambda: b'{"keys": 5}'
    assert status()[0] == 401
    provider.keys = provider._key_set
    for change in (
        {"issuer": "https://evil.example"},
        {"token_endpoint": "file:///etc/passwd"},
        {"authorization_endpoint": "javascript:alert(1)"},
        {"jwks_uri": None},
        # Another port of this machine: an inner address that is not the provider's own.
        {"jwks_uri": "http://127.0.0.1:1/keys"},
        {"jwks_uri": "http://169.254.169.254/latest/meta-data"},
        {"jwks_uri": f"{provider.issuer.replace('//', '//user:word@')}/keys"},
        # Answered with a redirect, which is not followed.
        {"jwks_uri": f"{provider.issuer}/authorize?response_type=code&client_id=passer&code_challenge_method=S256"
                     f"&scope=openid&state=x&redirect_uri={provider.issuer}/keys"},
    ):  # fmt: skip
        provider.described = change
        assert status()[0] == 503, change
    provider.described = {}
    assert status()[0] == 201


def test_a_provider_that_hangs_holds_a_few_requests_for_a_few_seconds(place, provider, monkeypatch):
    sign_in = place.services.signing_in.provider
    monkeypatch.setattr(sign_in.provider, "_client", ProviderClient(provider.issuer, within_s=1.0))
    provider.hangs.set()
    browser = place.browser()
    began = time.monotonic()
    with ThreadPoolExecutor(AT_ONCE * 3) as pool:
        waiting = [pool.submit(place.browser().post, START, json={}) for _ in range(AT_ONCE * 3)]
        assert browser.get("/api/v1/session").status_code == 200
        answered = [each.result() for each in waiting]
    assert {each.status_code for each in answered} == {503}
    assert all("sign in with a password" in each.json()["detail"] for each in answered)
    assert time.monotonic() - began < 10
    provider.hangs.clear()
    assert came_back(place.browser()).status_code == 201


def test_without_a_provider_there_is_nothing_to_sign_in_at(tmp_path):
    services = build_services(Settings(home=tmp_path, encoder="none"))
    with TestClient(create_app(services), base_url=BASE) as browser:
        assert browser.get("/api/v1/session").json()["provider"] is None
        assert browser.post(START, json={}).status_code == 404
        assert browser.post(REPLY, json={"code": "x", "state": "y"}).status_code == 404
