"""What travels: assets as the build compressed them, JSON compressed on the way, events as they are."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from passer.api import app as application
from passer.api.client_files import RevalidatedPages, hashed_files

SCRIPT = b"console.log('the page');" * 100
FOREVER = "public, max-age=31536000, immutable"


@pytest.fixture
def client(tmp_path: Path) -> TestClient:
    assets = tmp_path / "assets"
    assets.mkdir()
    (assets / "page-1a2b.js").write_bytes(SCRIPT)
    (assets / "page-1a2b.js.gz").write_bytes(gzip.compress(SCRIPT))
    # TestClient decodes brotli only where its package is installed: here the bytes are looked at.
    (assets / "page-1a2b.js.br").write_bytes(b"brotli bytes")
    (assets / "plain-3c4d.css").write_text("p { color: red }")
    (tmp_path / "secret.txt").write_text("not an asset")
    (tmp_path / "index.html").write_text("<!doctype html><title>PaSSER</title>")
    app = FastAPI()
    app.mount("/assets", hashed_files(tmp_path))
    app.frontend("/", directory=tmp_path)
    app.add_middleware(RevalidatedPages, client=tmp_path)
    return TestClient(app)


def _raw(client: TestClient, path: str, accept: str):
    with client.stream("GET", path, headers={"Accept-Encoding": accept, "Accept": "text/html,*/*"}) as response:
        return response, b"".join(response.iter_raw())


@pytest.mark.parametrize(
    ("accept", "encoding", "content"),
    [
        ("gzip, deflate, br, zstd", "br", b"brotli bytes"),
        ("gzip, br;q=0", "gzip", None),
        ("gzip;q=1.0", "gzip", None),
        ("identity", None, SCRIPT),
        ("", None, SCRIPT),
    ],
)
def test_an_asset_is_sent_in_the_best_encoding_that_is_accepted(
    client: TestClient, accept: str, encoding: str | None, content: bytes | None
):
    response, body = _raw(client, "/assets/page-1a2b.js", accept)
    assert response.headers.get("content-encoding") == encoding
    assert (gzip.decompress(body) if content is None else body) == (content or SCRIPT)
    assert response.headers["content-type"].startswith("text/javascript")
    assert response.headers["cache-control"] == FOREVER
    assert response.headers["vary"] == "Accept-Encoding"


def test_an_asset_that_was_not_compressed_is_sent_as_it_is(client: TestClient):
    response, body = _raw(client, "/assets/plain-3c4d.css", "br, gzip")
    assert (body, response.headers.get("content-encoding")) == (b"p { color: red }", None)


def test_an_asset_is_read_once_in_each_encoding(client: TestClient, tmp_path: Path):
    """Open pages go on where a new build has removed their files."""
    sent = {accept: _raw(client, "/assets/page-1a2b.js", accept) for accept in ("br, gzip", "gzip", "identity")}
    for file in (tmp_path / "assets").glob("page-*"):
        file.unlink()
    for accept, (response, body) in sent.items():
        again, same = _raw(client, "/assets/page-1a2b.js", accept)
        assert (same, again.status_code, dict(again.headers)) == (body, 200, dict(response.headers))


def test_a_part_of_an_asset_is_sent(client: TestClient):
    part = client.get("/assets/plain-3c4d.css", headers={"Range": "bytes=0-2", "Accept-Encoding": "identity"})
    assert (part.status_code, part.content) == (206, b"p {")
    known = client.get("/assets/plain-3c4d.css").headers["etag"]
    assert client.get("/assets/plain-3c4d.css", headers={"If-None-Match": known}).status_code == 304


@pytest.mark.parametrize("path", ["/assets/gone.js", "/assets/%2e%2e/secret.txt"])
def test_no_other_file_is_an_asset_and_its_absence_is_not_cached(client: TestClient, path: str):
    response, _ = _raw(client, path, "br, gzip")
    assert (response.status_code, response.headers.get("cache-control")) == (404, None)


@pytest.mark.parametrize("path", ["/", "/runs/abc"])
def test_a_page_is_revalidated_so_that_an_update_reaches_the_browser(client: TestClient, path: str):
    response, _ = _raw(client, path, "br, gzip")
    assert (response.status_code, response.headers["cache-control"]) == (200, "no-cache")


def test_json_is_compressed_and_small_replies_and_events_are_not(api, monkeypatch: pytest.MonkeyPatch):
    api.ingest()
    api.upload("asked", b'[{"question": "What?", "reference": "That."}]')
    large, body = _raw(api.client, "/api/v1/metrics", "gzip")
    assert large.headers["content-encoding"] == "gzip"
    assert b'"items"' in gzip.decompress(body)
    small, _ = _raw(api.client, "/health", "gzip")
    assert "content-encoding" not in small.headers
    sweep = {"name": "One", "config": {"dataset": "asked", "collection": "farm"}}
    created = api.client.post("/api/v1/sweeps", json=sweep).json()
    events, told = _raw(api.client, f"/api/v1/sweeps/{created['id']}/events", "gzip")
    assert "content-encoding" not in events.headers
    assert told.startswith(b"data: ")


def test_a_page_that_is_built_after_the_start_is_served(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(application, "CLIENT", tmp_path)
    client = TestClient(application.create_app(None))
    assert (client.get("/").status_code, client.get("/assets/page-1a2b.js").status_code) == (503, 404)
    (tmp_path / "assets").mkdir()
    (tmp_path / "assets" / "page-1a2b.js").write_bytes(SCRIPT)
    (tmp_path / "index.html").write_text("<!doctype html><title>PaSSER</title>")
    assert client.get("/").text == "<!doctype html><title>PaSSER</title>"
    assert client.get("/assets/page-1a2b.js").content == SCRIPT
    assert client.get("/runs", headers={"Accept": "text/html"}).status_code == 200


def test_the_application_serves_its_own_client_so():
    if not (application.CLIENT / "index.html").is_file():
        pytest.skip("the browser application is not built: make client")
    client = TestClient(application.create_app(None))
    page = client.get("/")
    assert page.headers["cache-control"] == "no-cache"
    script = next(part.split('"')[0] for part in page.text.split('src="')[1:] if part.startswith("/assets/"))
    response, _ = _raw(client, script, "br")
    assert (response.headers["content-encoding"], response.headers["cache-control"]) == ("br", FOREVER)
