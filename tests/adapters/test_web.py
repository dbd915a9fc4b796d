"""Fetching from a real HTTP server on this machine, and every way of being led astray."""

from __future__ import annotations

import datetime
import socket
import ssl
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from passer.adapters.web import WebFetcher
from passer.errors import DocumentError, TooLargeError
from tests.web_site import LOCAL, Site, url

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
def test_what_stands_there_is_fetched(site: Site, path: str, expected: tuple[str, bytes]) -> None:
    assert inside.fetch(url(site, path)) == expected


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("/hop/5", "redirects more than 5 times"),
        ("/file", "is not a web address"),
        ("/missing", "returned 404"),
        ("/photo.png", "is of type image/png"),
        ("/untold.bin", "is of type application/octet-stream"),
        ("/wrong", "is not in the charset utf-16"),
        ("/cut", "was interrupted"),
        ("/coded", "is not in the charset punycode"),
        ("/undefined", "is not in the charset undefined"),
        ("/packed", r"is sent compressed \(gzip, gzip\), although PaSSER did not ask for that"),
    ],
)
def test_what_cannot_be_taken_is_refused_in_one_sentence(site: Site, path: str, message: str) -> None:
    with pytest.raises(DocumentError, match=message) as caught:
        inside.fetch(url(site, path))
    assert str(caught.value).endswith(".")


@pytest.mark.parametrize("path", ["/large", "/endless"])
def test_too_large_is_refused_while_it_comes(site: Site, path: str) -> None:
    with pytest.raises(TooLargeError, match=r"is larger than .* MB\. Raise the limit"):
        inside.fetch(url(site, path))


def test_what_never_ends_is_given_up_in_time(site: Site) -> None:
    seconds = iter(range(1000))
    fetcher = WebFetcher(allow_private=True, total_s=5, monotonic=lambda: float(next(seconds)))
    with pytest.raises(DocumentError, match="did not respond in time"):
        fetcher.fetch(url(site, "/endless"))


def test_a_silent_server_is_given_up_in_time() -> None:
    with socket.create_server((LOCAL, 0)) as silent:
        fetcher = WebFetcher(allow_private=True, connect_s=0.1, total_s=0.2)
        with pytest.raises(DocumentError, match="did not respond in time"):
            fetcher.fetch(f"http://{LOCAL}:{silent.getsockname()[1]}/")


@pytest.mark.parametrize("path", ["/slow/headers", "/slow/body"])
def test_a_byte_now_and_then_does_not_extend_the_time(site: Site, path: str) -> None:
    # The site sends bytes for ever, so this ends only when the time for the whole is limited.
    with pytest.raises(DocumentError, match="did not respond in time"):
        WebFetcher(allow_private=True, total_s=0.5).fetch(url(site, path))


def test_nobody_listening_is_said_so(site: Site) -> None:
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


def test_a_certificate_is_checked_against_the_name_not_the_address(site: Site, tmp_path: Path) -> None:
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


def test_proxies_of_the_environment_are_not_used(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    assert inside.fetch(url(site, "/rules.html"))[0] == "rules.html"
