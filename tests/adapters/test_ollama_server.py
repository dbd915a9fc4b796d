"""The scripted server speaks as the real one does: shapes read with a plain HTTP client."""

from __future__ import annotations

import json
from collections.abc import Iterator

import httpx
import pytest

from passer.adapters.prompts import JinjaPrompts
from passer.domain.retrieval.passages import Passage
from tests.ollama_replies import DIMENSION
from tests.ollama_server import OllamaServer, Step


@pytest.fixture
def server() -> Iterator[OllamaServer]:
    with OllamaServer() as server:
        yield server


@pytest.fixture
def http(server: OllamaServer) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=server.url, timeout=5) as client:
        yield client


def test_the_default_reply_is_the_first_sentence_of_the_first_passage(server: OllamaServer, http: httpx.Client) -> None:
    texts = ("Soil is alive. It breathes.", "Bees dance.")
    passages = [Passage(id=t, document="d.md", number=0, text=t, start=0, end=1) for t in texts]
    messages = JinjaPrompts().load("default").render(question="What is soil?", passages=passages)
    body = {"model": "mistral", "messages": [m.model_dump() for m in messages], "stream": False}
    said = http.post("/api/chat", json=body).json()
    assert said["message"] == {"role": "assistant", "content": "Soil is alive."}
    assert (said["done"], said["done_reason"]) == (True, "stop")
    assert http.post("/api/chat", json=body).json() == said


def test_streams_are_lines_of_json_and_only_the_last_is_done(http: httpx.Client) -> None:
    for path, body in (
        ("/api/chat", {"messages": [{"role": "user", "content": "Question: Why?"}]}),
        ("/api/generate", {"prompt": "Question: Why?"}),
    ):
        response = http.post(path, json={"model": "mistral", **body})
        lines = [json.loads(line) for line in response.text.splitlines()]
        assert response.headers["content-type"] == "application/x-ndjson"
        assert [line["done"] for line in lines] == [False, False, True]
        text = "".join(line["response"] if "response" in line else line["message"]["content"] for line in lines)
        assert text == "About this: Why?"
        last = lines[-1]
        parts = sum(last[f"{part}_duration"] for part in ("load", "prompt_eval", "eval"))
        assert last["total_duration"] == parts
        assert "eval_count" not in lines[0]


def test_format_is_honoured(http: httpx.Client) -> None:
    schema = {
        "type": "object",
        "properties": {
            "answer": {"type": "string"},
            "grade": {"type": "integer", "minimum": 3},
            "kind": {"enum": ["good", "bad"]},
            "tags": {"type": "array", "items": {"type": "string"}},
        },
    }
    body = {"model": "mistral", "prompt": "Question: Why?", "stream": False, "format": schema}
    text = "About this: Why?"
    assert json.loads(http.post("/api/generate", json=body).json()["response"]) == {
        "answer": text, "grade": 3, "kind": "good", "tags": [text],
    }  # fmt: skip
    said = http.post("/api/generate", json={**body, "format": "json"}).json()["response"]
    assert json.loads(said) == {"answer": text}


def test_errors_as_ollama_words_them(server: OllamaServer, http: httpx.Client) -> None:
    asked = [{"role": "user", "content": "Why?"}]
    missing = http.post("/api/chat", json={"model": "nope", "messages": asked})
    assert (missing.status_code, missing.json()) == (404, {"error": "model 'nope' not found"})
    assert http.post("/api/show", json={"model": "nope"}).status_code == 404
    assert http.post("/api/chat", content=b"").json() == {"error": "missing request body"}
    assert http.post("/api/chat", content=b"{").status_code == 400
    assert http.get("/api/nothing").text == "404 page not found"
    server.script(Step(status=503, retry_after="5"))
    busy = http.post("/api/chat", json={"model": "mistral", "messages": asked})
    assert (busy.status_code, busy.headers["retry-after"]) == (503, "5")
    assert busy.json() == {"error": "server busy, please try again.  maximum pending requests exceeded"}


def test_what_it_is_and_has(http: httpx.Client) -> None:
    assert http.get("/").text == "Ollama is running"
    assert set(http.get("/api/version").json()) == {"version"}
    names = [model["name"] for model in http.get("/api/tags").json()["models"]]
    assert names == ["mistral:latest", "llama3.1:8b", "nomic-embed-text:latest"]
    details = http.get("/api/tags").json()["models"][0]["details"]
    assert (details["context_length"], details["embedding_length"]) == (32768, DIMENSION)
    assert [model["id"] for model in http.get("/v1/models").json()["data"]] == names
    pulled = http.post("/api/pull", json={"model": "phi4"}).text.splitlines()
    assert json.loads(pulled[-1]) == {"status": "success"}
    assert "phi4:latest" in [model["name"] for model in http.get("/api/tags").json()["models"]]


def test_rules_go_before_the_script(server: OllamaServer, http: httpx.Client) -> None:
    server.script(Step(reply="scripted"))
    server.when("soil", Step(reply="earth"), times=1)
    said = [
        http.post("/api/generate", json={"model": "mistral", "prompt": prompt, "stream": False}).json()["response"]
        for prompt in ("soil", "soil", "soil")
    ]
    assert said == ["earth", "scripted", "About this: soil"]
    assert [seen.body["prompt"] for seen in server.generations] == ["soil"] * 3
