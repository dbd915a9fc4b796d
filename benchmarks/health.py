"""How long others wait for a server while something happens to it: /health, asked from another process."""

from __future__ import annotations

import asyncio
import socket
import subprocess
import tempfile
import time
import urllib.request
from contextlib import suppress
from pathlib import Path
from threading import Thread

PROBE_EVERY_S = 0.02


def answer_health() -> None:
    """Answer /health from this process as the product does, and write the address to standard output."""
    import uvicorn

    from passer.api.app import create_app
    from passer.bootstrap import build_services
    from passer.settings import Settings

    home = tempfile.mkdtemp(prefix="passer-attacks-")
    app = create_app(build_services(Settings(home=Path(home), encoder="none")))
    listening = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(app, log_level="error", lifespan="off"))
    Thread(target=lambda: asyncio.run(server.serve(sockets=[listening])), daemon=True).start()
    url = f"http://127.0.0.1:{listening.getsockname()[1]}/health"
    # The first answer loads what the later ones have; it is no part of the attack.
    until = time.monotonic() + 60
    while time.monotonic() < until:
        with suppress(OSError), urllib.request.urlopen(url, timeout=5) as answer:
            answer.read()
            break
    print(url, flush=True)


class LongestWait:
    """Asks for /health again and again, from another process than the one that is attacked."""

    def __init__(self, url: str, running: subprocess.Popen[str]) -> None:
        self._url, self._running, self._longest_s = url, running, 0.0
        self._thread = Thread(target=self._ask, daemon=True)
        self._thread.start()

    def end(self) -> float:
        """Return the longest time of an answer, in milliseconds."""
        self._running.wait()
        self._thread.join()
        return self._longest_s * 1000

    def _ask(self) -> None:
        while self._running.poll() is None:
            began = time.perf_counter()
            try:
                with urllib.request.urlopen(self._url, timeout=60) as answer:
                    answer.read()
            except OSError:
                # Its process has ended between the look and the request.
                continue
            self._longest_s = max(self._longest_s, time.perf_counter() - began)
            time.sleep(PROBE_EVERY_S)
