"""Accounts over HTTP: who may do what, by password, session and token."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from fastapi.testclient import TestClient

from passer.api.app import create_app, serving
from passer.api.rules import RULES
from passer.bootstrap import Services, build_services
from passer.domain.accounts.account import ROLES, allows
from passer.domain.sweeps.run import Run, RunState
from passer.errors import ConfigError
from passer.services.accounts.accounts import TOKEN_PREFIX
from passer.services.accounts.attempts import MOST
from passer.settings import Settings
from tests.api.description import OPERATIONS
from tests.services.study import Study

PASSWORD = "correct horse battery"
BASE = "http://127.0.0.1:8000"


@pytest.fixture(scope="module")
def team(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Services, TestClient]]:
    """A server with an account of each role, named like its role."""
    services = build_services(Settings(home=tmp_path_factory.mktemp("team"), encoder="none"))
    for role in ROLES:
        services.accounts.add(f"the-{role}", role=role, password=PASSWORD)
    with TestClient(create_app(services), base_url=BASE) as client:
        yield services, client


@pytest.fixture
def browser(team: tuple[Services, TestClient]) -> Callable[[str], TestClient]:
    """Signs a browser in."""

    def signed_in(name: str) -> TestClient:
        client = TestClient(team[1].app, base_url=BASE)
        answered = client.post("/api/v1/session", json={"name": name, "password": PASSWORD})
        assert answered.status_code == 201
        client.headers["x-csrf-token"] = answered.json()["csrf"]
        return client

    return signed_in


def filled(path: str) -> str:
    return re.sub(r"\{[^}]*\}", "999", path)


@pytest.fixture(scope="module")
def tokens(team: tuple[Services, TestClient]) -> dict[str, str]:
    """A token of each role: new ones for each of the operations took longer than to ask them."""
    services, _ = team
    return {role: _token(services, f"the-{role}") for role in ROLES}


@pytest.mark.parametrize(("operation", "method", "path"), OPERATIONS, ids=[each[0] for each in OPERATIONS])
def test_each_operation_answers_the_roles_of_its_rule_alone(team, tokens, operation, method, path):
    _, client = team
    client.cookies.clear()
    rule = RULES[operation]
    stranger = client.request(method, filled(path))
    assert (stranger.status_code == 401) == (rule.role is not None)
    for role in ROLES:
        answered = client.request(method, filled(path), headers={"authorization": f"Bearer {tokens[role]}"})
        is_refused = answered.status_code == 403
        assert is_refused == (rule.role is not None and not allows(role, rule.role)), role
        assert answered.status_code != 401


def _token(services: Services, name: str) -> str:
    from passer.domain.accounts.account import Caller

    account = services.accounts.store.find_account(name)
    return services.accounts.add_token(Caller(account=name, role=account.role), name="first", scope=account.role)[1]


def test_one_person_on_this_machine_needs_no_account(api):
    assert api.client.get("/api/v1/session").json() == {
        "needs_account": False, "account": None, "role": "admin", "is_administrator": True, "csrf": None,
        "project": "default", "projects": [{"name": "default", "role": "admin"}],
        "has_password": True, "provider": None, "has_wallets": False, "ended_by": None,
    }  # fmt: skip
    assert api.client.get("/api/v1/users").json()["items"] == []


@pytest.mark.parametrize("header", ["x-forwarded-for", "forwarded", "x-real-ip", "via", "x-forwarded-proto"])
def test_a_request_through_a_proxy_needs_an_account(api, header):
    refused = api.client.get("/api/v1/sweeps", headers={header: "10.0.0.1"})
    assert refused.status_code == 401
    assert refused.headers["www-authenticate"] == "Bearer"
    assert "passer users add" in refused.json()["detail"]
    assert api.client.get("/api/v1/session", headers={header: "1"}).json()["needs_account"] is True


@pytest.mark.parametrize("given", [{"insecure_listen": True}, {"allowed_hosts": "passer.example"}])
def test_a_server_for_other_machines_answers_nobody_without_an_account_and_does_not_start(tmp_path, monkeypatch, given):
    with TestClient(create_app(build_services(Settings(home=tmp_path, **given))), base_url=BASE) as client:
        assert client.get("/api/v1/sweeps").status_code == 401
        assert client.get("/ready").json()["parts"][0]["detail"] == "", "folders are nothing for strangers"
    monkeypatch.setenv("PASSER_HOME", str(tmp_path))
    for name, value in given.items():
        monkeypatch.setenv(f"PASSER_{name.upper()}", str(value))
    with pytest.raises(ConfigError, match="passer users add"):
        serving()
    (tmp_path / "password").write_text(f"{PASSWORD}\n")
    monkeypatch.setenv("PASSER_ADMIN_PASSWORD_FILE", str(tmp_path / "password"))
    with TestClient(serving(), base_url=BASE) as client:
        signed_in = client.post("/api/v1/session", json={"name": "admin", "password": PASSWORD})
        assert signed_in.json()["role"] == "admin"


def test_a_browser_signs_in_and_out(browser):
    client = browser("the-viewer")
    cookie = next(iter(client.cookies.jar))
    assert cookie.has_nonstandard_attr("HttpOnly")
    assert cookie.get_nonstandard_attr("SameSite") == "strict"
    assert client.get("/api/v1/session").json()["account"] == "the-viewer"
    assert client.get("/api/v1/sweeps").status_code == 200
    assert client.delete("/api/v1/session").status_code == 204
    client.cookies.set(cookie.name, str(cookie.value))
    over = client.get("/api/v1/sweeps")
    assert over.status_code == 401, "a copy of the cookie is worth nothing afterwards"


def test_the_cookie_is_for_tls_alone_where_there_is_tls(team):
    client = TestClient(team[1].app, base_url="https://127.0.0.1:8000")
    signed_in = client.post("/api/v1/session", json={"name": "the-viewer", "password": PASSWORD})
    assert "Secure" in signed_in.headers["set-cookie"]


def test_a_change_without_the_pages_own_header_is_refused(browser):
    client = browser("the-admin")
    right = client.headers.pop("x-csrf-token")
    body = {"name": "ivan", "role": "viewer", "password": PASSWORD}
    assert client.post("/api/v1/users", json=body).status_code == 403
    assert client.post("/api/v1/users", json=body, headers={"x-csrf-token": right[:-1] + "x"}).status_code == 403
    assert client.get("/api/v1/users").status_code == 200
    assert client.post("/api/v1/users", json=body, headers={"x-csrf-token": right}).status_code == 201
    assert client.delete("/api/v1/users/ivan", headers={"x-csrf-token": right}).status_code == 204


def test_wrong_passwords_and_unknown_names_are_answered_alike_and_limited(team):
    client = TestClient(team[1].app, base_url=BASE)

    def attempt(name: str, password: str) -> Any:
        return client.post("/api/v1/session", json={"name": name, "password": password})

    wrong, unknown = attempt("the-researcher", "wrong"), attempt("nobody", "wrong")
    assert wrong.status_code == unknown.status_code == 401
    assert wrong.json() == unknown.json()
    for _ in range(MOST["both"] - 1):
        attempt("the-researcher", "wrong")
    limited = attempt("the-researcher", PASSWORD)
    assert (limited.status_code, limited.headers["retry-after"]) == (429, "900")
    assert attempt("the-viewer", PASSWORD).status_code == 201, "others of the same address are not shut out"
    team[0].accounts.attempts.succeeded("the-researcher", "testclient")


def test_a_token_does_what_its_scope_allows_and_no_more(browser, team):
    client = browser("the-researcher")
    assert client.post("/api/v1/tokens", json={"name": "ci", "scope": "admin"}).status_code == 403
    created = client.post("/api/v1/tokens", json={"name": "ci", "scope": "viewer"}).json()
    secret = created["secret"]
    assert secret.startswith(TOKEN_PREFIX)
    program = TestClient(team[1].app, base_url=BASE, headers={"authorization": f"Bearer {secret}"})
    assert program.get("/api/v1/sweeps").status_code == 200
    assert program.post("/api/v1/examples/organic").status_code == 403
    [listed] = [each for each in client.get("/api/v1/tokens").json()["items"] if each["id"] == created["token"]["id"]]
    assert listed["last_used_at"] is not None
    assert "digest" not in listed
    assert secret not in client.get("/api/v1/tokens").text
    other = browser("the-viewer")
    assert other.delete(f"/api/v1/tokens/{listed['id']}").status_code == 404, "tokens of others are not there"
    assert client.delete(f"/api/v1/tokens/{listed['id']}").status_code == 204
    assert program.get("/api/v1/sweeps").status_code == 401


def test_an_expired_token_or_session_is_refused(team):
    services, client = team
    client.cookies.clear()
    now = datetime.now(UTC)
    caller = services.accounts.caller_of_token(_token(services, "the-viewer"))
    _, secret = services.accounts.add_token(caller, name="old", scope="viewer", expires_at=now - timedelta(seconds=1))
    assert client.get("/api/v1/sweeps", headers={"authorization": f"Bearer {secret}"}).status_code == 401
    assert client.get("/api/v1/sweeps", headers={"authorization": "Bearer passer_made-up"}).status_code == 401
    soon = now + timedelta(days=1)
    token, secret = services.accounts.add_token(caller, name="short", scope="viewer", expires_at=soon)
    body, headers = {"name": "long", "days": None}, {"authorization": f"Bearer {secret}"}
    made = client.post("/api/v1/tokens", json=body, headers=headers).json()["token"]
    assert datetime.fromisoformat(made["expires_at"]) == token.expires_at, "it would outlive the one that made it"


def test_a_lower_role_counts_at_once_and_a_new_password_signs_out(browser, team):
    admin = browser("the-admin")
    body = {"name": "petya", "role": "researcher", "password": PASSWORD}
    assert admin.post("/api/v1/users", json=body).status_code == 201
    assert admin.post("/api/v1/users", json=body).status_code == 409
    petya = browser("petya")
    token = petya.post("/api/v1/tokens", json={"name": "ci", "scope": "researcher"}).json()["secret"]
    assert admin.put("/api/v1/users/petya", json={"role": "viewer"}).status_code == 200
    assert petya.get("/api/v1/sweeps").status_code == 401, "signed out"
    program = TestClient(team[1].app, base_url=BASE, headers={"authorization": f"Bearer {token}"})
    assert program.post("/api/v1/examples/organic").status_code == 403
    again = browser("petya")
    new = "a new password of hers"
    wrong = again.put("/api/v1/session/password", json={"old": "wrong", "new": new})
    assert wrong.status_code == 401
    assert again.put("/api/v1/session/password", json={"old": PASSWORD, "new": new}).status_code == 204
    assert again.get("/api/v1/sweeps").status_code == 401
    # Each session keeps its own reason, and only who has its cookie is told.
    assert [each.get("/api/v1/session").json()["ended_by"] for each in (petya, again)] == ["role", "password"]
    assert browser("the-admin").get("/api/v1/session").json()["ended_by"] is None
    assert admin.delete("/api/v1/users/petya").status_code == 204
    assert program.get("/api/v1/sweeps").status_code == 401


@pytest.mark.parametrize(("password", "says"), [("short", "12"), ("x" * 201, "200"), ("my-georgi-password", "name")])
def test_weak_passwords_are_refused(browser, password, says):
    body = {"name": "georgi", "role": "viewer", "password": password}
    refused = browser("the-admin").post("/api/v1/users", json=body)
    assert refused.status_code == 422
    assert says in refused.json()["detail"]


@pytest.mark.parametrize("name", ["", "Maria", "мария", "a b", "../x", "-x", "x" * 61])
def test_names_that_could_be_taken_for_others_are_refused(browser, name):
    body = {"name": name, "role": "viewer", "password": PASSWORD}
    refused = browser("the-admin").post("/api/v1/users", json=body)
    assert refused.status_code == 422
    assert "1 to 60 lowercase Latin letters" in refused.json()["detail"]


def test_roles_of_a_refusal_are_in_the_language_of_the_reader(browser):
    refused = browser("the-viewer").post("/api/v1/examples/organic-farming", headers={"accept-language": "bg"})
    assert refused.status_code == 403
    assert "нужна ролята изследовател, а вашата е читател" in refused.json()["detail"]


def test_the_last_administrator_stays(browser):
    admin = browser("the-admin")
    assert admin.delete("/api/v1/users/the-admin").status_code == 409
    assert admin.put("/api/v1/users/the-admin", json={"role": "viewer"}).status_code == 409


def test_secrets_are_neither_stored_nor_shown(team, browser):
    services, _ = team
    client = browser("the-viewer")
    secret = client.cookies["passer_session"]
    content = (services.settings.home / "passer.sqlite3").read_bytes()
    wal = services.settings.home / "passer.sqlite3-wal"
    content += wal.read_bytes() if wal.exists() else b""
    assert secret.encode() not in content
    assert PASSWORD.encode() not in content
    assert "argon2" not in browser("the-admin").get("/api/v1/users").text


def test_a_stranger_is_refused_before_an_upload_is_read(team):
    def body() -> Iterator[bytes]:
        raise AssertionError("the body was read")
        yield b""

    client = TestClient(team[1].app, base_url=BASE)
    assert client.post("/api/v1/datasets", content=body()).status_code == 401


@pytest.mark.parametrize("end", ["sign_out", "delete"])
def test_events_end_with_the_session_or_the_account_that_opened_them(team, browser, end: str):
    services, _ = team
    services.accounts.add(f"leaving-{end}", role="viewer", password=PASSWORD)
    client = browser(f"leaving-{end}")
    stored = Study().create(0.1)
    held = tuple(run.model_copy(update={"state": RunState.PAUSED, "held": True}) for run in stored.runs)
    stored = stored.model_copy(update={"id": f"held-{end}", "runs": renamed(held, f"held-{end}")})
    services.adapters.runs.create_sweep(stored)
    with ThreadPoolExecutor(1) as pool:
        # The client returns when the stream has ended: a paused sweep never ends it.
        stream = pool.submit(client.get, f"/api/v1/sweeps/{stored.id}/events")
        with pytest.raises(TimeoutError):
            stream.result(1.5)
        if end == "sign_out":
            services.accounts.sign_out(client.cookies["passer_session"])
        else:
            services.accounts.delete(f"leaving-{end}")
        assert stream.result(60).text.startswith("data: ")
    assert client.get(f"/api/v1/sweeps/{stored.id}/events").status_code == 401


def renamed(runs: tuple[Run, ...], sweep_id: str) -> tuple[Run, ...]:
    return tuple(run.model_copy(update={"sweep_id": sweep_id, "id": f"{sweep_id}-{run.position}"}) for run in runs)
