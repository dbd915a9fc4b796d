"""A real server and a real receiver of traces: what is sent where it was configured, and that nothing is sent else."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.e2e.killed import MODEL, Study, finish
from tests.ollama_server import OllamaServer
from tests.otlp_receiver import OtlpReceiver

STUDY = Study(questions=4, thresholds=(0.1,))
ASKED = {
    "question": "What is the rule for bees?",
    "reference": "Number 2.",
    "collection": "farm",
    "model": {"provider": "ollama", "name": MODEL},
    "retrieval": {"mode": "normal", "k": 2},
}
STOPS_WITHIN_S = 20.0
"""The library's own wait is 30 s; the rest of a stop takes about a second."""
NAMES = """
import json, sys
from passer.bootstrap import services
from passer.services.pipeline.single_question import SingleQuestion
with services() as built:
    answered = built.pipeline.question_runner.ask(SingleQuestion.model_validate_json(sys.argv[1]))
    assert answered.answer.text
    assert built.sweeps.runner
print(json.dumps(sorted(sys.modules)))
"""
SENDING = {"passer.adapters.open_telemetry", "opentelemetry.exporter.otlp.proto.http"}


@pytest.fixture(scope="module")
def model() -> Iterator[OllamaServer]:
    with OllamaServer() as server:
        yield server


def test_a_sweep_and_a_single_question_are_sent_to_the_address_of_the_settings(tmp_path: Path, model: OllamaServer):
    with OtlpReceiver() as receiver:
        with STUDY.serve(tmp_path, model, PASSER_OTLP_ENDPOINT=receiver.url) as server:
            STUDY.bring(server.client)
            assert receiver.requests == [], "nothing was asked yet"
            assert server.client.post("/api/v1/answers", json=ASKED).status_code == 200
            sweep = STUDY.begin(server.client)
            assert finish(server.client, sweep)
            server.stop()
        traces = receiver.traces()
    # One question alone, then 4 questions under a threshold and the baseline.
    assert Counter(chain.attributes.get("session.id") for chain, *_ in traces) == {None: 1, sweep: 8}
    [alone] = [spans for spans in traces if "session.id" not in spans[0].attributes]
    assert Counter(each.kind for each in alone) == dict.fromkeys(("CHAIN", "RETRIEVER", "LLM", "EVALUATOR"), 1)
    [asked] = [each.attributes for each in alone if each.kind == "LLM"]
    assert (asked["llm.provider"], asked["llm.model_name"]) == ("ollama", MODEL)
    assert asked["llm.token_count.prompt"] > 0
    [scored] = [each.attributes for each in alone if each.kind == "EVALUATOR"]
    assert 0 <= json.loads(scored["output.value"])["F1 Score"] <= 1
    assert "bees" not in str(traces), "texts were not allowed"


def test_a_server_whose_receiver_never_answers_stops_as_soon(tmp_path: Path, model: OllamaServer):
    with OtlpReceiver("never") as receiver:
        with STUDY.serve(tmp_path, model, PASSER_OTLP_ENDPOINT=receiver.url) as server:
            assert finish(server.client, STUDY.prepare(server.client))
            began = time.monotonic()
            server.stop()
            took_s = time.monotonic() - began
        assert receiver.requests
    assert took_s < STOPS_WITHIN_S


@pytest.mark.soak
def test_without_the_setting_nothing_is_loaded_or_sent(tmp_path: Path, model: OllamaServer):
    with OtlpReceiver() as receiver:
        # The library's own variables alone are no permission.
        usual = {"OTEL_EXPORTER_OTLP_ENDPOINT": receiver.url, "OTEL_TRACES_EXPORTER": "otlp"}
        with STUDY.serve(tmp_path, model, **usual) as server:
            assert finish(server.client, STUDY.prepare(server.client))
            assert server.client.post("/api/v1/answers", json=ASKED).status_code == 200
            server.stop()
        loaded = {configured: modules(tmp_path, model, **usual, **more) for configured, more in (
            (False, {}), (True, {"PASSER_OTLP_ENDPOINT": receiver.url}),
        )}  # fmt: skip
        assert loaded[True] >= SENDING, "the names are those of the modules"
        assert not loaded[False] & SENDING
        # The question of the process with the setting: nothing of the server or of the other process came before it.
        assert [next(each.kind for each in spans) for spans in receiver.traces()] == ["CHAIN"]


def modules(home: Path, model: OllamaServer, **more: str) -> set[str]:
    """The modules of a process that has asked a question and is about to run a sweep."""
    environment = {**os.environ, "PASSER_HOME": str(home), "PASSER_OLLAMA_URL": model.url, **STUDY.environment, **more}
    done = subprocess.run(
        [sys.executable, "-c", NAMES, json.dumps(ASKED)],
        cwd=ROOT, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return set(json.loads(done.stdout.splitlines()[-1]))
