"""Signing in at an identity provider over HTTP, with a real provider and real RS256 keys."""

from __future__ import annotations

from typing import Any

import pytest
from fastapi.testclient import TestClient

from passer.api.app import create_app
from passer.bootstrap import build_services
from passer.domain.accounts.identity import RoleRule
from passer.settings import Settings
from tests.oidc_provider import CLIENT_ID, CLIENT_SECRET, MARIA, OidcProvider
from tests.sign_in import BASE, PASSWORD, REPLY, START, Place, begun, came_back, placed


@pytest.fixture
def place(tmp_path: Any, provider: OidcProvider) -> Place:
    return placed(tmp_path, provider)


def test_a_person_of_the_provider_is_added_signed_in_recognised_and_signed_out(place, provider):
    browser = place.browser()
    assert browser.get("/api/v1/session").json()["provider"] == "127.0.0.1"
    found = came_back(browser, next_page="/sweeps?x=1#y")
    assert (found.status_code, found.json()) == (
        201, {"account": "maria.petrova", "is_joined": False, "next": "/sweeps?x=1#y"}
    )  # fmt: skip
    cookie = next(each for each in found.headers.get_list("set-cookie") if each.startswith("passer_session="))
    assert {"HttpOnly", "SameSite=strict", "Path=/"} <= {part.strip() for part in cookie.split(";")}
    session = browser.get("/api/v1/session").json()
    assert (session["account"], session["role"]) == ("maria.petrova", "viewer")
    assert browser.get("/api/v1/sweeps").status_code == 200
    browser.headers["x-csrf-token"] = session["csrf"]
    assert browser.delete("/api/v1/session").status_code == 204
    assert browser.get("/api/v1/sweeps").status_code == 401
    # Whatever else changes at the provider, the subject is the person.
    provider.person |= {"preferred_username": "maria.ivanova", "email": "other@example.org"}
    assert came_back(place.browser()).json()["account"] == "maria.petrova"
    assert [each.name for each in place.services.accounts.store.list_accounts()] == ["boss", "maria.petrova"]
    assert place.rows()[1:3] == [
        ("finish_provider_sign_in", "maria.petrova", "done"), ("sign_out", "maria.petrova", "done")
    ]  # fmt: skip


def test_an_account_of_the_provider_has_no_password(place):
    came_back(place.browser())
    for guess in ("", "!", " "):
        tried = place.browser().post("/api/v1/session", json={"name": "maria.petrova", "password": guess})
        assert tried.status_code == 401


@pytest.mark.parametrize("claims", [{"email": "boss@example.org"}, {"preferred_username": "boss"}, {"name": "boss"}])
def test_whoever_has_the_name_or_address_of_an_administrator_is_somebody_else(place, provider, claims):
    provider.person = {"sub": "another", **claims}
    browser = place.browser()
    account = came_back(browser).json()["account"]
    assert account != "boss"
    assert browser.get("/api/v1/users").status_code == 403
    assert place.services.signing_in.identities.of_account("boss") == []


def test_unknown_people_are_refused_unless_the_settings_say_otherwise(tmp_path, provider):
    place = placed(tmp_path, provider, oidc_newcomers="refuse")
    refused = came_back(place.browser())
    assert refused.status_code == 401
    assert "connect your sign-in" in refused.json()["detail"]
    assert [each.name for each in place.services.accounts.store.list_accounts()] == ["boss"]


def test_an_account_joins_its_identity_and_leaves_it(tmp_path, provider):
    place = placed(tmp_path, provider, oidc_newcomers="refuse")
    browser = place.signed_in("boss")
    joined = came_back(browser, join=True, next_page="/account")
    assert joined.json() == {"account": "boss", "is_joined": True, "next": "/account"}
    other = place.browser()
    assert came_back(other).json()["account"] == "boss"
    assert other.get("/api/v1/users").status_code == 200
    [identity] = browser.get("/api/v1/identities").json()["items"]
    assert (identity["issuer"], identity["subject"]) == (provider.issuer, MARIA["sub"])
    place.services.accounts.add("ivan", role="viewer", password=PASSWORD)
    taken = came_back(place.signed_in("ivan"), join=True)
    assert taken.status_code == 409
    assert place.signed_in("ivan").delete(f"/api/v1/identities/{identity['id']}").status_code == 404
    assert browser.delete(f"/api/v1/identities/{identity['id']}").status_code == 204
    assert came_back(place.browser()).status_code == 401


def test_joining_needs_a_session_that_lasts_until_the_end(tmp_path, provider):
    place = placed(tmp_path, provider)
    assert place.browser().post(START, json={"join": True}).status_code == 401
    browser = place.signed_in("boss")
    without = browser.post(START, json={"join": True}, headers={"x-csrf-token": "forged"})
    assert without.status_code == 401
    reply = begun(browser, join=True)
    place.services.accounts.change("boss", password="another password here")
    assert browser.post(REPLY, json=reply).status_code == 401
    assert place.services.signing_in.identities.of_account("boss") == []


def test_roles_follow_the_claim_at_each_sign_in(tmp_path, provider):
    rules = "lab=litpath:researcher, lab=viewer, chiefs = litpath:admin, staff=viewer"
    place = placed(tmp_path, provider, oidc_newcomers="refuse", oidc_role_claim="realm_access.roles", oidc_roles=rules)
    provider.person = {"sub": "1", "preferred_username": "maria", "realm_access": {"roles": ["lab", "chiefs", 7]}}
    first = place.browser()
    assert came_back(first).status_code == 201
    maria = place.services.accounts.store.find_account("maria")
    assert (maria.role, maria.projects) == ("viewer", {"litpath": "admin"})
    provider.person["realm_access"] = {"roles": ["staff"]}
    assert came_back(place.browser()).status_code == 201
    maria = place.services.accounts.store.find_account("maria")
    assert (maria.role, maria.projects) == ("viewer", {})
    assert first.get("/api/v1/sweeps").status_code == 401, "another role signs out everywhere"
    provider.person["realm_access"] = {"roles": []}
    assert came_back(place.browser()).status_code == 401
    assert place.services.accounts.store.find_account("maria").highest_role is None


def test_the_claim_takes_the_role_of_an_administrator_but_not_of_the_last_one(tmp_path, provider):
    place = placed(tmp_path, provider, oidc_roles="lab=viewer, rag-admins=admin")
    store = place.services.accounts.store
    assert came_back(place.signed_in("boss"), join=True).status_code == 201
    refused = came_back(place.browser())
    assert (refused.status_code, "boss is the last administrator" in refused.json()["detail"]) == (409, True)
    assert store.find_account("boss").role == "admin"
    assert place.signed_in("boss").get("/api/v1/users").status_code == 200
    provider.person["groups"] = ["lab", "rag-admins"]
    assert came_back(place.browser()).status_code == 201
    place.services.accounts.add("ivan", role="admin", password=PASSWORD)
    provider.person["groups"] = ["lab"]
    assert came_back(place.browser()).status_code == 201
    assert [(each.name, each.role) for each in store.list_accounts()] == [("boss", "viewer"), ("ivan", "admin")]


@pytest.mark.parametrize("text", ["lab", "lab=chief", "lab=a/b:viewer", "=viewer"])
def test_a_rule_that_cannot_be_read_is_refused(text):
    with pytest.raises(ValueError, match="VALUE=PROJECT:ROLE"):
        RoleRule.read(text)


def test_the_first_account_is_never_made_by_the_provider(tmp_path, provider):
    settings = Settings(
        home=tmp_path, encoder="none", oidc_issuer=provider.issuer, oidc_client_id=CLIENT_ID,
        oidc_client_secret=CLIENT_SECRET, oidc_newcomers="viewer", allowed_hosts=("passer.example.org",),
    )  # fmt: skip
    services = build_services(settings)
    with TestClient(create_app(services), base_url=BASE) as browser:
        assert came_back(browser).status_code == 401
    assert not services.accounts.store.has_accounts()
