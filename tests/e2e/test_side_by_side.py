"""Two sweeps at one model server: both go on, in turns, and a timing run is alone."""

from __future__ import annotations

import json
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx
import pytest

from passer.services.work.lease import LEASE_S
from passer.services.work.worker import LOOK_EVERY_S
from tests.e2e.killed import MODEL, Study, committed, exported, finish, wait_for_more
from tests.ollama_server import OllamaServer
from tests.postgres import postgres_url
from tests.served import Served
from tests.waiting import wait_until

STUDY = Study(questions=40, thresholds=(0.1, 0.3, 0.5))
WITHIN_S = 90.0


def begin(client: httpx.Client, name: str, *, seed: int, model: str = MODEL, **more: Any) -> str:
    """A queued sweep whose prompts no other sweep answers."""
    config = {"dataset": "farm", "collection": "farm", "model": {"provider": "ollama", "name": model}}
    created = client.post(
        "/api/v1/sweeps",
        json={
            "name": name,
            "config": {**config, "options": {"seed": seed}, **more.pop("config", {})},
            "axes": {"min_similarity": STUDY.thresholds},
            "baseline": {"mode": "normal", "k": 10},
            **more,
        },
    )
    assert created.status_code == 201, created.text
    return str(created.json()["id"])


def asked_by(model: OllamaServer) -> list[int]:
    """Seeds of the prompts that came in, in order: each sweep has its own."""
    return [seen.body["options"]["seed"] for seen in list(model.generations)]


def wait_until_asked(model: OllamaServer, count: int) -> None:
    wait_until(lambda: len(model.generations) >= count, "the sweeps do not move")


def state(client: httpx.Client, sweep_id: str) -> str:
    return str(client.get(f"/api/v1/sweeps/{sweep_id}").json()["state"])


def prepared(tmp_path: Path, model: OllamaServer, **more: str) -> Served:
    server = STUDY.serve(tmp_path, model, **more)
    STUDY.bring(server.client)
    return server


@pytest.mark.soak
def test_a_later_sweep_gets_every_other_turn_and_both_finish(tmp_path: Path):
    with OllamaServer(latency_s=0.2, slots=4) as model, prepared(tmp_path, model) as server:
        first = begin(server.client, "first", seed=1)
        wait_until_asked(model, 12)
        second = begin(server.client, "second", seed=2)
        until = time.monotonic() + WITHIN_S
        while 2 not in asked_by(model):
            assert time.monotonic() < until, "the second sweep waits for the first"
            time.sleep(0.01)
        began = asked_by(model).index(2)
        wait_until_asked(model, began + 40)
        shared = asked_by(model)[began : began + 40]
        assert 15 <= shared.count(2) <= 25, "each gets about half of the turns"
        assert (state(server.client, first), state(server.client, second)) == ("running", "running")
        model.latency_s = 0.0
        assert finish(server.client, first)
        assert finish(server.client, second)


@pytest.mark.soak
def test_a_sweep_of_another_model_waits_and_a_setting_of_one_runs_one_at_a_time(tmp_path: Path):
    for name, more in (("other-model", {"model": "llama3.1:8b"}), ("one", {})):
        home = tmp_path / name
        home.mkdir()
        environment = {"PASSER_SWEEPS_AT_ONCE": "1"} if name == "one" else {}
        with OllamaServer(latency_s=0.1) as model, prepared(home, model, **environment) as server:
            first = begin(server.client, "first", seed=1)
            wait_until_asked(model, 4)
            second = begin(server.client, "second", seed=2, **more)
            wait_until_asked(model, 24)
            assert state(server.client, second) == "queued"
            assert 2 not in asked_by(model)
            model.latency_s = 0.0
            assert finish(server.client, first)
            assert finish(server.client, second)
            seeds = asked_by(model)
            assert seeds == sorted(seeds), "the second began when the first had ended"


@pytest.mark.soak
def test_a_timing_run_is_alone(tmp_path: Path):
    with OllamaServer(latency_s=0.05) as model, prepared(tmp_path, model) as server:
        first = begin(server.client, "first", seed=1)
        wait_until_asked(model, 4)
        plan = {"config": {"questions": 4}, "timing": {}}
        timed = begin(server.client, "timed", seed=2, **plan)
        last = begin(server.client, "last", seed=3)
        for sweep_id in (first, timed, last):
            assert finish(server.client, sweep_id)
        seeds = asked_by(model)
        assert seeds == sorted(seeds), "nothing was asked beside it, and nothing overtook it"


@pytest.mark.soak
def test_a_server_that_runs_no_sweep_starts_and_cancels_those_of_another(tmp_path: Path):
    with OllamaServer(latency_s=0.1, slots=4) as model, prepared(tmp_path, model, PASSER_SWEEPS_AT_ONCE="0") as pages:
        cancelled = begin(pages.client, "cancelled", seed=5)
        time.sleep(LOOK_EVERY_S + 1.0)
        assert (state(pages.client, cancelled), len(model.generations)) == ("queued", 0)
        with STUDY.serve(tmp_path, model) as runner:
            wait_until_asked(model, 10)
            shown = [each.client.get(f"/api/v1/sweeps/{cancelled}/now").json()["is_here"] for each in (pages, runner)]
            assert shown == [False, True]
            assert pages.client.post(f"/api/v1/sweeps/{cancelled}/cancel").status_code == 200
            finished = begin(pages.client, "finished", seed=6)
            assert finish(pages.client, finished)
            assert state(runner.client, cancelled) == "cancelled"


@pytest.mark.parametrize("where", ["PostgreSQL", pytest.param("SQLite", marks=pytest.mark.soak)])
def test_a_killed_server_for_sweeps_goes_on_where_it_was_while_the_other_shows_it(tmp_path: Path, where: str):
    small = Study(questions=30, thresholds=(0.1, 0.3, 0.5))
    with ExitStack() as stack:
        database = stack.enter_context(postgres_url(tmp_path)) if where == "PostgreSQL" else None
        more = {"PASSER_DATABASE_URL": database} if database else {}
        model = stack.enter_context(OllamaServer(latency_s=0.05, slots=4))
        pages = stack.enter_context(small.serve(tmp_path, model, PASSER_SWEEPS_AT_ONCE="0", **more))
        sweep_id = small.prepare(pages.client)
        log = tmp_path / "sweeps.log"
        with small.serve(tmp_path, model, log=log, **more) as runner:
            wait_for_more(pages.client, sweep_id, 20, small.evaluations)
            before = {digest: model.times_asked(digest) for digest in committed(pages.client, sweep_id)}
            runner.kill()
        came_in = len(model.generations)
        # Longer than the lease of the dead server: the other one takes no sweep, it only shows it.
        time.sleep(LEASE_S + LOOK_EVERY_S)
        assert (state(pages.client, sweep_id) != "finished", len(model.generations)) == (True, came_in)
        with small.serve(tmp_path, model, log=log, **more):
            assert finish(pages.client, sweep_id)
            assert before
            assert {digest: model.times_asked(digest) for digest in before} == before, "what was committed is not asked"
            rows = [json.loads(line) for line in exported(pages.client, sweep_id).splitlines()]
            assert {row["state"] for row in rows} == {"scored"}
            assert len(rows) == small.evaluations
