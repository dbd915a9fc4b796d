"""The activity log over HTTP: what is recorded, who reads it, and that no secret gets into it."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from passer.api.app import create_app
from passer.api.rules import LOGGED, RULES
from passer.bootstrap import Services, build_services
from passer.domain.accounts.activity import Act
from passer.errors import StoreUnavailable
from passer.settings import Settings

PASSWORD = "correct horse battery"
WRONG = "my password, typed into the name"
BASE = "http://127.0.0.1:8000"
QUESTION = b'[{"id": "q", "question": "What fixes nitrogen?", "reference": "Clover."}]'


@pytest.fixture(scope="module")
def services(tmp_path_factory):
    built = build_services(Settings(home=tmp_path_factory.mktemp("log"), encoder="none"))
    built.projects.add("alpha")
    built.accounts.add("root", role="admin", password=PASSWORD)
    built.accounts.add("anna", role=None, projects={"alpha": "admin"}, password=PASSWORD)
    built.accounts.add("vera", role="viewer", projects={"alpha": "viewer"}, password=PASSWORD)
    yield built
    built.close()


@pytest.fixture(scope="module")
def client(services: Services):
    with TestClient(create_app(services), base_url=BASE) as opened:
        yield opened


def sign_in(client: TestClient, name: str, password: str = PASSWORD) -> Any:
    client.cookies.clear()
    signed_in = client.post("/api/v1/session", json={"name": name, "password": password})
    client.headers["x-csrf-token"] = signed_in.json().get("csrf") or ""
    return signed_in


def newest(services: Services, project: str = "default", limit: int = 1) -> list[tuple[Any, ...]]:
    found = services.projects.open(project).activity.newest(limit=limit)
    return [(each.account, each.via, each.operation, each.subject, each.outcome) for each in found]


def test_what_changes_something_is_logged_and_reading_is_not():
    changing = {name for name in LOGGED if RULES[name].role is not None}
    assert {"delete_dataset", "set_member", "ask_question", "export_activity", "steer_sweep"} <= changing
    assert not {name for name in LOGGED if name.startswith(("list_", "show_", "plan_", "preview_"))}
    assert {"sign_in", "finish_provider_sign_in", "finish_wallet_sign_in", "recover_account"} == LOGGED - changing


def test_the_page_names_every_operation_that_is_logged():
    page = Path(__file__).parents[2] / "frontend/src/features/account/operations.ts"
    named = re.findall(r"^  (\w+):", page.read_text(), re.MULTILINE)
    assert sorted(named) == sorted(LOGGED)


def test_signing_in_is_recorded_and_what_is_no_account_is_not_written_down(client, services):
    assert sign_in(client, "vera").status_code == 201
    assert newest(services) == [("vera", "session", "sign_in", "vera", "done")]
    assert sign_in(client, "vera", "wrong").status_code == 401
    assert newest(services) == [("vera", "session", "sign_in", "vera", "refused")]
    assert sign_in(client, WRONG, "wrong").status_code == 401
    assert newest(services) == [(None, "session", "sign_in", None, "refused")]


def test_acts_and_refusals_are_in_the_log_of_their_project(client, services):
    sign_in(client, "root")
    at = "/projects/alpha/api/v1"
    before = len(services.activity.newest(limit=500))
    assert client.post(f"{at}/datasets", files={"file": ("q.json", QUESTION)}, data={"name": "farm"}).status_code == 201
    assert newest(services, "alpha") == [("root", "session", "create_dataset", "farm", "done")]
    assert client.get(f"{at}/datasets").status_code == 200
    assert client.delete(f"{at}/datasets/farm", params={"confirm": "no"}).status_code == 409
    assert len(services.projects.open("alpha").activity.newest()) == 1, "neither reading nor a wrong value"
    token = client.post(f"{at}/tokens", json={"name": "ci", "scope": "admin"}).json()
    program = TestClient(client.app, base_url=BASE, headers={"authorization": f"Bearer {token['secret']}"})
    assert program.delete(f"{at}/datasets/farm", params={"confirm": "farm"}).status_code == 204
    assert newest(services, "alpha") == [("root", "token", "delete_dataset", "farm", "done")]
    assert sign_in(client, "vera").status_code == 201
    assert client.post(f"{at}/examples/organic").status_code == 403
    assert newest(services, "alpha") == [("vera", "session", "load_example", "organic", "refused")]
    assert len(services.activity.newest(limit=500)) == before + 2, "a token and a sign-in"


def test_who_may_use_a_project_is_in_its_log_and_in_that_of_the_installation(client, services):
    sign_in(client, "root")
    path = "/api/v1/projects/alpha/members/vera"
    assert client.put(path, json={"role": "researcher"}).status_code == 200
    expected = ("root", "session", "set_member", "vera (alpha: researcher)", "done")
    assert newest(services) == newest(services, "alpha") == [expected]
    body = {"name": "ivan", "role": "viewer", "projects": {"alpha": "viewer"}, "password": PASSWORD}
    assert client.post("/api/v1/users", json=body).status_code == 201
    assert newest(services)[0][2:4] == ("add_user", "ivan (default: viewer, alpha: viewer)")
    assert client.put("/api/v1/users/ivan", json={"password": PASSWORD + "!"}).status_code == 200
    assert newest(services)[0][2:4] == ("change_user", "ivan (password)")


def test_administrators_of_a_project_read_its_log_and_nobody_else_does(client, services):
    logs = ("activity", "activity/check", "activity/export")
    for name, expected in (("vera", 403), ("anna", 200)):
        sign_in(client, name)
        assert {client.get(f"/projects/alpha/api/v1/{log}").status_code for log in logs} == {expected}
    assert {client.get(f"/api/v1/{log}").status_code for log in logs} == {404}, "of the default project"
    page = client.get("/projects/alpha/api/v1/activity", params={"limit": 1}).json()
    assert page["items"][0]["operation"] == "export_activity", "reading the whole log leaves a trace"
    older = client.get("/projects/alpha/api/v1/activity", params={"before": page["next"], "limit": 2}).json()
    assert [each["number"] for each in older["items"]] == [int(page["next"]) - 1, int(page["next"]) - 2]
    of_vera = client.get("/projects/alpha/api/v1/activity", params={"account": "vera"}).json()["items"]
    assert {each["account"] for each in of_vera} == {"vera"}


def test_the_export_is_whole_fits_the_check_and_has_no_secret(client, services):
    sign_in(client, "root")
    secret = client.post("/api/v1/tokens", json={"name": "ci", "scope": "viewer"}).json()["secret"]
    server = {"name": "lab", "kind": "openai", "url": "http://127.0.0.1:9", "api_key": "sk-secret"}
    assert client.post("/api/v1/connections", json=server).status_code == 201
    assert newest(services)[0][2:4] == ("connect_server", "lab")
    exported = client.get("/api/v1/activity/export").text
    rows = [json.loads(line) for line in exported.splitlines()]
    checked = client.get("/api/v1/activity/check").json()
    assert checked["problem"] is None
    assert checked["rows"] == len(rows) + 1, "and the export itself"
    assert [row["previous"] for row in rows[1:]] == [row["digest"] for row in rows[:-1]]
    for value in (PASSWORD, secret, "sk-secret", WRONG, client.headers["x-csrf-token"]):
        assert value not in exported


def test_what_cannot_be_recorded_is_not_acknowledged(client, services, monkeypatch):
    def full(act: Act) -> None:
        raise StoreUnavailable("The disk is full. Free some space, then retry.")

    sign_in(client, "root")
    monkeypatch.setitem(vars(services), "activity", type("Full", (), {"record": staticmethod(full)})())
    refused = client.post("/api/v1/projects", json={"name": "unlogged"})
    assert (refused.status_code, refused.headers["content-type"]) == (503, "application/problem+json")
    assert "disk is full" in refused.json()["detail"]
