"""The real application: real Chroma, SQLite and encoder in a folder of its own; the model server alone is scripted."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi.testclient import TestClient

from passer.bootstrap import build_services
from passer.settings import Settings
from tests.api.description import DESCRIPTION, described_app
from tests.api.projects import Team, served_projects
from tests.oidc_provider import OidcProvider
from tests.ollama_server import OllamaServer
from tests.served import Served

SOIL = "Clover fixes nitrogen from the air. " * 3 + "\n\n" + "Copper is limited to 28 kilograms in seven years. " * 3
BEES = "Bees fly three kilometres from the hive. Hives are treated with organic acids against varroa mites."
QUESTIONS = [
    {"id": "q1", "question": "What fixes nitrogen?", "reference": "Clover fixes nitrogen from the air.",
     "gold_passages": [{"document": "soil.txt", "quote": "Clover fixes nitrogen from the air."}]},
    {"id": "q2", "question": "How far do bees fly?", "reference": "Bees fly three kilometres."},
    {"id": "q3", "question": "How much copper is allowed?", "reference": "28 kilograms in seven years."},
]  # fmt: skip


_REFUSALS = {
    (method, path): set(operation["responses"])
    for path, methods in DESCRIPTION["paths"].items()
    for method, operation in methods.items()
}
_PATHS = sorted(
    ((re.compile(re.sub(r"{[^/]+}", "[^/]+", path)), path) for _, path in _REFUSALS),
    key=lambda each: each[1].count("{"),
)


@pytest.fixture(scope="session", autouse=True)
def described_refusals() -> Iterator[None]:
    """Fail a test in which an operation refuses with a status that its description does not list.

    Which refusals an operation can give follows from rules in the description; the requests of all tests here check it.
    """
    send = TestClient.send

    def checked(client: TestClient, request: httpx.Request, **given: Any) -> httpx.Response:
        response = send(client, request, **given)
        path = next((path for form, path in _PATHS if form.fullmatch(request.url.path)), "")
        listed = _REFUSALS.get((request.method.lower(), path))
        if response.status_code >= 400 and listed is not None:
            assert str(response.status_code) in listed, f"{request.method} {path}: {response.text}"
        return response

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(TestClient, "send", checked)
        yield


class Api:
    """The application as a client sees it, with the waiting done."""

    def __init__(self, client: TestClient, home: Path) -> None:
        self.client = client
        self.home = home

    def job(self, response: Any) -> dict[str, Any]:
        assert response.status_code == 202, response.text
        for _ in range(600):
            job = self.client.get(response.headers["location"]).json()
            if job["state"] in ("finished", "failed"):
                return job
            time.sleep(0.05)
        raise AssertionError("the job did not end")

    def finished(self, sweep_id: str) -> dict[str, Any]:
        return self.reached(sweep_id, "finished", "failed", "cancelled")

    def reached(self, sweep_id: str, *states: str) -> dict[str, Any]:
        for _ in range(1200):
            sweep = self.client.get(f"/api/v1/sweeps/{sweep_id}").json()
            if sweep["state"] in states:
                return sweep
            time.sleep(0.05)
        raise AssertionError(f"the sweep did not become {' or '.join(states)}")

    def streamed(self, path: str, body: object, **headers: str) -> list[tuple[str, Any]]:
        """Post and return the events of the reply, each as its name and what it says."""
        response = self.client.post(path, json=body, headers={"accept": "text/event-stream", **headers})
        assert response.headers["content-type"].startswith("text/event-stream"), response.text
        blocks = [block for block in response.text.split("\n\n") if block.startswith("event: ")]
        pairs = [block.removeprefix("event: ").split("\ndata: ") for block in blocks]
        return [(name, json.loads(data)) for name, data in pairs]

    def ingest(self, name: str = "farm") -> dict[str, Any]:
        files = [("files", ("soil.txt", SOIL.encode())), ("files", ("bees.md", BEES.encode()))]
        return self.job(
            self.client.post(f"/api/v1/collections/{name}/documents", files=files, data={"chunk_size": "128"})
        )

    def upload(self, name: str = "farm", content: bytes | None = None, filename: str = "questions.json") -> Any:
        content = json.dumps(QUESTIONS).encode() if content is None else content
        return self.client.post("/api/v1/datasets", files={"file": (filename, content)}, data={"name": name})


@pytest.fixture(scope="session")
def ollama() -> Iterator[OllamaServer]:
    with OllamaServer() as server:
        yield server


@pytest.fixture(scope="module")
def api(tmp_path_factory: pytest.TempPathFactory, ollama: OllamaServer) -> Iterator[Api]:
    home = tmp_path_factory.mktemp("home")
    settings = Settings(home=home, max_upload_mb=1, PASSER_OLLAMA_URL=ollama.url)
    app = described_app(build_services(settings))
    with TestClient(app, base_url="http://127.0.0.1:8000") as client:
        yield Api(client, home)


@pytest.fixture(scope="module")
def loaded(api: Api) -> Api:
    """With a collection and a dataset called farm."""
    assert api.ingest()["state"] == "finished"
    assert api.upload().status_code == 201
    return api


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    """A real server process, for what only real sockets show."""
    with Served(tmp_path_factory.mktemp("served")) as server:
        yield server.client


@pytest.fixture(scope="module")
def team(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Team]:
    """A server with several projects and their people; a module may have another fixture of this name."""
    with served_projects(tmp_path_factory.mktemp("home"), tmp_path_factory.mktemp("files")) as found:
        yield found


@pytest.fixture
def provider() -> Iterator[OidcProvider]:
    with OidcProvider() as served:
        yield served
