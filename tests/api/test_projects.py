"""Projects over HTTP: nobody sees, counts, guesses by id, or reuses what is in a project of others."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import httpx
import pytest
from fastapi.testclient import TestClient

from passer.api.app import create_app
from passer.api.rules import RULES
from passer.bootstrap import Services, build_services
from passer.domain.project import DEFAULT_PROJECT
from passer.settings import Settings
from tests.ollama_server import OllamaServer
from tests.result_sheets import row_of, write_sheet
from tests.services.judging.made import Judged

PASSWORD = "correct horse battery"
BASE = "http://127.0.0.1:8000"
WITHIN_S = 120.0
MODEL = {"provider": "ollama", "name": "mistral:latest"}
QUESTION = b'[{"id": "q", "question": "What fixes nitrogen?", "reference": "Clover."}]'
OPERATIONS = [
    (each["operationId"], method.upper(), path)
    for path, methods in create_app(None).openapi()["paths"].items()
    for method, each in methods.items()
    if RULES[each["operationId"]].reach == "project" and RULES[each["operationId"]].role is not None
]
WITH_ID = [each for each in OPERATIONS if "{" in each[2]]
LISTS = [
    (name, path) for name, method, path in OPERATIONS if method == "GET" and "{" not in path and name != "list_tokens"
]
NOWHERE = "nowhere"


@dataclass
class Team:
    """A server with two projects of different people, and one that holds nothing."""

    services: Services
    client: TestClient
    ollama: OllamaServer
    tokens: dict[str, str] = field(default_factory=dict)
    """A token of each account, by its name."""
    ids: dict[str, str] = field(default_factory=dict)
    """Ids of what is in the project alpha, by the name of the parameter; names of things by the kind in the path."""

    def of(self, account: str, project: str) -> Callable[..., httpx.Response]:
        """Return what sends the requests of an account to a project."""
        prefix = "" if project == DEFAULT_PROJECT else f"/projects/{project}"

        def send(method: str, path: str, **more: Any) -> httpx.Response:
            headers = {"authorization": f"Bearer {self.tokens[account]}"}
            return self.client.request(method, f"{prefix}{path}", headers=headers, **more)

        return send


def home_of(account: str) -> str:
    return {"anna": "alpha", "vera": "alpha", "boris": "beta"}.get(account, DEFAULT_PROJECT)


@pytest.fixture(scope="module")
def team(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Team]:
    home = tmp_path_factory.mktemp("home")
    with OllamaServer() as ollama:
        settings = Settings(
            home=home, encoder="none", embedding="ollama/nomic-embed-text:latest", PASSER_OLLAMA_URL=ollama.url
        )
        services = build_services(settings)
        for name in ("alpha", "beta", "gamma"):
            services.projects.add(name)
        made = Judged(f"sqlite:///{home / 'projects' / 'alpha' / 'passer.sqlite3'}")
        made.fill()
        made.close()
        add = services.accounts.add
        add("root", role="admin", password=PASSWORD)
        add("anna", role=None, projects={"alpha": "admin"}, password=PASSWORD)
        add("vera", role=None, projects={"alpha": "viewer"}, password=PASSWORD)
        add("boris", role=None, projects={"beta": "admin", "gamma": "admin"}, password=PASSWORD)
        with TestClient(create_app(services), base_url=BASE) as client:
            found = Team(services, client, ollama)
            found.tokens = {name: token_of(client, name) for name in ("root", "anna", "vera", "boris")}
            found.ids = filled(found, tmp_path_factory.mktemp("files"))
            yield found


def token_of(client: TestClient, account: str, **limits: object) -> str:
    """Sign in, create a token, and forget the session."""
    address = f"/projects/{home_of(account)}" if home_of(account) != DEFAULT_PROJECT else ""
    signed_in = client.post(f"{address}/api/v1/session", json={"name": account, "password": PASSWORD}).json()
    headers = {"x-csrf-token": signed_in["csrf"]}
    body = {"name": "test", "scope": signed_in["role"], **limits}
    created = client.post(f"{address}/api/v1/tokens", json=body, headers=headers)
    assert created.status_code == 201, created.text
    client.cookies.clear()
    return str(created.json()["secret"])


def until(look: Callable[[], Any]) -> Any:
    deadline = time.monotonic() + WITHIN_S
    while not (found := look()):
        assert time.monotonic() < deadline, "it did not end"
        time.sleep(0.05)
    return found


def job(team: Team, response: httpx.Response, send: Callable[..., httpx.Response]) -> dict[str, Any]:
    assert response.status_code == 202, response.text
    # With the prefix, so that the caller can ask for the address as it is.
    path = re.sub("^/projects/[a-z]+", "", response.headers["location"])
    assert path != response.headers["location"]
    done: dict[str, Any] = until(
        lambda: (found := send("GET", path).json())["state"] in ("finished", "failed") and found
    )
    assert done["state"] == "finished", done
    return done


def material(team: Team, send: Callable[..., httpx.Response]) -> str:
    """A collection and a dataset, both called `farm`; the id of the job."""
    text = {"title": "soil", "text": "Clover fixes nitrogen from the air."}
    done = job(team, send("POST", "/api/v1/collections/farm/texts", json=text), send)
    files = {"file": ("farm.json", QUESTION)}
    assert send("POST", "/api/v1/datasets", files=files, data={"name": "farm"}).status_code == 201
    return str(done["id"])


def filled(team: Team, folder: Any) -> dict[str, str]:
    """One of everything in the project alpha."""
    send = team.of("anna", "alpha")
    ids = {"job_id": material(team, send), "collections": "farm", "datasets": "farm", "connections": "lab"}
    ids |= {"sweep_id": "sweep", "number": "0", "act": "pause"}
    ids["run_id"] = send("GET", "/api/v1/sweeps/sweep").json()["runs"][0]["id"]
    server = {"name": "lab", "kind": "openai", "url": "http://127.0.0.1:9"}
    assert send("POST", "/api/v1/connections", json=server).status_code == 201
    body = {"target": "sweep", "judge": MODEL, "columns": ["Answer correctness"]}
    assessed = send("POST", "/api/v1/assessments", json=body)
    ids["assessment_id"] = re.search(r"[0-9a-f]{12,}", assessed.text)[0]
    drawn = send(
        "POST",
        "/api/v1/labels/draws",
        json={"assessment": ids["assessment_id"], "column": "Answer correctness", "questions": 2},
    )
    assert drawn.status_code == 201, drawn.text
    ids["draw_id"] = drawn.json()["id"]
    queue = send("GET", f"/api/v1/labels/draws/{ids['draw_id']}/queue", params={"rater": "ana"}).json()
    ids["item"] = queue["places"][0]["item"]
    played = send("POST", "/api/v1/tournaments/import", files={"file": ("games.csv", b"qid,a,b,winner\n1,x,y,A\n")})
    assert played.status_code == 201, played.text
    ids["tournament_id"] = played.json()["tournament"]["id"]
    write_sheet(folder / "m.xlsx", [row_of("one?", 0.0), row_of("two?", 0.5)])
    sheets = [("files", ("m/threshold_0.5.xlsx", (folder / "m.xlsx").read_bytes()))]
    done = job(team, send("POST", "/api/v1/imports", files=sheets), send)
    return {**ids, "import_id": done["result"]["id"]}


def placed(path: str, ids: dict[str, str], *, invented: bool) -> str:
    """Return a path with ids of the project alpha, or with others of the same form that exist nowhere."""

    def value(found: re.Match[str]) -> str:
        kind = path.split("/")[3] if found[1] == "name" else found[1]
        if kind in ("number", "act"):
            return ids[kind]
        value = ids.get(kind, kind)
        if not invented:
            return value
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
    said = re.sub(rf"{NOWHERE}-([a-z_]+)", lambda found: team.ids.get(found[1], found[1]), unknown.text)
    assert guessed.text == said.replace(NOWHERE, "sweep")


@pytest.mark.parametrize(("operation", "method", "path"), OPERATIONS, ids=[each[0] for each in OPERATIONS])
def test_a_project_of_others_is_answered_like_one_that_does_not_exist(team: Team, operation, method, path):
    path = placed(path, team.ids, invented=False)
    others, nobodys = team.of("boris", "alpha")(method, path), team.of("boris", "delta")(method, path)
    assert (others.status_code, nobodys.status_code) == (404, 404)
    assert others.text == nobodys.text.replace("delta", "alpha")
    assert team.of("boris", DEFAULT_PROJECT)(method, path).status_code == 404, "the default project has members too"


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
        sweep = until(lambda: (found := send("GET", path).json())["state"] in ("finished", "failed") and found)
        assert sweep["state"] == "finished", sweep
        return int(sweep["runs"][0]["counts"]["reused"])

    material(team, team.of("boris", "beta"))
    assert [reused("anna", "alpha"), reused("anna", "alpha"), reused("boris", "beta")] == [0, 1, 0]
