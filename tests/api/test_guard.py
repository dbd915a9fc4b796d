"""What is refused before any route sees it."""

from __future__ import annotations

import pytest
from fastapi.testclient import TestClient

from passer.api.app import create_app
from passer.api.guard import Guard
from passer.bootstrap import build_services
from passer.settings import Settings


@pytest.mark.parametrize("host", ["127.0.0.1:8000", "localhost", "LOCALHOST:80", "[::1]:8000"])
def test_the_names_of_this_machine_are_answered(api, host):
    assert api.client.get("/health", headers={"host": host}).status_code == 200


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "", "10.0.0.1:8000", "a:b:c"])
def test_other_names_are_refused(api, host):
    response = api.client.get("/health", headers={"host": host})
    assert response.status_code == 421
    assert response.headers["content-type"] == "application/problem+json"
    assert "PASSER_ALLOWED_HOSTS" in response.json()["detail"]


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://127.0.0.1:9999", "http://["])
def test_pages_of_other_origins_may_not_use_the_server(api, origin):
    response = api.client.get("/api/v1/sweeps", headers={"origin": origin})
    assert response.status_code == 403
    assert origin in response.json()["detail"]


def test_a_picture_on_a_foreign_page_may_not_either(api):
    headers = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors"}
    assert api.client.get("/api/v1/models", headers=headers).status_code == 403
    headers["sec-fetch-mode"] = "navigate"
    assert api.client.get("/health", headers=headers).status_code == 200, "a link to a run may be followed"


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
@pytest.mark.parametrize("mode", ["navigate", "no-cors"])
def test_an_address_of_a_foreign_page_computes_nothing(api, site, mode):
    """A comparison of retrievers is in its address, and may ask models: `GET` alone starts it."""
    headers = {"sec-fetch-site": site, "sec-fetch-mode": mode}
    for path in ("/api/v1/retrievals/anything", "/projects/default/api/v1/retrievals/anything/questions"):
        assert api.client.get(path, headers=headers).status_code == 403
        assert api.client.get(path, headers={"sec-fetch-site": "same-origin"}).status_code == 404


@pytest.mark.parametrize(("host", "status"), [("10.0.0.7:8000", 200), ("[fd00::1]", 200), ("evil.example", 421)])
def test_listening_beyond_loopback_answers_under_addresses_and_never_under_foreign_names(tmp_path, host, status):
    settings = Settings(home=tmp_path, insecure_listen=True)
    services = build_services(settings)
    app = Guard(
        create_app(services), allowed_hosts=(), any_address=settings.insecure_listen, max_upload_bytes=1_000_000
    )
    assert TestClient(app).get("/health", headers={"host": host}).status_code == status
    services.close()


def test_the_servers_own_page_may(api):
    assert api.client.get("/api/v1/sweeps", headers={"origin": "http://127.0.0.1:8000"}).status_code == 200


def test_an_upload_beyond_the_limit_is_refused_before_it_is_read(api):
    response = api.client.post("/api/v1/datasets", content=b"x", headers={"content-length": str(2 * 1024 * 1024)})
    assert response.status_code == 413
    assert "larger than 1 MB" in response.json()["detail"]


def test_an_upload_without_a_length_has_the_same_limit(api):
    def endless():
        yield b'--b\r\nContent-Disposition: form-data; name="file"; filename="a.json"\r\n\r\n'
        for _ in range(64):
            yield b"x" * 65536

    headers = {"content-type": "multipart/form-data; boundary=b"}
    response = api.client.post("/api/v1/datasets", content=endless(), headers=headers)
    assert response.status_code == 413


def test_an_unknown_route_is_a_problem_and_never_the_page(api):
    response = api.client.get("/api/v1/nothing")
    assert response.status_code == 404
    assert response.headers["content-type"] == "application/problem+json"
