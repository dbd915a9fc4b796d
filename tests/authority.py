"""A time stamp authority (RFC 3161) by `openssl ts`, behind a local address."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

CONFIG = """
[tsa]
default_tsa = here
[here]
serial = serial
crypto_device = builtin
signer_cert = tsa.pem
signer_key = tsa.key
default_policy = 1.2.3.4.1
digests = sha256
signer_digest = sha256
ess_cert_id_chain = no
ess_cert_id_alg = sha256
"""


def openssl(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["openssl", *arguments], cwd=folder, capture_output=True, text=True, check=False)


@dataclass
class Authority:
    """A time stamp authority with its own certificates."""

    folder: Path
    url: str = ""
    change: Callable[[bytes], bytes] = field(default=lambda query: query)
    """Applied to each query before it is answered."""
    status: int = 200
    pause_s: float = 0.0
    """Seconds before each of the first bytes of a reply."""
    kind: str = "ec"
    """Of its keys: `ec` or `rsa`."""

    def __post_init__(self) -> None:
        self.folder.mkdir()
        for name in ("ca", "tsa"):
            if self.kind == "rsa":
                openssl(self.folder, "genrsa", "-out", f"{name}.key", "2048")
            else:
                openssl(self.folder, "ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", f"{name}.key")
        openssl(
            self.folder, "req", "-x509", "-new", "-key", "ca.key", "-days", "30", "-subj", "/CN=Root", "-out", "ca.pem"
        )
        (self.folder / "ext").write_text("extendedKeyUsage=critical,timeStamping\n")
        openssl(self.folder, "req", "-new", "-key", "tsa.key", "-subj", "/CN=Test authority", "-out", "tsa.csr")
        openssl(
            self.folder, "x509", "-req", "-in", "tsa.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial",
            "-days", "30", "-extfile", "ext", "-out", "tsa.pem",
        )  # fmt: skip
        (self.folder / "ts.cnf").write_text(CONFIG)

    def reply(self, query: bytes) -> bytes:
        (self.folder / "query").write_bytes(self.change(query))
        done = openssl(self.folder, "ts", "-reply", "-config", "ts.cnf", "-queryfile", "query", "-out", "reply")
        assert done.returncode == 0, done.stderr
        return (self.folder / "reply").read_bytes()


def with_status(reply: bytes, status: int) -> bytes:
    """The reply with another status, which is not signed: its first value after two headers."""
    assert reply[4:8] == bytes.fromhex("30030201")
    return reply[:8] + bytes([status]) + reply[9:]


@contextmanager
def serving(folder: Path) -> Iterator[Authority]:
    """An authority at a local address."""
    made = Authority(folder)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = made.reply(self.rfile.read(int(self.headers["Content-Length"])))
            self.send_response(made.status)
            self.end_headers()
            with suppress(OSError):
                for byte in body[:20] if made.pause_s else b"":
                    time.sleep(made.pause_s)
                    self.wfile.write(bytes([byte]))
                self.wfile.write(body[20:] if made.pause_s else body)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    made.url = f"http://127.0.0.1:{server.server_port}/"
    try:
        yield made
    finally:
        server.shutdown()
        server.server_close()
