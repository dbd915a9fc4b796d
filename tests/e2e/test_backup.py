"""A backup made by one process while another runs a sweep: the copy finishes it, and is the same in the end."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from threading import Event

import pytest

from tests.e2e.killed import Study, committed, exported, finish, wait_for_more
from tests.forked import ran
from tests.ollama_script import Step
from tests.ollama_server import OllamaServer
from tests.served import Served

STUDY = Study(questions=20, thresholds=(0.1, 0.2, 0.3))
HELD = "case 19?"
"""Of the last question: its replies wait until the backup is made, so that the sweep is not over before it."""


def passer(home: Path, model: OllamaServer, *arguments: object) -> subprocess.CompletedProcess[str]:
    """Run a command as a separate process."""
    return ran(
        *arguments,
        environment={**os.environ, **STUDY.environment, "PASSER_HOME": str(home), "PASSER_OLLAMA_URL": model.url},
    )


def made(home: Path, model: OllamaServer, *arguments: object) -> str:
    """What a command that ends well prints."""
    done = passer(home, model, *arguments)
    assert done.returncode == 0, done.stderr
    return done.stdout


def backed_up(home: Path, model: OllamaServer, server: Served, target: Path) -> tuple[str, set[str]]:
    """Back up in the middle of a sweep, which then goes on to its end; its id, and the prompts answered before."""
    released = Event()
    model.when(HELD, Step(pause=released), times=None)
    sweep_id = STUDY.prepare(server.client)
    wait_for_more(server.client, sweep_id, STUDY.evaluations // 3, STUDY.evaluations)
    kept = committed(server.client, sweep_id)
    made(home, model, "backup", target)
    assert server.client.get(f"/api/v1/sweeps/{sweep_id}").json()["state"] == "running", "it was made meanwhile"
    released.set()
    assert finish(server.client, sweep_id)
    return sweep_id, kept


@pytest.mark.soak
def test_a_backup_of_a_running_sweep_finishes_it_elsewhere(tmp_path: Path):
    here, there = tmp_path / "here", tmp_path / "there"
    here.mkdir()
    with OllamaServer(latency_s=0.05) as model:
        with STUDY.serve(here, model) as server:
            sweep_id, kept = backed_up(here, model, server, tmp_path / "kept.zip")
            whole = exported(server.client, sweep_id)
        made(there, model, "restore", tmp_path / "kept.zip")
        asked = len(model.generations)
        with STUDY.serve(there, model) as server:
            assert finish(server.client, sweep_id)
            assert exported(server.client, sweep_id) == whole
        prompts = {seen.prompt_digest for seen in model.generations[:asked]}
        again = {seen.prompt_digest for seen in model.generations[asked:]}
        assert 0 < len(again) < len(prompts)
        assert again <= prompts - kept, "nothing that was kept is asked again"
        check_proofs(there, model, sweep_id)


def check_proofs(home: Path, model: OllamaServer, sweep_id: str) -> None:
    """The ledger holds together, and the bundle of the run that ended last is verified."""
    made(home, model, "ledger", "verify")
    made(home, model, "bundle", f"{sweep_id}-{STUDY.runs - 1:03d}", "-o", home / "run.zip")
    made(home, model, "verify", home / "run.zip")
