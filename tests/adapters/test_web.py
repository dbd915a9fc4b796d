"""Fetching from a real HTTP server on this machine, and every way of being led astray."""

from __future__ import annotations

import datetime
import socket
import ssl
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from passer.adapters.web import WebFetcher, is_public
from passer.errors import DocumentError, TooLargeError

LOCAL = "127.0.0.1"
OUTSIDE = "93.184.216.34"


class Pages(BaseHTTPRequestHandler):
    """A small site with a trap on every page."""

    protocol_version = "HTTP/1.1"
    seen: list[tuple[str, str]]

    def do_GET(self) -> None:
        self.server.seen.append((self.headers["Host"], self.path))  # type: ignore[attr-defined]
        path = self.path.partition("?")[0]
        if path.startswith("/hop/"):
            left = int(path.rsplit("/", 1)[1])
            return self.redirect(f"/hop/{left - 1}" if left else "/rules.html")
        if path == "/inside":
            return self.redirect(self.server.inside)  # type: ignore[attr-defined]
        if path == "/file":
            return self.redirect("file:///etc/passwd")
        answers = {
            "/rules.html": (b"<p>Rules</p>", "text/html; charset=utf-8"),
            "/": (b"<p>Front</p>", "text/html"),
            "/latin": ("kůň".encode("iso-8859-2"), "text/plain; charset=iso-8859-2"),
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


@pytest.fixture
def site() -> Iterator[ThreadingHTTPServer]:
    server = ThreadingHTTPServer((LOCAL, 0), Pages)
    server.seen = []  # type: ignore[attr-defined]
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


def url(site: ThreadingHTTPServer, path: str, host: str = LOCAL) -> str:
    return f"http://{host}:{site.server_address[1]}{path}"


inside = WebFetcher(allow_private=True, max_bytes=4000)


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/rules.html?lang=en#top", ("rules.html", b"<p>Rules</p>")),
        ("/", ("127.0.0.1.html", b"<p>Front</p>")),
        ("/paper", ("paper.pdf", b"%PDF-1.7")),
        ("/notes.md", ("notes.md", b"# Notes")),
        ("/latin", ("latin.txt", "kůň".encode())),
        ("/hop/4", ("rules.html", b"<p>Rules</p>")),
    ],
)
def test_what_stands_there_is_fetched(site: ThreadingHTTPServer, path: str, expected: tuple[str, bytes]) -> None:
    assert inside.fetch(url(site, path)) == expected


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("/hop/5", "redirects more than 5 times"),
        ("/file", "is not a web address"),
        ("/missing", "answers with status 404"),
        ("/photo.png", "is of type image/png"),
        ("/untold.bin", "is of type application/octet-stream"),
        ("/wrong", "is not in the charset utf-16"),
        ("/cut", "was interrupted"),
    ],
)
def test_what_cannot_be_taken_is_refused_in_one_sentence(site: ThreadingHTTPServer, path: str, message: str) -> None:
    with pytest.raises(DocumentError, match=message) as caught:
        inside.fetch(url(site, path))
    assert str(caught.value).endswith(".")


@pytest.mark.parametrize("path", ["/large", "/endless"])
def test_too_large_is_refused_while_it_comes(site: ThreadingHTTPServer, path: str) -> None:
    with pytest.raises(TooLargeError, match=r"is larger than .* MB: raise the limit"):
        inside.fetch(url(site, path))


def test_what_never_ends_is_given_up_in_time(site: ThreadingHTTPServer) -> None:
    seconds = iter(range(1000))
    fetcher = WebFetcher(allow_private=True, total_s=5, monotonic=lambda: float(next(seconds)))
    with pytest.raises(DocumentError, match="did not answer in time"):
        fetcher.fetch(url(site, "/endless"))


def test_a_silent_server_is_given_up_in_time() -> None:
    with socket.create_server((LOCAL, 0)) as silent:
        fetcher = WebFetcher(allow_private=True, connect_s=0.1, total_s=0.2)
        with pytest.raises(DocumentError, match="did not answer in time"):
            fetcher.fetch(f"http://{LOCAL}:{silent.getsockname()[1]}/")


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("ftp://example.org/a.txt", "begins with http:// or https://"),
        ("file:///etc/passwd", "begins with http:// or https://"),
        ("not an address", "begins with http:// or https://"),
        ("http://", "begins with http:// or https://"),
        ("http://[::1", "begins with http:// or https://"),
        ("http://user:word@example.org/", "holds a password"),
        ("http://127.0.0.1/", "is a private or local address"),
        ("http://2130706433/", "is a private or local address"),
        ("http://0x7f.1/", "is a private or local address"),
        ("http://[::1]/", "is a private or local address"),
        ("http://[::ffff:127.0.0.1]/", "is a private or local address"),
        ("http://169.254.169.254/latest/meta-data", "is a private or local address"),
        ("http://localhost/", "is a private or local address"),
    ],
)
def test_an_address_that_leads_inside_or_nowhere_is_refused(address: str, message: str) -> None:
    with pytest.raises(DocumentError, match=message):
        WebFetcher().fetch(address)


def test_an_unknown_host_is_said_so() -> None:
    def nobody(host: str, port: int) -> list[str]:
        raise OSError("no such host")

    with pytest.raises(DocumentError, match=r"There is no host nowhere\.example"):
        WebFetcher(resolver=nobody).fetch("http://nowhere.example/")


def test_a_host_with_one_inner_address_is_refused() -> None:
    with pytest.raises(DocumentError, match="private or local"):
        WebFetcher(resolver=lambda host, port: [OUTSIDE, "10.0.0.7"]).fetch("http://two.example/")


class Names:
    """A resolver that is asked, and what it was asked for."""

    def __init__(self, **addresses: list[str]) -> None:
        self.addresses = {name.replace("_", "."): found for name, found in addresses.items()}
        self.asked: list[str] = []

    def __call__(self, host: str, port: int) -> list[str]:
        self.asked.append(host)
        return [self.addresses[host].pop(0)]


def test_a_redirect_to_an_inner_host_is_refused(site: ThreadingHTTPServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """The test's own server passes for a public one; what it redirects to does not."""
    site.inside = url(site, "/rules.html", "inner.example")  # type: ignore[attr-defined]
    monkeypatch.setattr("passer.adapters.web.is_public", lambda ip: ip == LOCAL)
    names = Names(outer_example=[LOCAL], inner_example=["10.0.0.7"])
    with pytest.raises(DocumentError, match=r"^inner\.example is a private or local address"):
        WebFetcher(resolver=names).fetch(url(site, "/inside", "outer.example"))
    assert names.asked == ["outer.example", "inner.example"]
    assert [path for _, path in site.seen] == ["/inside"]  # type: ignore[attr-defined]


def test_the_checked_address_is_the_one_connected_to(site: ThreadingHTTPServer) -> None:
    """A name is resolved once for each hop: a second answer would never be seen. The host keeps its name."""
    names = Names(site_example=[LOCAL])
    fetcher = WebFetcher(resolver=names, allow_private=True)
    assert fetcher.fetch(url(site, "/rules.html", "site.example"))[1] == b"<p>Rules</p>"
    assert names.asked == ["site.example"]
    assert site.seen == [(f"site.example:{site.server_address[1]}", "/rules.html")]  # type: ignore[attr-defined]


def test_the_next_address_is_tried_when_one_does_not_answer(site: ThreadingHTTPServer) -> None:
    fetcher = WebFetcher(resolver=lambda host, port: ["127.0.0.2", LOCAL], allow_private=True)
    assert fetcher.fetch(url(site, "/rules.html", "site.example"))[0] == "rules.html"


def test_nobody_listening_is_said_so(site: ThreadingHTTPServer) -> None:
    with pytest.raises(DocumentError, match="cannot be reached"):
        inside.fetch("http://127.0.0.2:9/")


def certificate(host: str, folder: Path) -> Path:
    """A self-signed certificate and its key in one file."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, host)])
    now = datetime.datetime.now(datetime.UTC)
    signed = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(host)]), critical=False)
        .sign(key, hashes.SHA256())
    )
    pem = serialization.Encoding.PEM
    private = key.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    file = folder / "certificate.pem"
    file.write_bytes(private + signed.public_bytes(pem))
    return file


def test_a_certificate_is_checked_against_the_name_not_the_address(site: ThreadingHTTPServer, tmp_path: Path) -> None:
    file = certificate("site.example", tmp_path)
    serving = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    serving.load_cert_chain(file)
    site.socket = serving.wrap_socket(site.socket, server_side=True)
    trusting = ssl.create_default_context(cafile=str(file))
    fetcher = WebFetcher(resolver=lambda host, port: [LOCAL], allow_private=True, verify=trusting)
    port = site.server_address[1]
    assert fetcher.fetch(f"https://site.example:{port}/rules.html")[1] == b"<p>Rules</p>"
    with pytest.raises(DocumentError, match=r"other\.example cannot be reached .*certificate"):
        fetcher.fetch(f"https://other.example:{port}/rules.html")


def test_proxies_of_the_environment_are_not_used(site: ThreadingHTTPServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    assert inside.fetch(url(site, "/rules.html"))[0] == "rules.html"


@pytest.mark.parametrize(
    "address",
    [
        *("0.0.0.0", "10.1.2.3", "100.64.0.1", "127.0.0.1", "169.254.1.1", "172.16.0.1", "192.168.1.1"),
        *("192.0.2.1", "198.18.0.1", "224.0.0.1", "240.0.0.1", "255.255.255.255"),
        *("::", "::1", "::7f00:1", "::ffff:10.0.0.1", "fe80::1", "fe80::1%eth0", "fc00::1", "fec0::1", "ff02::1"),
        *("2001:db8::1", "2002:7f00:1::", "64:ff9b::7f00:1", "2001:0:4136:e378:8000:63bf:80ff:fffe"),
    ],
)
def test_inner_addresses(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize("address", [OUTSIDE, "8.8.8.8", "2606:4700::1111", "::ffff:8.8.8.8", "64:ff9b::808:808"])
def test_public_addresses(address: str) -> None:
    assert is_public(address)
