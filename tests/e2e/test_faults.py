"""Faults around a running server: the sweep reports them, waits, and ends like an undisturbed one."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.chroma_server import ChromaServer
from tests.e2e.killed import Study, exported, finish, wait_for_more
from tests.ollama_server import OllamaServer, Step
from tests.postgres import postgres_url
from tests.served import Served
from tests.waiting import wait_until

STUDY = Study(questions=20, thresholds=(0.1, 0.2, 0.3, 0.4))
LOCKED_S = 22.0
"""Longer than the database waits for a lock."""


@pytest.fixture(scope="module")
def unbroken(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, bytes]:
    return STUDY.unbroken(tmp_path_factory.mktemp("unbroken"))


def paused_with(server: Served, sweep_id: str) -> str:
    """Wait until a run is paused; return its message."""

    def reasons() -> list[str]:
        runs = server.client.get(f"/api/v1/sweeps/{sweep_id}").json()["runs"]
        return [str(run["reason"]) for run in runs if run["state"] == "paused"]

    return wait_until(reasons, "no run was paused")[0]


@pytest.mark.soak
def test_a_locked_database_is_waited_for(tmp_path: Path, unbroken: tuple[str, bytes]):
    with OllamaServer(latency_s=0.05) as model, STUDY.serve(tmp_path, model) as server:
        sweep_id = STUDY.prepare(server.client)
        wait_for_more(server.client, sweep_id, 10, STUDY.evaluations)
        with closing(sqlite3.connect(tmp_path / "passer.sqlite3", isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            time.sleep(LOCKED_S)
            other.execute("ROLLBACK")
        assert finish(server.client, sweep_id)
        assert (sweep_id, exported(server.client, sweep_id)) == unbroken


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A tmpfs of 24 MB; skips where this user may not mount one."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=24m", "tmpfs", str(folder)]
    if shutil.which("mount") is None or subprocess.run(mount, check=False, capture_output=True).returncode:
        pytest.skip("a tmpfs cannot be mounted here: it takes root")
    yield folder
    subprocess.run(["umount", "--lazy", str(folder)], check=True)


def test_a_full_disk_is_waited_for(small_disk: Path, tmp_path: Path, unbroken: tuple[str, bytes]):
    with OllamaServer(latency_s=0.05) as model, STUDY.serve(small_disk, model, log=tmp_path / "log") as server:
        sweep_id = STUDY.prepare(server.client)
        wait_for_more(server.client, sweep_id, 10, STUDY.evaluations)
        ballast = small_disk / "ballast"
        fill(ballast)

        def noticed() -> bool:
            fill(ballast)
            return b"The disk of the database is full" in server.log.read_bytes()

        wait_until(noticed, "the full disk was not noticed")
        assert server.client.get("/health").status_code == 200
        ballast.unlink()
        assert finish(server.client, sweep_id)
        assert (sweep_id, exported(server.client, sweep_id)) == unbroken


def fill(ballast: Path) -> None:
    """Take what room there is."""
    with ballast.open("ab", buffering=0) as file:
        for size in (1 << 20, 1 << 12, 1):
            try:
                while True:
                    file.write(os.urandom(size))
            except OSError:
                continue


@pytest.mark.soak
def test_a_vector_store_that_is_gone_is_waited_for(tmp_path: Path):
    with (
        ChromaServer(tmp_path / "chroma") as chroma,
        OllamaServer(latency_s=0.05) as model,
        STUDY.serve(tmp_path, model, PASSER_CHROMA_URL=chroma.url, PASSER_SWEEPS_AT_ONCE="1") as server,
    ):
        STUDY.bring(server.client)
        first = STUDY.begin(server.client, name="First")
        # Deeper than the first, whose rankings it would share: it needs the vector store itself.
        second = STUDY.begin(server.client, name="Second", k=120)
        wait_for_more(server.client, first, 1, STUDY.evaluations)
        chroma.kill()
        reason = paused_with(server, second)
        assert chroma.url in reason
        assert finish(server.client, first), "what needs no vector store any more goes on"
        chroma.start()
        assert finish(server.client, second)
        counts = [run["counts"] for run in server.client.get(f"/api/v1/sweeps/{second}").json()["runs"]]
        assert [count["scored"] for count in counts] == [STUDY.questions] * STUDY.runs


@pytest.mark.soak
def test_a_model_server_that_is_busy_for_longer_than_the_retries_is_waited_for(
    tmp_path: Path, unbroken: tuple[str, bytes]
):
    with OllamaServer(latency_s=0.1) as model, STUDY.serve(tmp_path, model) as server:
        sweep_id = STUDY.prepare(server.client)
        wait_for_more(server.client, sweep_id, 10, STUDY.evaluations)
        model.when("", Step(status=503), times=None)
        reason = paused_with(server, sweep_id)
        assert model.url in reason
        model.forget()
        assert finish(server.client, sweep_id)
        assert (sweep_id, exported(server.client, sweep_id)) == unbroken


@pytest.mark.soak
def test_refusals_within_the_retries_cost_nothing_but_the_attempts(tmp_path: Path, unbroken: tuple[str, bytes]):
    with OllamaServer() as model, STUDY.serve(tmp_path, model) as server:
        STUDY.bring(server.client)
        model.when("Question: What is the rule for bees, case 2?", Step(status=500), times=2)
        model.when("Question: What is the rule for hens, case 3?", Step(status=429, retry_after="1"), times=3)
        sweep_id = STUDY.begin(server.client)
        assert finish(server.client, sweep_id)
        assert (sweep_id, exported(server.client, sweep_id)) == unbroken
    prompts = {seen.prompt_digest for seen in model.generations}
    assert Counter(seen.status for seen in model.generations) == {200: len(prompts), 500: 2, 429: 3}


@pytest.mark.soak
def test_two_servers_on_one_database_ask_nothing_twice_and_take_over_from_each_other(
    tmp_path: Path, unbroken: tuple[str, bytes]
):
    homes = [tmp_path / "first", tmp_path / "second"]
    for home in homes:
        home.mkdir()
    with (
        postgres_url(tmp_path) as url,
        ChromaServer(tmp_path / "chroma") as chroma,
        OllamaServer(latency_s=0.1) as model,
    ):
        shared = {"PASSER_DATABASE_URL": url, "PASSER_CHROMA_URL": chroma.url}
        with STUDY.serve(homes[0], model, **shared) as first, STUDY.serve(homes[1], model, **shared) as second:
            sweep_id = STUDY.prepare(first.client)
            wait_for_more(second.client, sweep_id, 10, STUDY.evaluations)
            prompts = [seen.prompt_digest for seen in model.generations]
            assert len(prompts) == len(set(prompts)), "no prompt was asked by both"
            first.kill()
            assert finish(second.client, sweep_id)
            assert (sweep_id, exported(second.client, sweep_id)) == unbroken
