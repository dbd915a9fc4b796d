"""The same sweep on Ray: equal results, on one machine and on several, whatever worker dies."""

from __future__ import annotations

import os
import secrets
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import pytest

from tests.e2e.killed import Study, descendants, exported, finish, wait_for_more
from tests.ollama_server import OllamaServer
from tests.served import Served, free_port

STUDY = Study(questions=20)
RAY = {
    "PASSER_ENGINE": "ray",
    "RAY_USAGE_STATS_ENABLED": "0",
    # Of these tests alone, so that no file of the user's home is read or made.
    "RAY_AUTH_MODE": "token",
    "RAY_AUTH_TOKEN": secrets.token_hex(32),
}
pytest.importorskip("ray", reason="Ray is not installed: pip install 'passer-rag[ray]'")


@pytest.fixture(scope="module")
def unbroken(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, bytes]:
    return STUDY.unbroken(tmp_path_factory.mktemp("unbroken"))


@pytest.mark.soak
def test_a_sweep_on_ray_that_is_killed_equals_the_local_one(tmp_path: Path, unbroken: tuple[str, bytes]) -> None:
    STUDY.killed(tmp_path, kills=20, seed=3, **RAY).check(STUDY, unbroken)


@pytest.mark.soak
def test_workers_that_are_killed_cost_nothing_but_time(tmp_path: Path, unbroken: tuple[str, bytes]) -> None:
    with OllamaServer(latency_s=0.05) as model, STUDY.serve(tmp_path, model, **RAY) as server:
        sweep_id = STUDY.prepare(server.client)
        wait_for_more(server.client, sweep_id, 30, STUDY.evaluations)
        killed = [pid for pid, title in descendants(server.process.pid) if title.startswith("ray::_")]
        assert killed, "asking and scoring run in processes of their own"
        for pid in killed:
            os.kill(pid, signal.SIGKILL)
        assert finish(server.client, sweep_id)
        assert (sweep_id, exported(server.client, sweep_id)) == unbroken


HEAD, WORKERS = "10.77.0.1", ("10.77.0.2", "10.77.0.3")
GIVEN_UP_SOON = {
    "RAY_health_check_initial_delay_ms": "1000",
    "RAY_health_check_period_ms": "1000",
    "RAY_health_check_timeout_ms": "1000",
    "RAY_health_check_failure_threshold": "3",
}


@contextmanager
def hosts() -> Iterator[dict[str, str]]:
    """Two network namespaces that reach this one over a bridge: the namespace of each address."""
    # New for each use: the kernel takes the old ones away when it has the time.
    suffix = secrets.token_hex(2)
    bridge, spaces = f"psr{suffix}", {address: f"passer-{suffix}-{address[-1]}" for address in WORKERS}
    with ExitStack() as undo:

        def ip(*words: str, undone_by: tuple[str, ...] = ()) -> None:
            done = subprocess.run(["ip", *words], check=False, capture_output=True, text=True)
            if "permitted" in done.stderr or "not supported" in done.stderr:
                pytest.skip(f"network namespaces cannot be made here: {done.stderr.strip()}")
            assert done.returncode == 0, done.stderr
            if undone_by:
                undo.callback(subprocess.run, ["ip", *undone_by], check=False, capture_output=True)

        ip("link", "add", bridge, "type", "bridge", undone_by=("link", "delete", bridge))
        ip("address", "add", f"{HEAD}/24", "dev", bridge)
        ip("link", "set", bridge, "up")
        for address, space in spaces.items():
            ip("netns", "add", space, undone_by=("netns", "delete", space))
            outer = f"psr{suffix}{address[-1]}"
            ip("link", "add", outer, "type", "veth", "peer", "name", "eth0", "netns", space)
            ip("link", "set", outer, "master", bridge, "up")
            ip("-n", space, "address", "add", f"{address}/24", "dev", "eth0")
            ip("-n", space, "link", "set", "eth0", "up")
            ip("-n", space, "link", "set", "lo", "up")
        yield spaces


@contextmanager
def cluster(spaces: dict[str, str], temp: Path) -> Iterator[str]:
    """A head here and a worker in each namespace, as `ray start` makes them; the head's address.

    A machine that says nothing for three seconds counts as gone; by default Ray takes a minute.
    """
    ray = str(Path(sys.executable).with_name("ray"))
    address = f"{HEAD}:{free_port()}"
    common = ["--disable-usage-stats", "--block", "--log-color=false"]
    environment = {**os.environ, **RAY, **GIVEN_UP_SOON}
    started: list[subprocess.Popen[bytes]] = []

    def start(*words: str) -> None:
        path = temp / f"ray-{len(started)}.log"
        with path.open("wb") as log:
            started.append(subprocess.Popen(words, stdout=log, stderr=log, env=environment))
        until = time.monotonic() + 60
        while b"Ray runtime started" not in path.read_bytes():
            assert time.monotonic() < until, path.read_text()
            assert started[-1].poll() is None, path.read_text()
            time.sleep(0.1)

    try:
        port = address.rpartition(":")[2]
        start(ray, "start", "--head", f"--node-ip-address={HEAD}", f"--port={port}", "--num-cpus=0",
              "--include-dashboard=false", "--object-store-memory=100000000", *common)  # fmt: skip
        for own, space in spaces.items():
            start("ip", "netns", "exec", space, ray, "start", f"--address={address}", f"--node-ip-address={own}",
                  "--num-cpus=1", "--object-store-memory=100000000", *common)  # fmt: skip
        yield address
    finally:
        # A node that is asked to stop drains for half a minute first.
        for process in reversed(started):
            below = [pid for pid, _ in descendants(process.pid)]
            for pid in (process.pid, *below):
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            process.wait(timeout=20)


def destroy(space: str) -> None:
    """End a machine for good: all its processes at once, and its network."""
    listed = subprocess.run(["ip", "netns", "pids", space], check=True, capture_output=True, text=True).stdout.split()
    assert listed, "a machine runs processes"
    for pid in listed:
        with suppress(ProcessLookupError):
            os.kill(int(pid), signal.SIGKILL)
    subprocess.run(["ip", "netns", "delete", space], check=True)


@pytest.mark.soak
@pytest.mark.timeout(600)
def test_two_machines_share_the_work_and_one_that_is_lost_for_good_costs_nothing_but_time(
    tmp_path: Path, unbroken: tuple[str, bytes]
) -> None:
    if shutil.which("ip") is None:
        pytest.skip("iproute2 is not installed: apt-get install iproute2")
    home = tmp_path / "home"
    home.mkdir()
    with (
        hosts() as spaces,
        cluster(spaces, tmp_path) as address,
        OllamaServer(host=HEAD, latency_s=0.1) as one,
        OllamaServer(host=HEAD, latency_s=0.1) as two,
    ):
        settings = {
            "PASSER_RAY_ADDRESS": address,
            "PASSER_OLLAMA_URL": f"{one.url},{two.url}",
            "PASSER_CONCURRENCY": "3",
        }
        with Served(home, **STUDY.environment, **RAY, **settings) as server:
            sweep_id = STUDY.prepare(server.client)
            wait_for_more(server.client, sweep_id, 60, STUDY.evaluations)
            assert [one.most_thinking, two.most_thinking] == [3, 3], "the limit of an endpoint is that of both machines"
            asked = one.generations + two.generations
            assert {seen.client for seen in asked} == set(WORKERS), "both machines asked"
            destroy(spaces[WORKERS[1]])
            before = [len(one.generations), len(two.generations)]
            assert finish(server.client, sweep_id)
            assert (sweep_id, exported(server.client, sweep_id)) == unbroken
            after = one.generations[before[0] :] + two.generations[before[1] :]
            assert {seen.client for seen in after} == {WORKERS[0]}, "the other one did the rest"
