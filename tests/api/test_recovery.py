"""Recovery links over HTTP: one use, an end, and nothing stored or logged that would open an account."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from fastapi.testclient import TestClient

from passer.api.app import create_app
from passer.bootstrap import Services, build_services
from passer.errors import SignInNeeded
from passer.services.accounts.attempts import MOST
from passer.settings import Settings

OLD, NEW = "correct horse battery", "a new password of hers"
BASE = "http://127.0.0.1:8000"
Team = tuple[Services, TestClient]


@pytest.fixture
def team(tmp_path: Any) -> Iterator[Team]:
    """A server with an administrator, who is signed in, and maria, who is not."""
    services = build_services(Settings(home=tmp_path, encoder="none"))
    services.accounts.add("boss", role="admin", password=OLD)
    services.accounts.add("maria", role="viewer", password=OLD)
    with TestClient(create_app(services), base_url=BASE) as client:
        client.headers["x-csrf-token"] = sign_in(client, "boss", OLD).json()["csrf"]
        yield services, client


def sign_in(client: TestClient, name: str, password: str) -> Any:
    return client.post("/api/v1/session", json={"name": name, "password": password})


def stranger(team: Team) -> TestClient:
    return TestClient(team[1].app, base_url=BASE)


def link(team: Team, name: str = "maria") -> str:
    made = team[1].post(f"/api/v1/users/{name}/recovery")
    assert made.status_code == 201
    address, _, secret = made.json()["path"].partition("#recover=")
    assert address == "/"
    return secret


def recover(team: Team, secret: str, password: str = NEW) -> Any:
    return stranger(team).post("/api/v1/session/recovery", json={"secret": secret, "password": password})


def test_a_link_sets_a_password_once_and_signs_out_everywhere(team):
    signed_in = stranger(team)
    assert sign_in(signed_in, "maria", OLD).status_code == 201
    secret = link(team)
    assert signed_in.get("/api/v1/sweeps").status_code == 200, "a link alone changes nothing"
    assert recover(team, secret).status_code == 204
    assert signed_in.get("/api/v1/sweeps").status_code == 401
    assert sign_in(stranger(team), "maria", OLD).status_code == 401
    assert sign_in(stranger(team), "maria", NEW).status_code == 201
    again = recover(team, secret, "another password here")
    assert again.status_code == 401
    assert "Ask an administrator" in again.json()["detail"]
    assert sign_in(stranger(team), "maria", NEW).status_code == 201


def test_of_requests_at_once_only_one_uses_the_link(team):
    secret = link(team)
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda number: recover(team, secret, f"{NEW} {number}").status_code, range(8)))
    assert sorted(answers) == [204, *[401] * 7]
    assert sign_in(stranger(team), "maria", f"{NEW} {answers.index(204)}").status_code == 201


def test_a_refused_password_leaves_the_link_valid(team):
    secret = link(team)
    assert recover(team, secret, "short").status_code == 422
    assert recover(team, secret, "maria is my name").status_code == 422
    assert recover(team, secret).status_code == 204


@pytest.mark.parametrize("change", ["another link", "role", "password", "deleted"])
def test_a_link_is_void_when_the_account_changes_or_another_is_made(team, change):
    secret = link(team)
    if change == "another link":
        link(team)
    elif change == "deleted":
        team[0].accounts.delete("maria")
        team[0].accounts.add("maria", role="viewer", password=OLD)
    else:
        team[1].put("/api/v1/users/maria", json={"role": "researcher"} if change == "role" else {"password": OLD})
    assert recover(team, secret).status_code == 401
    assert sign_in(stranger(team), "maria", OLD).status_code == 201


class At:
    """A clock that does not advance."""

    def __init__(self, time: datetime) -> None:
        self.now = lambda: time


def test_a_link_is_valid_for_less_than_a_day(team):
    services, _ = team
    made = datetime(2026, 3, 1, 12, tzinfo=UTC)
    _, secret = replace(services.accounts, clock=At(made)).add_recovery("maria")
    with pytest.raises(SignInNeeded, match="has expired"):
        replace(services.accounts, clock=At(made + timedelta(hours=24))).recover(secret, NEW, address="")
    in_time = replace(services.accounts, clock=At(made + timedelta(hours=23, minutes=59)))
    assert in_time.recover(secret, "a password in time", address="").name == "maria"
    assert sign_in(stranger(team), "maria", "a password in time").status_code == 201


def test_who_failed_too_often_signs_in_after_recovery(team):
    for _ in range(MOST["both"]):
        sign_in(stranger(team), "maria", "wrong")
    assert sign_in(stranger(team), "maria", OLD).status_code == 429
    assert recover(team, link(team)).status_code == 204
    assert sign_in(stranger(team), "maria", NEW).status_code == 201


def test_links_are_logged_and_their_secret_is_nowhere(team):
    services, client = team
    secret = link(team)
    assert recover(team, "made-up").status_code == 401
    assert recover(team, secret).status_code == 204
    rows = client.get("/api/v1/activity").json()["items"][:3]
    assert [(each["operation"], each["account"], each["subject"], each["outcome"]) for each in rows] == [
        ("recover_account", "maria", "maria", "done"),
        ("recover_account", None, None, "refused"),
        ("add_recovery_link", "boss", "maria", "done"),
    ]
    link_left = link(team)
    stored = b"".join(file.read_bytes() for file in services.settings.home.glob("passer.sqlite3*"))
    assert b"recovery_links" in stored
    for each in (secret, link_left, NEW):
        assert each.encode() not in stored


def test_only_an_administrator_makes_links_and_only_for_accounts_that_are_there(team):
    services, client = team
    services.accounts.set_role("maria", "default", "researcher")
    maria = stranger(team)
    maria.headers["x-csrf-token"] = sign_in(maria, "maria", OLD).json()["csrf"]
    assert maria.post("/api/v1/users/boss/recovery").status_code == 403
    assert client.post("/api/v1/users/nobody/recovery").status_code == 404
