"""Headers, refusals and the description of the HTTP interface."""

from __future__ import annotations

import gc
import json
import re
import weakref

import pytest
from fastapi.testclient import TestClient

from passer.api.app import create_app
from passer.api.description import PARAMETERS
from passer.api.headers import ALWAYS, content_policy
from passer.bootstrap import build_services
from passer.settings import Settings
from tests.api.description import DESCRIPTION


@pytest.mark.parametrize("path", ["/health", "/api/v1/sweeps", "/api/v1/none", "/", "/docs"])
def test_every_answer_has_the_headers_that_protect_its_reader(api, path):
    headers = api.client.get(path).headers
    assert {name: headers[name] for name in ALWAYS} == ALWAYS
    scripts = re.search(r"script-src ([^;]*);", headers["content-security-policy"])
    assert scripts is not None
    assert scripts[1] == "'self'", "no inline script, none of another server"
    assert "frame-ancestors 'none'" in headers["content-security-policy"]


def test_results_are_kept_by_nobody_and_pages_are_asked_for_again(api):
    assert api.client.get("/api/v1/sweeps").headers["cache-control"] == "no-store"
    assert api.client.get("/").headers["cache-control"] == "no-cache"


def test_a_refused_host_is_answered_with_the_same_headers(api):
    refused = api.client.get("/health", headers={"host": "evil.example"})
    assert (refused.status_code, refused.headers["x-content-type-options"]) == (421, "nosniff")


def test_pages_may_connect_to_the_chain_and_its_relay_only_where_there_is_a_chain():
    assert "connect-src 'self';" in content_policy()
    policy = content_policy(["https://chain.example:8888/path", "https://cb.anchor.link"])
    connected = "https://chain.example:8888 https://cb.anchor.link wss://chain.example:8888 wss://cb.anchor.link;"
    assert f"connect-src 'self' {connected}" in policy


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("PUT", "/api/v1/sweeps", "GET, POST"),
        ("GET", "/api/v1/scores", "POST"),
        ("DELETE", "/api/v1/sweeps/some", "GET, PATCH"),
        ("PATCH", "/health", "GET"),
    ],
)
def test_another_method_is_refused_with_those_that_are_possible(api, method, path, allowed):
    refused = api.client.request(method, path)
    assert refused.status_code == 405
    assert refused.headers["allow"] == allowed
    assert refused.headers["content-type"] == "application/problem+json"


def test_a_number_that_no_database_holds_is_refused(api):
    for path in ("runs?after=1" + "0" * 30, "runs/some/evaluations/1" + "0" * 30, "sweeps/some/questions/1" + "0" * 30):
        assert api.client.get(f"/api/v1/{path}").status_code == 422, path


def test_problems_are_described_as_they_are_sent(api):
    description = api.client.get("/openapi.json").json()
    for methods in description["paths"].values():
        for operation in methods.values():
            assert {"403", "421", "500", "503"} <= set(operation["responses"])
            assert "4XX" not in operation["responses"]
    refused = description["components"]["responses"]["Problem404"]["content"]
    assert list(refused) == ["application/problem+json"]
    schema = refused["application/problem+json"]["schema"]["$ref"].rpartition("/")[2]
    assert "detail" in description["components"]["schemas"][schema]["properties"]


@pytest.mark.parametrize(
    ("operation", "refusals"),
    [
        ("health", "403 421 500 503"),
        ("list_runs", "401 403 404 421 422 500 503"),
        ("show_run", "401 403 404 409 421 422 500 503"),
        ("create_dataset", "400 401 403 404 409 413 421 422 500 502 503"),
        ("sign_in", "400 401 403 404 409 413 421 422 429 500 503"),
        ("list_users", "401 403 421 500 503"),
        ("show_rating_sheet", "403 404 421 422 500 503"),
    ],
)
def test_an_operation_lists_the_refusals_that_it_can_answer_with(operation, refusals):
    methods = [each for path in DESCRIPTION["paths"].values() for each in path.values()]
    (found,) = [each["responses"] for each in methods if each["operationId"] == operation]
    assert sorted(status for status in found if status >= "4") == refusals.split()


@pytest.mark.parametrize(
    "path", [path for path, each in DESCRIPTION["paths"].items() if "requestBody" in each.get("post", {})]
)
def test_the_refusal_of_a_body_that_cannot_be_read_is_described(api, path):
    headers = {"content-type": "application/json"}
    refused = api.client.post(re.sub(r"\{[^}]*\}", "999", path), content=b"\xff{", headers=headers)
    assert refused.status_code >= 400
    assert str(refused.status_code) in DESCRIPTION["paths"][path]["post"]["responses"]


def test_every_operation_parameter_and_member_is_described_in_words_of_json():
    """A client is written from this alone: `None` is no value of JSON, and a module is no part of a name."""
    schemas = DESCRIPTION["components"]["schemas"]
    operations = [each for methods in DESCRIPTION["paths"].values() for each in methods.values()]
    texts = [DESCRIPTION["info"]["description"]]
    for each in operations:
        assert re.search(r"\n\nRole: (none|viewer|researcher|admin)\.$", each["description"]), each["operationId"]
        texts += [each["description"], *(one.get("description", "") for one in each.get("parameters", ()))]
        assert "content" in each["responses"].get("200", {"content": ""}), each["operationId"]
    for name, schema in schemas.items():
        assert re.fullmatch(r"\w+", name.replace("__", "-")), name
        texts += [member.get("description", "") for member in schema.get("properties", {}).values()]
        texts += [] if name == "JsonValue" else [schema.get("description", "")]
    named = set(re.findall(r'"#/components/schemas/(.+?)"', json.dumps(DESCRIPTION)))
    assert named <= schemas.keys()
    assert "" not in texts
    assert [text for text in texts if re.search(r"\b(None|True|False)\b", text)] == []
    shown = set(texts)
    assert [name for name, text in PARAMETERS.items() if text not in shown] == [], "of operations that are gone"


@pytest.mark.parametrize(
    ("sent", "detail"),
    [
        ({"content": b'{"name":"x",', "headers": {"content-type": "application/json"}},
         "The request is not valid JSON from character 13: Expecting property name enclosed in double quotes."),
        ({"content": b'{"name":"x"}'},
         "The body must be JSON, and its header `Content-Type` must be `application/json`."),
    ],
    ids=["cut off", "without a type"],
)  # fmt: skip
def test_a_body_that_is_no_json_is_refused_as_such(api, sent, detail):
    refused = api.client.post("/api/v1/sweeps", **sent).json()
    assert (refused["type"], refused["detail"]) == ("urn:passer:not-accepted", detail)
    assert refused["errors"][0]["field"] is None, "the place in the text is no field"


FORM = "multipart/form-data; boundary=b"


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("application/json", b"[" * 100_000),
        ("application/json", b'{"seed":' + b"9" * 5000 + b"}"),
        ("application/json", b'{"name":"\xff"}'),
        ("multipart/form-data", b"x"),
        (FORM, b"--b\r\nno header\r\n"),
        (FORM, b'--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n' + b"x" * 1_060_000 + b"\r\n--b--\r\n"),
    ],
    ids=["deep", "digits", "no UTF-8", "no boundary", "cut off", "long field"],
)
def test_a_body_that_the_framework_cannot_read_is_refused_in_words_of_the_reader(api, kind, body):
    path = "/api/v1/datasets" if kind.startswith("multipart") else "/api/v1/sweeps"
    headers = {"content-type": kind, "accept-language": "bg"}
    refused = api.client.post(path, content=body, headers=headers)
    assert refused.status_code == 400, refused.text
    assert refused.json()["detail"].startswith("Тялото на заявката не може да се прочете: не е UTF-8,")


def test_a_text_in_the_place_of_a_file_is_named(api):
    refused = api.client.post("/api/v1/datasets", data={"name": "a", "file": "b"})
    assert (refused.status_code, refused.json()["detail"]) == (422, "file: The value must be a file.")


def test_unknown_addresses_are_refused_in_the_language_of_the_reader(api):
    known = {"accept-language": "bg"}
    assert api.client.get("/api/v1/nothing", headers=known).json()["detail"].startswith("Няма адрес /api/v1/nothing.")
    other = {**known, "origin": "http://evil.example"}
    assert api.client.get("/api/v1/sweeps", headers=other).json()["title"] == "Отказан произход"


def test_choices_are_named_without_the_quotes_of_python(api):
    refused = api.client.get("/api/v1/sweeps/x/export?format=pdf").json()
    assert refused["detail"] == "format: The value must be csv, jsonl, xlsx or latex."


def test_an_application_that_nobody_holds_is_freed():
    gone = weakref.ref(create_app(None))
    gc.collect()
    assert gone() is None


def test_the_page_of_the_interface_needs_no_other_server_and_no_script(api):
    page = api.client.get("/docs").text
    assert "GET /api/v1/sweeps/{sweep_id}/analysis" in page
    assert "<script" not in page
    assert not re.findall(r'(?:src|href)="(?:https?:)?//', page)
    assert api.client.get("/redoc").status_code in (200, 404)
    assert "cdn" not in api.client.get("/redoc").text


def test_a_server_whose_files_are_gone_is_not_ready(tmp_path):
    home = tmp_path / "home"
    with TestClient(create_app(build_services(Settings(home=home))), base_url="http://127.0.0.1") as client:
        assert client.get("/ready").status_code == 200
        (home / "passer.sqlite3").rename(tmp_path / "moved.sqlite3")
        (home / "chroma").rename(tmp_path / "moved")
        gone = client.get("/ready")
        assert gone.status_code == 503
        details = {part["name"]: part["detail"] for part in gone.json()["parts"] if not part["ok"]}
        assert set(details) == {"database", "chroma"}
        assert all("Restore it" in detail for detail in details.values())
        (tmp_path / "moved.sqlite3").rename(home / "passer.sqlite3")
        (tmp_path / "moved").rename(home / "chroma")
        assert client.get("/ready").status_code == 200
