"""A node that answers by a script, over real HTTP on 127.0.0.1: for what a real one does not do on demand."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from typing import Any

CHAIN = "ab" * 32
INFO = {
    "chain_id": CHAIN,
    "head_block_num": 1000,
    "head_block_id": "000003e8" + "00" * 28,
    "head_block_time": "2026-01-02T03:04:05.500",
    "last_irreversible_block_num": 900,
    "last_irreversible_block_id": "00000384" + "11" * 4 + "01020304" + "22" * 20,
    "server_version_string": "v4.0.0",
}


class ScriptedNode:
    """Answers per path: (status, body) each, the last one for ever; None hangs until the end of the test."""

    def __init__(self) -> None:
        self.answers: dict[str, list[tuple[int, Any] | None]] = defaultdict(list)
        self.asked: list[tuple[str, Any]] = []
        self.credentials: set[str | None] = set()
        self.released = Event()
        self.say("/v1/chain/get_info", 200, INFO)

    def say(self, path: str, status: int, body: Any) -> None:
        """Reply with this from now on."""
        self.answers[path] = [(status, body)]

    def hang(self, path: str) -> None:
        """Never answer."""
        self.answers[path] = [None]

    def paths(self) -> list[str]:
        """What was asked, in order."""
        return [path for path, _ in self.asked]

    @contextmanager
    def serving(self) -> Iterator[str]:
        """Its address."""
        node = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
                node.asked.append((self.path, asked))
                node.credentials.add(self.headers["authorization"])
                script = node.answers[self.path]
                answer = (script.pop(0) if len(script) > 1 else script[0]) if script else (404, _UNKNOWN)
                if answer is None:
                    node.released.wait(30)
                    self.close_connection = True
                    return
                status, body = answer
                data = body if isinstance(body, bytes) else json.dumps(body).encode()
                self.send_response(status)
                self.send_header("content-length", str(len(data)))
                if 300 <= status < 400:
                    self.send_header("location", "http://127.0.0.1:9/")
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, *_: object) -> None:
                pass

        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}"
        finally:
            self.released.set()
            server.shutdown()
            thread.join()
            server.server_close()


def error(code: int, name: str, message: str, *, status: int = 500) -> dict[str, Any]:
    """A node's error, in its own form."""
    details = [{"message": message, "file": "x.cpp", "line_number": 1, "method": "m"}]
    return {
        "code": status,
        "message": "Internal Service Error",
        "error": {"code": code, "name": name, "what": name, "details": details},
    }


_UNKNOWN = error(0, "exception", "Unknown Endpoint", status=404)
