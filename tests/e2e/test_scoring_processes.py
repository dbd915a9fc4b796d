"""The same sweep scored in processes of their own: equal results, whichever process dies."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from tests.e2e.killed import Study, descendants, exported, finish, wait_for_more
from tests.ollama_server import OllamaServer
from tests.waiting import wait_until

STUDY = Study(questions=20)
TWO = {"PASSER_SCORING_PROCESSES": "2"}


@pytest.fixture(scope="module")
def unbroken(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, bytes]:
    return STUDY.unbroken(tmp_path_factory.mktemp("unbroken"))


@pytest.mark.soak
def test_a_server_that_is_killed_equals_the_one_that_scores_itself(tmp_path: Path, unbroken: tuple[str, bytes]) -> None:
    STUDY.killed(tmp_path, kills=1, seed=5, **TWO).check(STUDY, unbroken)


@pytest.mark.soak
def test_scoring_processes_that_are_killed_cost_nothing_but_time(tmp_path: Path, unbroken: tuple[str, bytes]) -> None:
    with OllamaServer(latency_s=0.05) as model, STUDY.serve(tmp_path, model, **TWO) as server:
        sweep_id = STUDY.prepare(server.client)
        wait_for_more(server.client, sweep_id, 60, STUDY.evaluations)
        killed = begun(server.process.pid)
        for pid in killed:
            os.kill(pid, signal.SIGKILL)
        assert finish(server.client, sweep_id)
        assert (sweep_id, exported(server.client, sweep_id)) == unbroken
        assert set(scoring(server.process.pid)).difference(killed), "others were started"


@pytest.mark.soak
def test_they_end_with_a_server_that_is_killed(tmp_path: Path) -> None:
    with OllamaServer(latency_s=0.05) as model, STUDY.serve(tmp_path, model, **TWO) as server:
        sweep_id = STUDY.prepare(server.client)
        wait_for_more(server.client, sweep_id, 30, STUDY.evaluations)
        left = begun(server.process.pid)
        server.process.kill()
        wait_until(lambda: not any(is_running(pid) for pid in left), "they would wait for ever")


def begun(server: int) -> list[int]:
    """Wait for the processes that a server scores in: answers are counted before the first batch of them is scored."""
    return wait_until(lambda: scoring(server), "nothing was scored")


def scoring(server: int) -> list[int]:
    """Processes that a server scores in."""
    return [pid for pid, title in descendants(server) if "spawn_main" in title]


def is_running(pid: int) -> bool:
    """Not gone, and not only waiting to be noticed."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
