"""Projects over HTTP: nobody sees, counts, guesses by id, or reuses what is in a project of others."""

from __future__ import annotations

import re
from threading import current_thread
from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import Engine, event

from passer.api.rules import RULES
from passer.domain.accounts.project import DEFAULT_PROJECT
from tests.api.description import OPERATIONS as ALL_OPERATIONS
from tests.api.projects import BASE, MODEL, PASSWORD, Team, material, token_of
from tests.waiting import wait_until

OPERATIONS = [
    (name, method, path)
    for name, method, path in ALL_OPERATIONS
    if RULES[name].reach == "project" and RULES[name].role is not None
]
WITH_ID = [each for each in OPERATIONS if "{" in each[2]]
NAMED = {"list_tokens", "show_ledger_checkpoint", "show_ledger_key"}
"""Tokens are of accounts; a ledger's name is part of its key and under its signature, so each project has its own."""
LISTS = [(name, path) for name, method, path in OPERATIONS if method == "GET" and "{" not in path and name not in NAMED]
NOWHERE = "nowhere"


def placed(path: str, ids: dict[str, str], *, invented: bool) -> str:
    """Return a path with ids of the project alpha, or with others of the same form that exist nowhere."""

    def value(found: re.Match[str]) -> str:
        kind = path.split("/")[3] if found[1] == "name" else found[1]
        if kind in ("number", "act", "kind"):
            return ids[kind]
        value = ids.get(kind, kind)
        if not invented:
            return value
        if kind == "digest":
            return "0" * len(value)
        # The id of a run begins with that of its sweep.
        return value.replace("sweep", NOWHERE) if kind in ("sweep_id", "run_id") else f"{NOWHERE}-{kind}"

    return re.sub(r"\{([^}]*)\}", value, path)


def test_the_ids_of_the_other_project_are_real_ones(team: Team):
    kinds = {name for _, _, path in WITH_ID for name in re.findall(r"\{([^}]*)\}", path)}
    # A transaction needs a chain; tokens are of accounts; `name` stands for the kinds that `ids` has of its own.
    assert kinds - set(team.ids) == {"key", "token_id", "name"}
    send = team.of("anna", "alpha")
    shown = [
        operation
        for operation, method, path in WITH_ID
        if method == "GET" and operation != "follow_sweep"
        if send("GET", placed(path, team.ids, invented=False)).status_code == 200
    ]
    assert len(shown) > 25, shown


@pytest.mark.parametrize(("operation", "method", "path"), WITH_ID, ids=[each[0] for each in WITH_ID])
def test_an_id_of_another_project_is_as_unknown_as_an_invented_one(team: Team, operation, method, path):
    send = team.of("boris", "beta")
    real, invented = (placed(path, team.ids, invented=each) for each in (False, True))
    guessed, unknown = send(method, real), send(method, invented)
    assert guessed.status_code == unknown.status_code
    assert guessed.status_code >= 400
    # Both name the id that they were asked for, and say nothing else.
    said = re.sub(rf"{NOWHERE}-([a-z_-]+)", lambda found: team.ids.get(found[1], found[1]), unknown.text)
    said = said.replace("0" * 12, team.ids["digest"][:12])
    assert guessed.text == said.replace(NOWHERE, "sweep")


@pytest.mark.parametrize(("operation", "method", "path"), OPERATIONS, ids=[each[0] for each in OPERATIONS])
def test_a_project_of_others_is_answered_like_one_that_does_not_exist(team: Team, operation, method, path):
    path = placed(path, team.ids, invented=False)
    others, nobodys = team.of("boris", "alpha")(method, path), team.of("boris", "delta")(method, path)
    assert (others.status_code, nobodys.status_code) == (404, 404)
    assert others.text == nobodys.text.replace("delta", "alpha")
    assert team.of("boris", DEFAULT_PROJECT)(method, path).status_code == 404, "the default project has members too"


def test_the_work_for_an_answer_does_not_depend_on_what_is_in_other_projects(team: Team):
    """The same statements on the same databases for what others have as for what nobody has: nothing to be timed."""
    done: list[tuple[str, str]] = []

    def note(connection: Any, _cursor: object, statement: str, *_: object) -> None:
        # The worker polls the tables of all projects meanwhile, in threads of its own.
        if current_thread().name.startswith("AnyIO"):
            done.append((str(connection.engine.url), statement))

    def work(project: str, path: str) -> list[tuple[str, str]]:
        done.clear()
        team.of("boris", project)("GET", path)
        # Who asks is looked up in the database of accounts.
        return [each for each in done if "/projects/" in each[0]]

    statements = 0
    event.listen(Engine, "before_cursor_execute", note)
    try:
        for _, method, path in WITH_ID:
            if method == "GET":
                real, invented = (placed(path, team.ids, invented=each) for each in (False, True))
                found = work("beta", real)
                # The id of a comparison is its content: that is looked for in one's own project, and in no other.
                assert found == work("beta", invented) or "{retrieval_id}" in path, path
                assert not [url for url, _ in found if "/alpha/" in url], path
                statements += len(found)
        assert statements > 20
        assert work("alpha", "/api/v1/sweeps") == work("delta", "/api/v1/sweeps") == []
    finally:
        event.remove(Engine, "before_cursor_execute", note)


@pytest.mark.parametrize(("operation", "path"), LISTS, ids=[each[0] for each in LISTS])
def test_lists_show_and_count_nothing_of_other_projects(team: Team, operation, path):
    shown, empty = (team.of("boris", project)("GET", path).text for project in ("beta", "gamma"))
    # Both name the folder of their own project.
    assert shown == empty.replace("gamma", "beta")


def test_a_viewer_starts_and_changes_nothing(team: Team):
    send = team.of("vera", "alpha")
    for operation, method, path in OPERATIONS:
        if RULES[operation].role != "viewer":
            assert send(method, placed(path, team.ids, invented=False)).status_code == 403, operation
    assert send("GET", "/api/v1/sweeps/sweep").status_code == 200


def test_members_of_projects_manage_neither_accounts_nor_projects(team: Team):
    send = team.of("anna", "alpha")
    assert send("GET", "/api/v1/users").status_code == 403, "an administrator of one project"
    assert send("POST", "/api/v1/projects", json={"name": "mine"}).status_code == 403
    assert send("PUT", "/api/v1/projects/beta/members/anna", json={"role": "viewer"}).status_code == 403
    assert [each["name"] for each in send("GET", "/api/v1/projects").json()["items"]] == ["alpha"]
    listed = team.of("root", DEFAULT_PROJECT)("GET", "/api/v1/projects").json()["items"]
    assert [each["name"] for each in listed] == ["default", "alpha", "beta", "gamma"]


def test_an_administrator_adds_a_project_and_chooses_its_members(team: Team):
    send = team.of("root", DEFAULT_PROJECT)
    assert send("POST", "/api/v1/projects", json={"name": "new"}).status_code == 201
    assert send("POST", "/api/v1/projects", json={"name": "new"}).status_code == 409
    assert send("POST", "/api/v1/projects", json={"name": "../x"}).status_code == 422
    assert send("PUT", "/api/v1/projects/none/members/vera", json={"role": "viewer"}).status_code == 404
    assert send("PUT", "/api/v1/projects/new/members/nobody", json={"role": "viewer"}).status_code == 404
    assert send("PUT", "/api/v1/projects/new/members/vera", json={"role": "viewer"}).status_code == 200
    members = send("GET", "/api/v1/projects/new/members").json()["items"]
    assert members == [{"account": "root", "role": "admin"}, {"account": "vera", "role": "viewer"}]
    assert team.of("vera", "new")("GET", "/api/v1/sweeps").status_code == 200
    assert send("DELETE", "/api/v1/projects/new/members/vera").status_code == 204
    assert team.of("vera", "new")("GET", "/api/v1/sweeps").status_code == 404


def test_an_accepted_job_names_its_address_within_its_project(team: Team):
    send = team.of("boris", "gamma")
    accepted = send("POST", "/api/v1/collections/notes/texts", json={"title": "note", "text": "Rye is sown in autumn."})
    assert accepted.status_code == 202
    address = f"/projects/gamma/api/v1/jobs/{accepted.json()['job_id']}"
    assert (accepted.json()["status_url"], accepted.headers["location"]) == (address, address)


def test_a_token_for_one_project_reaches_no_other_and_makes_none_that_does(team: Team):
    secret = token_of(team.client, "boris", project="beta")
    headers = {"authorization": f"Bearer {secret}"}

    def status(path: str, method: str = "GET", **more: Any) -> int:
        return team.client.request(method, path, headers=headers, **more).status_code

    assert status("/projects/beta/api/v1/sweeps") == 200
    assert status("/projects/gamma/api/v1/sweeps") == 404
    assert [each["name"] for each in team.client.get("/api/v1/projects", headers=headers).json()["items"]] == ["beta"]
    for project, expected in ((None, 403), ("gamma", 403), ("beta", 201)):
        body = {"name": "another", "scope": "viewer", "project": project}
        assert status("/projects/beta/api/v1/tokens", "POST", json=body) == expected
    body = {"name": "another", "scope": "viewer", "project": "alpha"}
    send = team.of("boris", "beta")
    assert send("POST", "/api/v1/tokens", json=body).status_code == 404
    assert token_of(team.client, "root", project="beta")
    limited = {"authorization": f"Bearer {token_of(team.client, 'root', project='alpha')}"}
    assert team.client.get("/api/v1/users", headers=limited).status_code == 403, "it administers alpha alone"


def test_a_browser_signs_in_once_for_all_its_projects(team: Team):
    client = TestClient(team.client.app, base_url=BASE)
    assert client.get("/projects/beta/api/v1/session").json() == client.get("/api/v1/session").json()
    signed_in = client.post("/api/v1/session", json={"name": "boris", "password": PASSWORD}).json()
    assert (signed_in["role"], signed_in["project"]) == (None, DEFAULT_PROJECT)
    assert signed_in["projects"] == [{"name": "beta", "role": "admin"}, {"name": "gamma", "role": "admin"}]
    assert client.get("/projects/beta/api/v1/session").json()["role"] == "admin"
    assert client.get("/projects/alpha/api/v1/session").json()["role"] is None
    page = client.get("/projects/beta/sweeps/x", headers={"accept": "text/html"})
    assert page.status_code in (200, 404, 503), "a page, or none where it is not built"


def test_what_one_project_asked_a_model_is_asked_again_in_another(team: Team):
    """A stored answer that came at once would tell that somebody had asked the same."""
    config = {"dataset": "farm", "collection": "farm", "model": MODEL, "retrieval": {"mode": "normal", "k": 1}}

    def reused(account: str, project: str) -> int:
        send = team.of(account, project)
        created = send("POST", "/api/v1/runs", json={"name": "One", "config": config})
        assert created.status_code == 201, created.text
        path = f"/api/v1/sweeps/{created.json()['sweep_id']}"
        sweep = wait_until(lambda: (found := send("GET", path).json())["state"] in ("finished", "failed") and found)
        assert sweep["state"] == "finished", sweep
        return int(sweep["runs"][0]["counts"]["reused"])

    material(team, team.of("boris", "beta"))
    assert [reused("anna", "alpha"), reused("anna", "alpha"), reused("boris", "beta")] == [0, 1, 0]
