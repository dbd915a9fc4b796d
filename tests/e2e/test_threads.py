"""Requests to model servers leave no thread and no connection behind (once, 150 requests left 150 threads)."""

from __future__ import annotations

import time
from contextlib import closing
from pathlib import Path

import pytest

from passer.bootstrap import build_services
from passer.settings import Settings
from tests.ollama_server import OllamaServer
from tests.served import Served

REQUESTS = 150
LEFT_AT_MOST = 5
"""Threads of the web server's own pool and files of the database may be opened at any time."""
FREED_WITHIN_S = 60.0
QUESTION = {
    "question": "What fixes nitrogen?",
    "collection": "organic-farming",
    "model": {"provider": "ollama", "name": "mistral"},
    "retrieval": {"mode": "normal", "k": 1},
}


def in_use(server: Served) -> tuple[int, int]:
    """Return the threads and the open files of the server; a connection is a file."""
    process = Path(f"/proc/{server.process.pid}")
    return len(list((process / "task").iterdir())), len(list((process / "fd").iterdir()))


def request(server: Served, number: int) -> None:
    """Ask a question, and see whether another server that is not there answers; each has an address of its own."""
    assert server.client.post("/api/v1/answers", json=QUESTION).json()["answer"]["text"]
    away = {"name": f"lab{number}", "kind": "openai", "url": f"http://127.0.0.{number % 250 + 1}:9/v1"}
    assert server.client.post("/api/v1/connections/tests", json=away).json()["problem"]


@pytest.mark.soak
@pytest.mark.timeout(600)
def test_150_requests_to_model_servers_leave_no_thread_and_no_connection(tmp_path: Path):
    with closing(build_services(Settings(home=tmp_path, encoder="none"))) as built:
        built.library.examples.load("organic-farming")
    with OllamaServer() as ollama, Served(tmp_path, PASSER_OLLAMA_URL=ollama.url, PASSER_ENCODER="none") as server:
        for number in range(10):
            request(server, number)
        before = in_use(server)
        for number in range(10, 10 + REQUESTS):
            request(server, number)
        until = time.monotonic() + FREED_WITHIN_S
        while any(now > then + LEFT_AT_MOST for now, then in zip(in_use(server), before, strict=True)):
            assert time.monotonic() < until, (in_use(server), before)
            time.sleep(0.5)
