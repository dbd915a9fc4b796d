"""kill -9 at random moments: the finished sweep equals an unbroken one, and nothing committed was asked twice."""

from __future__ import annotations

import json
import random
import time
from pathlib import Path

import httpx
import pytest

from tests.ollama_server import OllamaServer
from tests.served import Served

THRESHOLDS = [0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8]
QUESTIONS = 15
KILLS = 5
CROPS = ("clover", "copper", "bees", "hens", "compost", "rotation", "vines", "seed", "weeds", "sheep")


def prepare(client: httpx.Client, model: str) -> str:
    """A collection, a dataset and a queued sweep; its id."""
    documents = [
        ("files", (f"{crop}.txt", f"{crop.title()} on an organic farm. The rule for {crop} is number {n}.".encode()))
        for n, crop in enumerate(CROPS)
    ]
    job = client.post("/api/v1/collections/farm/documents", files=documents)
    while client.get(job.headers["location"]).json()["state"] not in ("finished", "failed"):
        time.sleep(0.05)
    rows = [
        {
            "id": f"q{n}",
            "question": f"What is the rule for {CROPS[n % 10]}, case {n}?",
            "reference": f"Number {n % 10}.",
        }
        for n, crop in ((n, CROPS[n % 10]) for n in range(QUESTIONS))
    ]
    files = {"file": ("farm.json", json.dumps(rows).encode())}
    assert client.post("/api/v1/datasets", files=files, data={"name": "farm"}).status_code == 201
    sweep = {
        "name": "Killed",
        "config": {"dataset": "farm", "collection": "farm", "model": {"provider": "ollama", "name": model}},
        "axes": {"min_similarity": THRESHOLDS},
        "baseline": {"mode": "normal", "k": 10},
    }
    created = client.post("/api/v1/sweeps", json=sweep)
    assert created.status_code == 201, created.text
    return str(created.json()["id"])


def committed(client: httpx.Client, sweep_id: str) -> set[str]:
    """Digests of the prompts whose answers are committed."""
    found = set()
    for run in client.get(f"/api/v1/sweeps/{sweep_id}").json()["runs"]:
        page = client.get(f"/api/v1/runs/{run['id']}/evaluations", params={"limit": 500}).json()
        found |= {
            item["evaluation"]["prompt_digest"]
            for item in page["items"]
            if item["evaluation"]["answer_key"] and item["evaluation"]["prompt_digest"]
        }
    return found


def answered(client: httpx.Client, sweep_id: str) -> int:
    runs = client.get(f"/api/v1/sweeps/{sweep_id}").json()["runs"]
    return sum(run["counts"]["answered"] for run in runs)


def wait_for_more(client: httpx.Client, sweep_id: str, more: int) -> None:
    """Wait until so many more answers are committed; the first start has the encoder to load."""
    until = time.monotonic() + 60
    enough = min(answered(client, sweep_id) + more, QUESTIONS * (len(THRESHOLDS) + 1))
    while answered(client, sweep_id) < enough:
        assert time.monotonic() < until, "the sweep does not move"
        time.sleep(0.01)


def finish(client: httpx.Client, sweep_id: str, *, within_s: float = 120) -> bool:
    until = time.monotonic() + within_s
    while time.monotonic() < until:
        if client.get(f"/api/v1/sweeps/{sweep_id}").json()["state"] == "finished":
            return True
        time.sleep(0.05)
    return False


def exported(client: httpx.Client, sweep_id: str) -> bytes:
    params = {"format": "jsonl", "reproducible": True}
    return client.get(f"/api/v1/sweeps/{sweep_id}/export", params=params).content


@pytest.fixture(scope="module")
def unbroken(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, bytes]:
    """The same sweep in a home of its own, never killed."""
    with (
        OllamaServer(latency_s=0.01) as model,
        Served(tmp_path_factory.mktemp("unbroken"), PASSER_OLLAMA_URL=model.url) as server,
    ):
        sweep_id = prepare(server.client, "mistral:latest")
        assert finish(server.client, sweep_id)
        return sweep_id, exported(server.client, sweep_id)


def test_a_killed_sweep_loses_nothing_and_asks_nothing_twice(tmp_path: Path, unbroken: tuple[str, bytes]):
    chance = random.Random(20260101)
    with OllamaServer(latency_s=0.15) as model:
        sweep_id, asked_before = "", {}
        for _ in range(KILLS):
            with Served(tmp_path, PASSER_OLLAMA_URL=model.url) as server:
                sweep_id = sweep_id or prepare(server.client, "mistral:latest")
                wait_for_more(server.client, sweep_id, chance.randrange(1, 12))
                time.sleep(chance.uniform(0, 0.2))
                for digest in committed(server.client, sweep_id):
                    asked_before.setdefault(digest, model.times_asked(digest))
                server.kill()
        with Served(tmp_path, PASSER_OLLAMA_URL=model.url) as server:
            assert finish(server.client, sweep_id)
            result = exported(server.client, sweep_id)
            states = [run["state"] for run in server.client.get(f"/api/v1/sweeps/{sweep_id}").json()["runs"]]
        asked_after = {digest: model.times_asked(digest) for digest in asked_before}
    assert states == ["finished"] * (len(THRESHOLDS) + 1)
    assert asked_before, "something was committed before a kill"
    assert asked_after == asked_before, "nothing committed was asked again"
    assert (sweep_id, result) == unbroken
    rows = [json.loads(line) for line in result.splitlines()]
    assert len(rows) == QUESTIONS * (len(THRESHOLDS) + 1)
    assert {row["state"] for row in rows} == {"scored"}


def test_ctrl_c_saves_and_the_next_start_goes_on(tmp_path: Path, unbroken: tuple[str, bytes]):
    with OllamaServer(latency_s=0.05) as model:
        with Served(tmp_path, PASSER_OLLAMA_URL=model.url) as server:
            sweep_id = prepare(server.client, "mistral:latest")
            wait_for_more(server.client, sweep_id, 5)
            assert server.stop() == 0
        with Served(tmp_path, PASSER_OLLAMA_URL=model.url) as server:
            assert finish(server.client, sweep_id)
            assert (sweep_id, exported(server.client, sweep_id)) == unbroken
