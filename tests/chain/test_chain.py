"""The chain for tests itself: that it ends with whoever started it, and can be paused and copied."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from tests.chain.booted import BLOCK_S, Chain
from tests.chain.wheel import BINARY, NO_NODE, ROOT
from tests.contracts.packed import Row, action, stored

GONE_WITHIN_S = 20.0


@contextmanager
def _started(folder: Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """`python -m tests.chain` and the address that it prints; what it leaves when it is killed lies in the folder."""
    if not BINARY.is_file():
        pytest.skip(NO_NODE)
    command = [sys.executable, "-m", "tests.chain"]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    environment = {**os.environ, "TMPDIR": str(folder)}
    with subprocess.Popen(command, text=True, cwd=ROOT, env=environment, **pipes) as process:
        try:
            assert process.stdout is not None
            said = json.loads(process.stdout.readline())
            assert httpx.post(f"{said['url']}/v1/chain/get_info").json()["chain_id"] == said["chain_id"]
            assert {"llmtest", "researcher1", "researcher2", "stranger"} < set(said["accounts"])
            yield process, said["url"]
        finally:
            process.kill()


def _gone(url: str) -> bool:
    until = time.monotonic() + GONE_WITHIN_S
    while time.monotonic() < until:
        try:
            httpx.post(f"{url}/v1/chain/get_info")
        except httpx.TransportError:
            return True
        time.sleep(0.05)
    return False


def test_the_node_ends_with_a_program_that_is_killed(tmp_path: Path) -> None:
    with _started(tmp_path) as (process, url):
        process.kill()
        assert _gone(url)


@pytest.mark.parametrize("how", ["terminate", "end of input"])
def test_the_node_ends_with_a_program_that_is_stopped(how: str, tmp_path: Path) -> None:
    with _started(tmp_path) as (process, url):
        if how == "terminate":
            process.send_signal(signal.SIGTERM)
        else:
            assert process.stdin is not None
            process.stdin.close()
        assert process.wait(GONE_WITHIN_S) == 0
        assert _gone(url)
        assert list(tmp_path.glob("passer-chain-*")) == []


def test_a_paused_node_makes_no_blocks_until_it_is_resumed(fresh_chain: Chain) -> None:
    fresh_chain.pause()
    head = fresh_chain.node.info()["head_block_num"]
    with ThreadPoolExecutor(1) as pool:
        # The node may answer this now or, on a slow machine, only after `resume`: see `Chain.pause`.
        posted = pool.submit(fresh_chain.push, action("addtest", Row(testid="waits").data))
        time.sleep(3 * BLOCK_S)
        assert fresh_chain.node.info()["head_block_num"] == head
        fresh_chain.resume()
        posted.result()
    fresh_chain.wait_irreversible(fresh_chain.wait_blocks())
    assert [stored(row).row.testid for row in fresh_chain.packed_rows("testtable")] == ["waits"]


def test_a_copy_knows_nothing_of_what_happens_on_another(chain: Chain, fresh_chain: Chain) -> None:
    fresh_chain.push(action("addtest", Row(testid="here").data))
    assert chain.packed_rows("testtable") == []
    assert chain.chain_id == fresh_chain.chain_id
    assert chain.url != fresh_chain.url
