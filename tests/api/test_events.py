"""Sweeps are followed while they run: their events, and answers while they are written."""

from __future__ import annotations

import json
import time
from itertools import pairwise
from threading import Event
from types import SimpleNamespace

from passer.api.routers import following
from tests.ollama_server import Step

FOLLOWED = {
    "name": "Followed",
    "config": {"dataset": "farm", "collection": "farm"},
    "axes": {"minSimilarityScore": [0.3, 0.99]},
    "baseline": {"mode": "normal", "k": 2},
}


def test_events_tell_every_change_until_the_sweep_ends(loaded):
    created = loaded.client.post("/api/v1/sweeps", json=FOLLOWED).json()
    with loaded.client.stream("GET", f"/api/v1/sweeps/{created['id']}/events") as stream:
        assert stream.headers["content-type"].startswith("text/event-stream")
        lines = [line for line in stream.iter_lines() if line.startswith("data: ")]
    news = [json.loads(line.removeprefix("data: ")) for line in lines]
    seen = [each for each in news if "state" in each]
    assert all("unfinished" in each for each in news if each not in seen)
    assert seen[-1]["state"] == "finished"
    assert [run["counts"]["scored"] for run in seen[-1]["runs"]] == [3, 3, 3]
    assert all(before != after for before, after in pairwise(seen))


def test_an_answer_is_readable_while_it_is_written_and_recorded_whole(loaded, ollama):
    middle = Event()
    ollama.when("How far do bees fly?", Step(reply="Bees fly far away from home.", pause=middle))
    config = {**FOLLOWED["config"], "model": {"provider": "ollama", "name": "mistral"}, "options": {"seed": 77}}
    created = loaded.client.post("/api/v1/runs", json={"name": "Watched", "config": config}).json()
    now = f"/api/v1/sweeps/{created['sweep_id']}/now"
    for _ in range(600):
        unfinished = {each["asked"]["question_id"]: each for each in loaded.client.get(now).json()["unfinished"]}
        if unfinished.get("q2", {}).get("characters") == len("Bees fly far a"):
            break
        time.sleep(0.05)
    middle.set()
    writing = unfinished["q2"]
    assert (writing["stage"], writing["text"], writing["characters"]) == ("writing", "Bees fly far a", 14)
    assert writing["asked"]["question"] == "How far do bees fly?"
    loaded.finished(created["sweep_id"])
    assert loaded.client.get(now).json()["is_here"] is False
    recorded = loaded.client.get(f"/api/v1/runs/{created['id']}/evaluations/1").json()
    assert recorded["answer"]["text"] == "Bees fly far away from home."
    assert loaded.client.get("/api/v1/sweeps/000000000000/now").status_code == 404


def test_who_follows_one_sweep_shares_its_looks_with_whoever_may_see_it(monkeypatch):
    looked: list[tuple[str, str]] = []

    def look(services, sweep_id):
        looked.append((services.settings.project, sweep_id))
        return object()

    monkeypatch.setattr(following, "_look", look)
    monkeypatch.setattr(following, "is_still_allowed", lambda services, request: request.is_allowed)
    state = SimpleNamespace(looks=following.shared_looks())

    def follower(project: str, *, is_allowed: bool = True):
        services = SimpleNamespace(settings=SimpleNamespace(project=project))
        request = SimpleNamespace(app=SimpleNamespace(state=state), is_allowed=is_allowed)
        return following._Follower(services, request, "1" * 12)

    first = follower("soil").load()
    assert follower("soil").load() is first
    assert follower("soil", is_allowed=False).load() is None
    assert follower("bees").load() is not first
    assert looked == [("soil", "1" * 12), ("bees", "1" * 12)]
    time.sleep(following.LOOK_EVERY_S / 2)
    assert follower("soil").load() is not first


def test_events_of_no_sweep_are_not_found(loaded):
    assert loaded.client.get("/api/v1/sweeps/000000000000/events").status_code == 404
