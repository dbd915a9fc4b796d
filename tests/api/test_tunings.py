"""Tunings over HTTP: planned, run by the worker, listed with their task, and used by an assessment."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from passer.api.app import create_app
from passer.bootstrap import build_services
from passer.settings import Settings
from tests.ollama_server import OllamaServer
from tests.services.judging.made import Judged
from tests.services.judging.rated import COLUMN, fill_rated

WITHIN_S = 120.0
JUDGE = {"provider": "ollama", "name": "mistral:latest"}
STRICT = "Grade strictly, in five words or more."
SETTINGS = {"few_shots": 0, "instructions": 1, "seed": 3}


def reply(prompt: str) -> str:
    """Grade as people do by the strict instruction, and in the opposite order by PaSSER's."""
    if "Rewrite the instruction" in prompt:
        return STRICT
    worth = int(re.findall(r"worth (\d+)", prompt)[-1])
    return str(worth if STRICT in prompt else 10 - worth)


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    made = Judged(f"sqlite:///{tmp_path / 'passer.sqlite3'}")
    fill_rated(made)
    made.close()
    with OllamaServer(reply=reply) as judge:
        services = build_services(Settings(home=tmp_path, encoder="none", PASSER_OLLAMA_URL=judge.url))
        with TestClient(create_app(services), base_url="http://127.0.0.1:8000") as opened:
            yield opened


def finished(client: TestClient, address: str, job_of: str) -> None:
    until = time.monotonic() + WITHIN_S
    while (state := client.get(f"/api/v1/jobs/{job_of}").json()["state"]) != "finished":
        assert state in ("queued", "running"), client.get(address).json()
        assert time.monotonic() < until, state
        time.sleep(0.02)


def test_a_tuning_from_its_plan_to_an_assessment_by_its_task(client: TestClient) -> None:
    body: dict[str, Any] = {"target": "sweep-000", "judge": JUDGE, "columns": [COLUMN]}
    base = client.post("/api/v1/assessments", json=body).json()["assessment"]["id"]
    tunings = f"/api/v1/assessments/{base}/tunings"
    finished(client, tunings, base)
    listed = client.get(tunings).json()
    assert (listed["items"], listed["tasks"]) == ([], [[COLUMN]])

    plan = client.post(f"{tunings}/plan", json=SETTINGS).json()
    # 20 rated questions choose between two instructions, the other 20 test; one request writes the instruction.
    assert (plan["columns"], plan["selection"], plan["test"], plan["asks"]) == ([COLUMN], 20, 20, 2 * 20 + 1 + 2 * 20)
    made = client.post(tunings, json=SETTINGS)
    assert made.status_code == 202
    tuning = made.json()["id"]
    assert made.json()["report"] is None
    finished(client, tunings, tuning)
    [shown] = client.get(tunings).json()["items"]
    assert (shown["id"], shown["settings"]["seed"], shown["report"]["chosen"]) == (tuning, 3, 1)
    tuned = shown["report"]["tuned"]
    assert tuned["task"]["instruction"] == STRICT
    evidence = tuned["evidence"]
    assert (evidence["test"], evidence["rho_before"], evidence["rho_after"]) == (20, -1.0, 1.0)

    judged = client.post("/api/v1/assessments", json={**body, "tuned": tuned})
    assert judged.status_code == 202
    assert judged.json()["assessment"]["spec"]["tuned"]["evidence"] == evidence


def test_what_cannot_be_tuned_is_refused_with_the_field(client: TestClient) -> None:
    body = {"target": "sweep-001", "judge": JUDGE, "columns": ["Faithfulness"]}
    other = client.post("/api/v1/assessments", json=body).json()["assessment"]["id"]
    refused = client.post(f"/api/v1/assessments/{other}/tunings", json=SETTINGS)
    assert refused.status_code == 422
    assert "grade of the judge's reply" in refused.json()["detail"]
    wrong = {"task": {"name": "correctness"}, "column": COLUMN}
    assert client.post("/api/v1/assessments", json={**body, "tuned": wrong}).status_code == 422
    assert client.get("/api/v1/assessments/none/tunings").status_code == 404
