"""The command line follows a sweep that another process runs, and takes it over when that one dies."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.e2e.killed import TEXT_ONLY, Study, committed, wait_for_more
from tests.ollama_server import OllamaServer
from tests.waiting import wait_until

STUDY = Study(questions=20, thresholds=(0.1, 0.3))
WITHIN_S = 60.0


@contextmanager
def following(home: Path, model: OllamaServer, sweep_id: str) -> Iterator[subprocess.Popen[str]]:
    """A command line that says that it follows."""
    with (home / "follower.err").open("w") as err, (home / "follower.out").open("w") as out:
        follower = subprocess.Popen(
            [sys.executable, "-m", "passer", "resume", sweep_id, "--json"],
            env={**os.environ, "PASSER_HOME": str(home), "PASSER_OLLAMA_URL": model.url, **TEXT_ONLY},
            stdout=out,
            stderr=err,
            text=True,
            cwd=ROOT,
            # A shell that runs the tests in the background makes them, and all that they start, ignore this signal.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )
    try:
        wait_until(lambda: "Following it" in (home / "follower.err").read_text(), "it follows")
        assert follower.poll() is None
        yield follower
    finally:
        follower.kill()
        follower.wait(WITHIN_S)


@pytest.mark.soak
def test_one_follower_leaves_and_another_takes_over_when_the_one_that_runs_the_sweep_is_killed(tmp_path: Path):
    said = tmp_path / "follower.err"
    with OllamaServer(latency_s=0.4) as model, STUDY.serve(tmp_path, model) as server:
        sweep_id = STUDY.prepare(server.client)
        wait_for_more(server.client, sweep_id, 2, STUDY.evaluations)
        model.latency_s = 10 * WITHIN_S  # until the followers are there
        with following(tmp_path, model, sweep_id) as follower:
            follower.send_signal(signal.SIGINT)
            assert follower.wait(WITHIN_S) == 130
        assert f"passer resume {sweep_id}" in said.read_text()
        assert server.client.get(f"/api/v1/sweeps/{sweep_id}").json()["state"] == "running", "nobody stopped it"

        with following(tmp_path, model, sweep_id) as follower:
            known = committed(server.client, sweep_id)
            before = {digest: model.times_asked(digest) for digest in known}
            assert 0 < len(known) < STUDY.questions, "it is in the middle"
            model.latency_s = 0.0
            server.kill()
            assert follower.wait(WITHIN_S) == 0
    done = json.loads((tmp_path / "follower.out").read_text())
    assert done["id"] == sweep_id
    assert [run["state"] for run in done["runs"]] == ["finished"] * STUDY.runs
    assert sum(run["counts"]["scored"] for run in done["runs"]) == STUDY.evaluations
    assert {digest: model.times_asked(digest) for digest in known} == before
