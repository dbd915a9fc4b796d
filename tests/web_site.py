"""A small site on this machine for tests of fetching, with a trap on every page."""

from __future__ import annotations

import gzip
import time
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

LOCAL = "127.0.0.1"


class Pages(BaseHTTPRequestHandler):
    """A small site with a trap on every page."""

    protocol_version = "HTTP/1.1"
    server: Site

    def do_GET(self) -> None:
        self.server.seen.append((self.headers["Host"], self.path))
        path = self.path.partition("?")[0]
        if path.startswith("/hop/"):
            left = int(path.rsplit("/", 1)[1])
            return self.redirect(f"/hop/{left - 1}" if left else "/rules.html")
        if path == "/inside":
            return self.redirect(self.server.inside)
        if path == "/file":
            return self.redirect("file:///etc/passwd")
        answers = {
            "/rules.html": (b"<p>Rules</p>", "text/html; charset=utf-8"),
            "/": (b"<p>Front</p>", "text/html"),
            "/latin": ("kůň".encode("iso-8859-2"), "text/plain; charset=iso-8859-2"),
            "/coded": (b"a" * 50, "text/plain; charset=punycode"),
            "/undefined": (b"a", "text/plain; charset=undefined"),
            "/wrong": (b"\xff\xfe\xff", "text/plain; charset=utf-16"),
            "/paper": (b"%PDF-1.7", "application/pdf"),
            "/notes.md": (b"# Notes", "application/octet-stream"),
            "/untold.bin": (b"\0", "application/octet-stream"),
            "/photo.png": (b"\x89PNG", "image/png"),
            "/large": (b"x" * 5000, "text/plain"),
        }
        if path == "/endless":
            return self.endless()
        if path == "/cut":
            return self.cut()
        if path.startswith("/slow/"):
            return self.slowly(in_headers=path.endswith("headers"))
        if path == "/packed":
            return self.packed()
        if path not in answers:
            return self.answer(404, b"gone", "text/plain")
        return self.answer(200, *answers[path])

    def answer(self, status: int, body: bytes, media: str) -> None:
        self.send_response(status)
        self.send_header("Content-Type", media)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def redirect(self, to: str) -> None:
        self.send_response(302)
        self.send_header("Location", to)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def endless(self) -> None:
        """Says nothing of its length."""
        self.send_response(200)
        self.send_header("Content-Type", "text/plain")
        self.end_headers()
        try:
            while True:
                self.wfile.write(b"x" * 4096)
        except OSError:
            self.close_connection = True

    def slowly(self, *, in_headers: bool) -> None:
        """A byte every twentieth of a second, for ever."""
        self.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n" + (b"X-Long: " if in_headers else b"\r\n"))
        with suppress(OSError):
            while True:
                self.wfile.write(b"x")
                self.wfile.flush()
                time.sleep(0.05)
        self.close_connection = True

    def packed(self) -> None:
        """Compressed twice, although nobody asked for it."""
        body = gzip.compress(gzip.compress(b" " * 1_000_000))
        self.send_response(200)
        self.send_header("Content-Type", "text/plain")
        self.send_header("Content-Encoding", "gzip, gzip")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def cut(self) -> None:
        """Promises more than it sends."""
        self.send_response(200)
        self.send_header("Content-Type", "text/plain")
        self.send_header("Content-Length", "1000")
        self.end_headers()
        self.wfile.write(b"only this")
        self.wfile.flush()
        self.close_connection = True

    def log_message(self, format: str, *args: object) -> None:
        """Quiet."""


class Site(ThreadingHTTPServer):
    """A server of these pages at a free port."""

    inside = ""
    """Where the page `/inside` leads to."""

    def __init__(self) -> None:
        super().__init__((LOCAL, 0), Pages)
        self.seen: list[tuple[str, str]] = []
        """Host and path of each request."""


def url(site: Site, path: str, host: str = LOCAL) -> str:
    return f"http://{host}:{site.server_address[1]}{path}"
