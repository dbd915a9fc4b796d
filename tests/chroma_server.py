"""A Chroma server as a user starts it, for tests that need one of their own."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path
from types import TracebackType

import httpx

from tests.served import free_port


class ChromaServer:
    """`chroma run`, as a user starts it."""

    def __init__(self, path: Path) -> None:
        self.path, self.port = path, free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.start()

    def start(self) -> None:
        command = [str(Path(sys.executable).with_name("chroma")), "run", "--path", str(self.path)]
        self.process = subprocess.Popen(
            [*command, "--host", "127.0.0.1", "--port", str(self.port)],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        until = time.monotonic() + 60
        while time.monotonic() < until:
            try:
                httpx.get(f"{self.url}/api/v2/heartbeat", trust_env=False)
                return
            except httpx.TransportError:
                time.sleep(0.05)
        raise TimeoutError("chroma run did not start")

    def __enter__(self) -> ChromaServer:
        return self

    def __exit__(self, _type: type[BaseException] | None, _exc: BaseException | None, _: TracebackType | None) -> None:
        self.kill()

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()
