"""A proxy before a node that loses answers to pushed transactions, or does something just before they arrive."""

from __future__ import annotations

import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType

import httpx


class CuttingProxy:
    """Passes everything on; `on_answer` is asked when a push was answered, and False loses the answer."""

    def __init__(self, node_url: str, on_answer: Callable[[int], bool]) -> None:
        self._node = httpx.Client(base_url=node_url, timeout=60)
        self._on_answer = on_answer
        self.pushes = 0
        proxy = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers.get("content-length", 0)))
                answer = proxy._node.post(self.path, content=body, headers={"content-type": "application/json"})
                if self.path.endswith("send_transaction"):
                    proxy.pushes += 1
                    if not proxy._on_answer(proxy.pushes):
                        self.close_connection = True
                        return
                self.send_response(answer.status_code)
                self.send_header("content-type", "application/json")
                self.send_header("content-length", str(len(answer.content)))
                self.end_headers()
                self.wfile.write(answer.content)

            def log_message(self, *_: object) -> None:
                pass

        class Server(ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, *_: object) -> None:
                """The process that asked was killed: nobody is there to be answered."""

        self._server = Server(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)

    def __enter__(self) -> CuttingProxy:
        self._thread.start()
        return self

    def __exit__(self, _type: type[BaseException] | None, _exc: BaseException | None, _: TracebackType | None) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(timeout=10)
        self._node.close()
