"""Model servers over HTTP: connected, tested, listed, used, forgotten; keys go in and never come out.

Requests reach connected servers only: no body names an address, and no name of a model is a path.
"""

from __future__ import annotations

import logging
from typing import Any

from passer.bootstrap import build_services
from passer.domain.models.model import Model
from passer.settings import Settings
from tests.api.description import DESCRIPTION
from tests.ollama_server import OllamaServer

SWEEP = {"name": "Lab", "axes": {"k": [1, 2]}}


def test_a_server_with_a_key_is_connected_on_the_page_and_answers_a_sweep(loaded, caplog):
    caplog.set_level(logging.DEBUG)
    with OllamaServer(models=["llama-3"], api_key="sk-very-secret", kind="vllm") as lab:
        given = {"name": "lab", "kind": "openai", "url": f"{lab.url}/v1"}
        client = loaded.client
        tried = client.post("/api/v1/connections/tests", json=given).json()
        assert "API key" in tried["problem"] or "not with a list of models" in tried["problem"]
        assert tried["models"] == []
        whole = {**given, "api_key": "sk-very-secret"}
        assert client.post("/api/v1/connections/tests", json=whole).json()["models"][0]["name"] == "llama-3"
        assert [each["connection"] for each in client.get("/api/v1/models").json()["items"]] == [None, None, None]
        kept = client.post("/api/v1/connections", json=whole)
        assert kept.status_code == 201
        assert kept.json()["key"] == "stored"
        listed = client.get("/api/v1/models")
        assert [m["name"] for m in listed.json()["items"][-1]["models"]] == ["llama-3"]
        model = {"provider": "openai", "name": "llama-3", "connection": "lab"}
        config = {"dataset": "farm", "collection": "farm", "model": model}
        created = client.post("/api/v1/sweeps", json={**SWEEP, "config": config})
        assert created.status_code == 201, created.text
        sweep = loaded.finished(created.json()["id"])
        assert [run["counts"]["scored"] for run in sweep["runs"]] == [3, 3]
        assert lab.seen, "the connected server was asked"
        detail = client.get(f"/api/v1/runs/{sweep['runs'][0]['id']}/evaluations/0")
        bundle = client.get(f"/api/v1/runs/{sweep['runs'][0]['id']}/bundle")
        for answer in (kept, listed, created, detail, bundle):
            assert b"sk-very-secret" not in answer.content
        assert b"sk-very-secret" not in b"".join(path.read_bytes() for path in loaded.home.glob("passer.sqlite3*"))
        assert "sk-very-secret" not in caplog.text
    assert client.delete("/api/v1/connections/lab").status_code == 204
    assert client.delete("/api/v1/connections/lab").status_code == 404
    gone = client.post("/api/v1/sweeps", json={**SWEEP, "name": "Gone", "config": config})
    assert gone.status_code == 404
    assert "no connected model server" in gone.json()["detail"]
    assert client.get(f"/api/v1/sweeps/{sweep['id']}").status_code == 200, "its results are kept"


def test_a_server_that_is_away_is_listed_with_the_reason_and_the_others_with_their_models(api):
    given = {"name": "away", "kind": "openai", "url": "http://127.0.0.1:9/v1"}
    assert api.client.post("/api/v1/connections", json=given).status_code == 201
    built_in, _, ollama, away = api.client.get("/api/v1/models", headers={"accept-language": "bg"}).json()["items"]
    assert built_in["models"][0]["name"] == "extractive"
    assert ollama["setting"] == "PASSER_OLLAMA_URL"
    assert ollama["models"]
    assert "не приема връзки" in away["problem"]
    assert api.client.delete("/api/v1/connections/away").status_code == 204


def test_what_cannot_be_connected_is_refused_under_its_field(api):
    for change, field in (
        ({"url": "http://169.254.169.254/latest"}, "url"),
        ({"url": "http://user:hunter2@127.0.0.1:9"}, "url"),
        ({"key_variable": "PASSER_CHAIN_KEY"}, "key_variable"),
        ({"name": "../lab"}, "name"),
        ({"sealed_key": "x"}, "sealed_key"),
    ):
        body = {"name": "lab", "kind": "openai", "url": "http://127.0.0.1:9", **change}
        refused = api.client.post("/api/v1/connections", json=body)
        assert refused.status_code == 422
        assert refused.json()["errors"][0]["field"] == field
        assert "hunter2" not in refused.text


def test_a_model_is_pulled_with_its_bytes_counted(api):
    job = api.job(api.client.post("/api/v1/models", json={"name": "mistral"}))
    assert job["state"] == "finished", job
    assert job["result"]["name"].startswith("mistral")
    assert job["done"] == job["total"] > 0


def test_a_model_that_the_registry_lacks_fails_in_a_sentence(api):
    job = api.job(api.client.post("/api/v1/models", json={"name": "no-such-model"}))
    assert job["state"] == "failed"
    assert "no-such-model" in job["message"]
    assert api.client.post("/api/v1/models", json={"name": "../etc"}).status_code == 422


def test_a_model_server_that_is_not_there_is_named(loaded):
    given = {"name": "gone", "kind": "ollama", "url": "http://127.0.0.1:9"}
    assert loaded.client.post("/api/v1/connections", json=given).status_code == 201
    model = {"provider": "ollama", "name": "any", "connection": "gone"}
    config = {"dataset": "farm", "collection": "farm", "model": model}
    response = loaded.client.post("/api/v1/sweeps", json={**SWEEP, "config": config})
    assert response.status_code == 503
    assert "127.0.0.1:9" in response.json()["detail"]
    assert loaded.client.delete("/api/v1/connections/gone").status_code == 204


ELSEWHERE = {"provider": "openai", "name": "any", "base_url": "http://10.0.0.1:80"}
RERANKED = {"form": "reranked", "of": {"form": "dense"}, "by": {"form": "passage-judge", "judge": ELSEWHERE}}
_FARM = {"dataset": "farm", "collection": "farm"}
_CONFIG = {**_FARM, "model": ELSEWHERE}
_RANKED = {**_FARM, "ks": [2], "retrievers": [RERANKED]}
WITH_AN_ADDRESS = (
    ("create_sweep", "sweeps", {**SWEEP, "config": _CONFIG}),
    ("create_sweep", "sweeps", {**SWEEP, "config": _FARM, "axes": {"model": [ELSEWHERE]}}),
    ("plan_sweep", "sweeps/plans", {**SWEEP, "config": _CONFIG}),
    ("preview_sweep", "sweeps/previews", {**SWEEP, "config": _CONFIG}),
    ("create_run", "runs", {"config": _CONFIG}),
    ("ask_question", "answers", {"question": "Why?", "collection": "farm", "model": ELSEWHERE}),
    ("compare_retrievers", "retrievals", _RANKED),
    ("rank_question", "retrievals/question", {**_FARM, "question_id": "q1", "retrievers": [RERANKED]}),
    ("export_trec", "retrievals/trec", _RANKED),
    ("plan_assessment", "assessments/plan", {"target": "x", "judge": ELSEWHERE}),
    ("create_assessment", "assessments", {"target": "x", "judge": ELSEWHERE}),
    (
        "plan_assessment",
        "assessments/plan",
        {"pool": {**_FARM, "retrievers": [RERANKED]}, "judge": {**ELSEWHERE, "base_url": None}},
    ),
    ("plan_drafting", "drafts/plan", {"collection": "farm", "models": [ELSEWHERE]}),
    (
        "create_drafting",
        "drafts",
        {"collection": "farm", "models": [{**ELSEWHERE, "base_url": None}], "judge": ELSEWHERE},
    ),
    ("plan_tournament", "tournaments/plan", {"runs": ["x-000", "x-001"], "judge": ELSEWHERE}),
    ("create_tournament", "tournaments", {"runs": ["x-000", "x-001"], "judge": ELSEWHERE}),
)


def test_no_request_names_an_address(loaded, ollama):
    before = len(ollama.seen)
    for _, path, body in WITH_AN_ADDRESS:
        refused = loaded.client.post(f"/api/v1/{path}", json=body)
        assert refused.status_code == 422, (path, refused.text)
        assert "10.0.0.1:80 is not connected" in refused.json()["detail"], path
    assert len(ollama.seen) == before


def test_every_operation_that_takes_a_model_is_asked_with_an_address(loaded):
    """A new operation with a model in its body has to check it as well."""

    def named(part: Any, found: set[str]) -> set[str]:
        for value in part.values() if isinstance(part, dict) else part if isinstance(part, list) else ():
            if isinstance(value, str) and value.startswith("#/components/schemas/"):
                name = value.rpartition("/")[2]
                if name not in found:
                    found.add(name)
                    named(DESCRIPTION["components"]["schemas"][name], found)
            else:
                named(value, found)
        return found

    taking = {
        each["operationId"]
        for methods in DESCRIPTION["paths"].values()
        for each in methods.values()
        if "Model" in named(each.get("requestBody", {}), set())
    }
    assert taking == {operation for operation, _, _ in WITH_AN_ADDRESS}


def test_the_key_of_a_model_server_goes_to_that_server_alone(tmp_path, ollama):
    settings = Settings(home=tmp_path, openai_url="http://127.0.0.1:9/v1", openai_api_key="sk-secret")
    services = build_services(settings)
    before = len(ollama.seen)
    for base_url in (f"{ollama.url}/v1", None):
        model = Model(provider="openai", name="any", base_url=base_url)
        key = services.adapters.models.chat_model(model)._client.headers.get("authorization")
        assert (key == "Bearer sk-secret") == (base_url is None)
    services.close()
    assert len(ollama.seen) == before


def test_a_path_is_no_name_of_a_local_model(api) -> None:
    config = {"dataset": "d", "collection": "c", "model": {"provider": "local", "name": "/etc/weights.gguf"}}
    bodies = {
        "/api/v1/sweeps": {"name": "s", "config": config},
        "/api/v1/sweeps/previews": {"name": "s", "config": config},
        "/api/v1/runs": {"config": config},
        "/api/v1/answers": {"question": "q", "collection": "c", "model": config["model"]},
    }
    for url, body in bodies.items():
        refused = api.client.post(url, json=body)
        assert refused.status_code == 422, url
        assert "PASSER_MODELS" in refused.json()["detail"]
