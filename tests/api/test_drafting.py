"""Questions from documents over HTTP: from a collection without questions to a dataset and its first sweep."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from passer.api.app import create_app
from passer.bootstrap import build_services
from passer.settings import Settings
from tests.api.conftest import Api
from tests.ollama_server import OllamaServer

MODEL = {"provider": "ollama", "name": "mistral:latest"}
WRITTEN = {
    "Clover": ("What does clover fix from the air?", "Clover fixes nitrogen from the air."),
    "Copper": ("To how many kilograms is copper limited?", "Copper is limited to 28 kilograms in seven years."),
    "Bees": ("How far do bees fly from the hive?", "Bees fly three kilometres from the hive."),
}


def reply(prompt: str) -> str:
    """Write well about whatever the prompt holds; the server puts it into each string of a schema."""
    about = next((written for word, written in WRITTEN.items() if word.lower() in prompt.lower()), ("", "Copper."))
    is_answer = prompt.startswith(("You are an expert", "Break the answer"))
    return about[1] if is_answer else about[0]


@pytest.fixture(scope="module")
def drafted(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Api]:
    home = tmp_path_factory.mktemp("home")
    with OllamaServer(reply=reply) as server:
        services = build_services(Settings(home=home, PASSER_OLLAMA_URL=server.url))
        with TestClient(create_app(services), base_url="http://127.0.0.1:8000") as client:
            api = Api(client, home)
            assert api.ingest()["state"] == "finished"
            yield api


def test_from_documents_without_questions_to_a_first_sweep(drafted: Api, tmp_path: Path) -> None:
    client = drafted.client
    body: dict[str, object] = {"collection": "farm", "models": [MODEL], "target": 2, "review": 1.0}
    # The scripted server says the first value of each enum, which is 0 here.
    body["limits"] = {"answerability": None}
    plan = client.post("/api/v1/drafts/plan", json=body).json()
    assert (plan["asks_each"], plan["asks"], plan["language"]) == (7, 14, "en")
    assert plan["warnings"] == ["mistral:latest judges its own answers."]
    accepted = client.post("/api/v1/drafts", json=body)
    drafting = accepted.json()["table"]["assessment"]["id"]
    job = drafted.job(accepted)
    assert (job["kind"], job["subject"], job["state"]) == ("draft", "farm", "finished")
    shown = client.get(f"/api/v1/drafts/{drafting}", params={"state": "waiting"}).json()
    assert [each["state"] for each in shown["drafts"]] == ["waiting"] * 2
    assert [check["stage"] for check in shown["drafts"][0]["draft"]["checks"]] == [
        "question", "form", "answer", "faithfulness", "relevance", "copy", "duplicate",
    ]  # fmt: skip

    path = f"/api/v1/drafts/{drafting}"
    nothing = client.post(f"{path}/finish", json={"name": "drafted"})
    assert nothing.status_code in (400, 422), nothing.text
    assert nothing.json()["detail"].startswith("No draft is accepted")
    first, second = (f"{path}/{each['draft']['key']}" for each in shown["drafts"])
    assert client.patch(first, json={"kind": "accept", "version": 0}).json()["state"] == "accepted"
    stale = client.patch(first, json={"kind": "refuse", "version": 0, "reason": "wrong"})
    assert (stale.status_code, stale.json()["detail"][:13]) == (409, "Somebody else")
    edited = {"kind": "edit", "version": 0, "question": "Which limit applies to it?"}
    assert client.patch(second, json=edited).json()["question"] == "Which limit applies to it?"
    assert client.patch(f"{path}/none", json={"kind": "accept", "version": 0}).status_code == 404
    finished = client.post(f"{path}/finish", json={"name": "drafted"})
    assert finished.status_code == 201, finished.text
    assert "mistral:latest" in finished.json()["readme"]

    assert client.get(path).json()["table"]["is_exhausted"] is False
    # A higher target goes on; the third window is the last one.
    assert client.post(f"{path}/resume", json={"target": 3}).status_code == 202
    again = client.get(f"/api/v1/jobs/{drafting}")
    again.headers["location"] = f"/api/v1/jobs/{drafting}"
    again.status_code = 202
    assert drafted.job(again)["state"] == "finished"
    assert client.get(path).json()["table"]["windows"] == 3
    assert client.post(f"{path}/resume", json={"target": 9}).status_code == 202
    assert drafted.job(again)["state"] == "finished"
    table = client.get(path).json()["table"]
    assert (table["outcome"], table["is_exhausted"]) == ("All passages are used: 3 of 9 questions.", True)
    sweep = {"name": "First", "config": {"dataset": "drafted", "collection": "farm", "model": MODEL}}
    plan = client.post("/api/v1/sweeps/plans", json=sweep)
    assert plan.status_code == 200, plan.text
    # Assessments of answers stay what they were, and a drafting is none of them.
    assert client.get("/api/v1/assessments").json()["items"] == []
    assert client.get(f"/api/v1/assessments/{drafting}").status_code == 409
    assert len(client.get("/api/v1/drafts").json()["items"]) == 1
