"""A bundle of a run that was recorded on a real chain, verified by somebody who has the file and the chain alone."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tests.chain.booted import Chain
from tests.e2e.test_chain_serving import SMALL, environment, finish, wait_recorded
from tests.forked import ran
from tests.ollama_server import OllamaServer


def verify(bundle: Path, *words: str) -> tuple[int, dict]:
    """Without home folder or settings, as an auditor has it."""
    bare = {name: value for name, value in os.environ.items() if not name.startswith("PASSER_")}
    done = ran("verify", bundle, "--json", *words, environment=bare, timeout=60)
    return done.returncode, json.loads(done.stdout)


def outcomes(verdict: dict) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for step in verdict["steps"]:
        found.setdefault(step["outcome"], set()).add(step["name"])
    return found


@pytest.fixture
def bundle(chain: Chain, tmp_path: Path) -> Path:
    home = tmp_path / "home"
    home.mkdir()
    with OllamaServer() as model, SMALL.serve(home, model, **environment(chain)) as server:
        [run_id, *_] = run_ids = finish(server, SMALL.prepare(server.client))
        wait_recorded(server, run_ids)
        chain.wait_irreversible(chain.rpc.info().head_block_num)
        found = server.client.get(f"/api/v1/runs/{run_id}/bundle")
        assert found.status_code == 200, found.text
    path = tmp_path / "run.zip"
    path.write_bytes(found.content)
    return path


def test_a_recorded_run_is_verified_against_the_chain(chain: Chain, bundle: Path):
    status, verdict = verify(bundle, "--chain", chain.url)
    assert "fail" not in outcomes(verdict), verdict
    # Whether so few questions have a verdict of their sweep is not what is tested.
    left = outcomes(verdict)["not_checked"] - {"verdict"}
    # Checkpoints are of local ledgers, and nobody asked for a time stamp.
    assert left == {"local_ledger", "checkpoint", "stamps", "expected", "lock", "rescored"}, verdict
    assert (status, verdict["unconfirmed"]) == (0, [])

    pinned = ["--account", "researcher1", "--contract", chain.contract, "--chain-id", chain.rpc.info().chain_id]
    status, verdict = verify(bundle, "--chain", chain.url, "--chain", "http://127.0.0.1:9", *pinned)
    assert (status, verdict["verdict"]) == (2, "verified"), "each node is asked, and one does not answer"
    status, verdict = verify(bundle, *pinned)
    assert (status, verdict["unconfirmed"]) == (0, [])
    assert verify(bundle, "--account", "researcher2")[0] == 1

    offline, verdict = verify(bundle)
    assert offline == 0
    assert len(outcomes(verdict)["not_checked"]) > 1, "what only a chain can confirm is not checked offline"

    status, verdict = verify(bundle, "--chain", chain.url, "--contract", "published")
    assert status == 1, "another contract does not hold the rows"

    chain.node.stop()
    try:
        status, verdict = verify(bundle, "--chain", chain.url)
    finally:
        chain.restart()
    assert (status, verdict["verdict"]) == (2, "verified"), "a chain that does not answer has confirmed nothing"
