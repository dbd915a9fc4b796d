"""A small external RAG system over HTTP, and the questions that it can answer."""

from __future__ import annotations

import json
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

QUESTIONS = [
    {"id": f"q{n}", "question": f"What is fact {n}?", "reference": f"Fact {n} is that number {n} is {word}."}
    for n, word in enumerate(["odd", "even", "prime", "square", "round", "small"])
]
RIGHT = {each["question"]: each["reference"] for each in QUESTIONS}


class System(ThreadingHTTPServer):
    """A small RAG system; `says` replaces its reply."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.asked: list[dict[str, Any]] = []
        self.keys: list[str | None] = []
        self.says: Any = None
        self.url = f"http://127.0.0.1:{self.server_port}/ask"
        Thread(target=self.serve_forever, args=(0.02,), daemon=True).start()


class Handler(BaseHTTPRequestHandler):
    server: System

    def log_message(self, *_: object) -> None: ...

    def do_GET(self) -> None:
        self.send_error(405)

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        self.server.asked.append({"path": self.path, **body})
        self.server.keys.append(self.headers.get("authorization"))
        reply: Any
        if self.server.says is not None:
            status, reply = self.server.says
        else:
            status, reply = 200, {"answer": RIGHT.get(body["question"]), "contexts": [f"On {body['question']}"]}
        content = reply if isinstance(reply, bytes) else json.dumps(reply).encode()
        self.send_response(status)
        if status == 302:
            self.send_header("location", "http://127.0.0.1:1/")
        self.send_header("content-length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)
