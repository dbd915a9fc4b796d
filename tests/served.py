"""`passer serve` as a separate process, on a free port."""

from __future__ import annotations

import os
import signal
import socket
import time
from pathlib import Path
from types import TracebackType

import httpx

from tests.forked import Forked

STARTS_WITHIN_S = 90.0


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Served:
    """A running server; `kill` is kill -9, `stop` is what Ctrl-C does."""

    def __init__(self, home: Path, *, log: Path | None = None, **environment: str) -> None:
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.log = log or home / "serve.log"
        self._log = self.log.open("ab")
        self.process = Forked(
            *("serve", "--port", self.port),
            environment={**os.environ, "PASSER_HOME": str(home), **environment},
            stdout=self._log,
            stderr=self._log,
        )
        self.client = httpx.Client(base_url=self.url, timeout=60)
        try:
            self._wait()
        except BaseException:
            self.close()
            raise

    def _wait(self) -> None:
        until = time.monotonic() + STARTS_WITHIN_S
        while time.monotonic() < until:
            if self.process.poll() is not None:
                raise AssertionError(f"passer serve ended with {self.process.returncode}")
            try:
                if self.client.get("/health").status_code == 200:
                    return
            except httpx.TransportError:
                time.sleep(0.05)
        raise AssertionError("passer serve did not start")

    def kill(self) -> None:
        self.process.kill()
        self.process.wait(timeout=30)

    def stop(self) -> int:
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(timeout=60)

    def __enter__(self) -> Served:
        return self

    def close(self) -> None:
        self.client.close()
        if self.process.poll() is None:
            self.kill()
        self._log.close()

    def __exit__(self, _type: type[BaseException] | None, _exc: BaseException | None, _: TracebackType | None) -> None:
        self.close()
