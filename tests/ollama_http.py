"""The HTTP under the scripted model server: connections, chunked streams, resets."""

from __future__ import annotations

import contextlib
import json
import socket
import struct
from collections.abc import Iterable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

from tests.ollama_script import Seen

if TYPE_CHECKING:
    from tests.ollama_server import OllamaServer


class Http(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 256
    allow_reuse_address = True

    def __init__(self, address: tuple[str, int], handler: type[BaseHTTPRequestHandler], owner: OllamaServer) -> None:
        self.owner = owner
        self._open: set[socket.socket] = set()
        self.connections = 0
        """How many were opened since the start."""
        super().__init__(address, handler)

    def process_request(self, request: Any, client_address: Any) -> None:
        self._open.add(request)
        self.connections += 1
        super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        self._open.discard(request)
        super().shutdown_request(request)

    def server_close(self) -> None:
        super().server_close()
        for connection in list(self._open):
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that went away is no news."""


class Handler(BaseHTTPRequestHandler):
    """Sends texts, JSON, and streams; the dialects build on it."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: Http

    def log_message(self, *_: object) -> None:
        """Quiet."""

    @property
    def owner(self) -> OllamaServer:
        return self.server.owner

    def note(self, body: dict[str, Any], prompt_digest: str | None = None, status: int = 200) -> None:
        """Remember a request for the test."""
        key = self.headers.get("authorization")
        self.owner.note(Seen(self.path, body, prompt_digest, status, self.client_address[0], key))

    def _unknown(self) -> None:
        self._text(404, "404 page not found")

    def _text(self, status: int, text: str) -> None:
        self._send(status, "text/plain", text.encode())

    def _json(self, status: int, value: Any, headers: dict[str, str] | None = None) -> None:
        self._send(status, "application/json; charset=utf-8", json.dumps(value).encode(), headers)

    def _send(self, status: int, kind: str, body: bytes, headers: dict[str, str] | None = None) -> None:
        self.send_response(status)
        for name, value in {"Content-Type": kind, "Content-Length": str(len(body)), **(headers or {})}.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def _begin_stream(self, kind: str) -> None:
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()

    def _chunk(self, data: bytes) -> None:
        self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))

    def _lines(self, lines: Iterable[dict[str, Any]]) -> None:
        self._begin_stream("application/x-ndjson")
        for line in lines:
            self._chunk(json.dumps(line).encode() + b"\n")
        self._chunk(b"")

    def _reset(self) -> None:
        """RST instead of FIN: the client's read fails."""
        self.wfile.flush()
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.close_connection = True
        self.connection.close()
