"""A server with several projects, one of which has one of everything."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
from fastapi.testclient import TestClient

from passer.adapters.store.studies import DatabaseStudies
from passer.bootstrap import Services, build_services
from passer.domain.accounts.project import DEFAULT_PROJECT
from passer.services.provenance.published_study import StudyPublisher
from passer.settings import Settings
from tests.api.description import described_app
from tests.ollama_server import OllamaServer
from tests.result_sheets import row_of, write_sheet
from tests.services.judging.made import Judged
from tests.sheet_studies import IMPORT, LABELS, composer
from tests.studies import StubRecorder
from tests.waiting import wait_until

PASSWORD = "correct horse battery"
BASE = "http://127.0.0.1:8000"
MODEL = {"provider": "ollama", "name": "mistral:latest"}
QUESTION = b'[{"id": "q", "question": "What fixes nitrogen?", "reference": "Clover."}]'


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


@contextmanager
def served_projects(home: Path, folder: Path) -> Iterator[Team]:
    """A server with the projects alpha, beta and gamma in a home; `folder` is for files to import."""
    with OllamaServer() as ollama:
        settings = Settings(
            home=home, encoder="none", embedding="ollama/nomic-embed-text:latest", PASSER_OLLAMA_URL=ollama.url
        )
        services = build_services(settings)
        for name in ("alpha", "beta", "gamma"):
            services.projects.add(name)
        made = Judged(f"sqlite:///{home / 'projects' / 'alpha' / 'passer.sqlite3'}")
        made.fill()
        published = StudyPublisher(StubRecorder(), studies=DatabaseStudies(made.store.database))
        digest = published.publish(composer().compose(IMPORT, labels=LABELS)).digest
        made.close()
        add = services.accounts.add
        add("root", role="admin", password=PASSWORD)
        add("anna", role=None, projects={"alpha": "admin"}, password=PASSWORD)
        add("vera", role=None, projects={"alpha": "viewer"}, password=PASSWORD)
        add("boris", role=None, projects={"beta": "admin", "gamma": "admin"}, password=PASSWORD)
        with TestClient(described_app(services), base_url=BASE) as client:
            found = Team(services, client, ollama)
            found.tokens = {name: token_of(client, name) for name in ("root", "anna", "vera", "boris")}
            found.ids = {**filled(found, folder), "digest": digest}
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


def job(team: Team, response: httpx.Response, send: Callable[..., httpx.Response]) -> dict[str, Any]:
    assert response.status_code == 202, response.text
    # With the prefix, so that the caller can ask for the address as it is.
    path = re.sub("^/projects/[a-z]+", "", response.headers["location"])
    assert path != response.headers["location"]
    done: dict[str, Any] = wait_until(
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
    ids["settings"] = "judge_embedding"
    ids |= {"sweep_id": "sweep", "number": "0", "act": "pause"}
    ids["run_id"] = send("GET", "/api/v1/sweeps/sweep").json()["runs"][0]["id"]
    ids |= {"kind": "run", "rankings": "theirs", "term-maps": "seas"}
    run = {"file": "their.run", "text": "q Q0 soil 1 1.0 theirs"}
    assert send("PUT", "/api/v1/rankings/run/theirs", json=run).status_code == 200
    assert send("PUT", "/api/v1/term-maps/seas", json={"terms": {"sea": ["ocean"]}}).status_code == 200
    compared = {"collection": "farm", "dataset": "farm", "retrievers": [{"form": "lexical"}]}
    ids["retrieval_id"] = send("POST", "/api/v1/retrievals", json=compared).json()["id"]
    server = {"name": "lab", "kind": "openai", "url": "http://127.0.0.1:9"}
    assert send("POST", "/api/v1/connections", json=server).status_code == 201
    assert send("PUT", "/api/v1/settings/judge_embedding", json={"value": "embedded"}).status_code == 200
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
    queue = send("GET", f"/api/v1/labels/draws/{ids['draw_id']}/queue", params={"rater": "anna"}).json()
    ids["item"] = queue["places"][0]["item"]
    played = send("POST", "/api/v1/tournaments/import", files={"file": ("games.csv", b"qid,a,b,winner\n1,x,y,A\n")})
    assert played.status_code == 201, played.text
    ids["rater"] = "ana"
    ids["tournament_id"] = played.json()["tournament"]["id"]
    write_sheet(folder / "m.xlsx", [row_of("one?", 0.0), row_of("two?", 0.5)])
    sheets = [("files", ("m/threshold_0.5.xlsx", (folder / "m.xlsx").read_bytes()))]
    done = job(team, send("POST", "/api/v1/imports", files=sheets), send)
    drafting = {"collection": "farm", "models": [MODEL], "way": "paragraph", "target": 1}
    drafted = send("POST", "/api/v1/drafts", json=drafting)
    job(team, drafted, send)
    ids["drafting_id"] = drafted.json()["table"]["assessment"]["id"]
    return {**ids, "import_id": done["result"]["id"]}
