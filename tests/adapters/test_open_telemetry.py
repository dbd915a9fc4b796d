"""Traces of a sweep's questions as a real receiver of OTLP over HTTP decodes them; no trace costs a question."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial

import pytest

from passer.adapters.open_telemetry import OtlpTraces
from passer.domain.dataset import Dataset, Question
from passer.domain.models.model import Model
from passer.domain.sweeps.run import RunState
from passer.errors import ConfigError, GenerationError
from passer.ports import QuestionTrace, Span, StoredSweep
from passer.services.sweeps.traced_flow import TracedFlow
from passer.settings import Settings
from tests.fakes import FakeChatModel
from tests.otlp_receiver import OtlpReceiver, SpanSent
from tests.served import free_port
from tests.services.study import QUESTIONS, TEXTS, Study

OK, ERROR = 1, 2
TEXT = ("input.value", "content", "messages")
STOPS_WITHIN_S = 15.0
"""The library's own wait is 30 s."""


@contextmanager
def traced(study: Study, url: str, *, with_texts: bool = False) -> Iterator[Callable[[], StoredSweep]]:
    """Runs a sweep of three thresholds and the baseline: 4 runs of 6 questions; closed at the end."""
    with closing(OtlpTraces(url, with_texts=with_texts, version="1.2")) as traces:
        running = replace(study.running, flow=partial(TracedFlow, traces=traces))
        yield lambda: running.run(study.create(0.1, 0.4, 0.99).id)


def sent(study: Study, *, with_texts: bool = False) -> tuple[StoredSweep, list[list[SpanSent]]]:
    with OtlpReceiver() as receiver:
        with traced(study, receiver.url, with_texts=with_texts) as run:
            sweep = run()
        assert {path for path, _, _ in receiver.requests} == {"/v1/traces"}
        assert {kind for _, kind, _ in receiver.requests} == {"application/x-protobuf"}
        return sweep, receiver.traces()


def by_kind(spans: list[SpanSent]) -> dict[str, SpanSent]:
    assert len({each.kind for each in spans}) == len(spans)
    return {each.kind: each for each in spans}


def counting() -> Study:
    model = FakeChatModel()
    model.counts_tokens, model.seconds = True, 0.002
    return Study(chat_model=model)


def test_each_question_under_each_configuration_is_one_trace_with_its_steps():
    study = counting()
    sweep, traces = sent(study)
    assert all(run.state is RunState.FINISHED for run in sweep.runs)
    places = Counter()
    for spans in traces:
        chain, *steps = spans
        assert chain.kind == "CHAIN"
        assert not chain.parent
        assert chain.status == OK
        assert chain.attributes["session.id"] == sweep.id
        place = json.loads(chain.attributes["metadata"])
        places[place["run"], place["question"]] += 1
        # At .99 nothing is kept, and nothing is asked: the abstention is scored.
        kinds = {each.kind for each in steps}
        assert {"RETRIEVER", "EVALUATOR"} <= kinds
        for step in steps:
            assert step.parent == chain.id
            assert step.began_ns <= step.ended_ns <= chain.ended_ns
    assert places == Counter({(run.id, f"q{n}"): 1 for run in sweep.runs for n in range(6)})


def test_ids_scores_and_tokens_are_those_of_the_sweep():
    study = counting()
    sweep, traces = sent(study)
    steps = [by_kind(spans) for spans in traces]
    chains = {tuple(json.loads(each["CHAIN"].attributes["metadata"]).values()): each for each in steps}
    first = chains[sweep.runs[0].id, "q0"]
    # The baseline keeps the 2 nearest passages: `what fixes nitrogen` is nearest to the first text.
    found = study.store.rankings(sweep.id, sweep.runs[0].config.ranked_by)["q0"].passages
    retrieved = first["RETRIEVER"].attributes
    ids = [retrieved[f"retrieval.documents.{place}.document.id"] for place in (0, 1)]
    assert ids == [found[0].id, found[1].id]
    assert found[0].text == TEXTS[0]
    assert "retrieval.documents.2.document.id" not in retrieved
    score = retrieved["retrieval.documents.0.document.score"]
    assert score == pytest.approx(found[0].similarity)
    scores = json.loads(first["EVALUATOR"].attributes["output.value"])
    stored = study.store.evaluations(sweep.runs[0].id)[0].scores
    assert scores == {column: each.value for column, each in stored.items()}
    # Each answer that was generated is counted once, whoever shares it.
    asked = [each["LLM"].attributes for each in steps if "LLM" in each]
    generated = [each for each in asked if not each["passer.reused"]]
    assert len(generated) == len(study.chat_model.asked) < len(asked)
    evaluations = [each for run in sweep.runs for each in study.store.evaluations(run.id) if each.prompt_digest]
    answers = study.store.answers(list({each.answer_key for each in evaluations}))
    for name, count in (("prompt", "prompt_eval_count"), ("completion", "eval_count")):
        counted = sum(each.get(f"llm.token_count.{name}", 0) for each in asked)
        assert counted == sum(getattr(each.timings, count) for each in answers.values()) > 0
    assert {(each["llm.provider"], each["llm.model_name"]) for each in asked} == {("extractive", "extractive")}


def test_of_several_right_answers_the_scores_that_are_kept_are_sent():
    study = counting()
    [known] = study.store.list_datasets()
    questions = [
        Question(id=f"q{n}", text=text, reference=TEXTS[0], other_references=("soil", *TEXTS[1:2]))
        for n, text in enumerate(QUESTIONS)
    ]
    study.store.save_dataset(Dataset(name=known.name, questions=tuple(questions)))
    sweep, traces = sent(study)
    sent_scores = {
        tuple(json.loads(each["CHAIN"].attributes["metadata"]).values()): json.loads(
            each["EVALUATOR"].attributes["output.value"]
        )
        for each in map(by_kind, traces)
    }
    for run in sweep.runs:
        for evaluation in study.store.evaluations(run.id):
            stored = {column: score.value for column, score in (evaluation.scores or {}).items()}
            assert sent_scores[run.id, evaluation.question_id] == stored
    assert {reference for reference, _ in study.scorer.scored} == {"soil", *TEXTS[:2]}


def test_no_text_is_sent_unless_that_was_set():
    _, without = sent(counting())
    names = {name for spans in without for span in spans for name in span.attributes}
    assert not [name for name in names if any(part in name for part in TEXT)]
    values = str([span for spans in without for span in spans])
    assert not [text for text in (*QUESTIONS, *TEXTS) if text in values]
    _, with_texts = sent(counting(), with_texts=True)
    steps = [by_kind(spans) for spans in with_texts]
    first = next(each for each in steps if each["CHAIN"].attributes["input.value"] == QUESTIONS[0] and "LLM" in each)
    assert first["CHAIN"].attributes["output.value"] == TEXTS[0]
    assert first["RETRIEVER"].attributes["input.value"] == QUESTIONS[0]
    assert first["RETRIEVER"].attributes["retrieval.documents.0.document.content"] == TEXTS[0]
    assert first["LLM"].attributes["output.value"] == TEXTS[0]
    assert QUESTIONS[0] in first["LLM"].attributes["input.value"]
    assert first["LLM"].attributes["llm.input_messages.0.message.content"] == first["LLM"].attributes["input.value"]
    assert first["EVALUATOR"].attributes["input.value"] == TEXTS[0]


@pytest.mark.parametrize("with_texts", [False, True])
def test_a_question_that_fails_is_a_trace_that_failed(with_texts):
    def refuses(_: object) -> str:
        raise GenerationError("The server said no.", reason="refused")

    _, traces = sent(Study(chat_model=FakeChatModel(refuses)), with_texts=with_texts)
    # Nothing is asked at .99, and the circuit breaker holds a model that fails again and again.
    failed = [chain for chain, *_ in traces if chain.status == ERROR]
    assert failed
    assert {chain.said for chain in failed} == {"The server said no." if with_texts else ""}


@pytest.mark.parametrize("answers", ["gone", "never", "redirect"])
def test_a_receiver_that_fails_costs_no_question_and_no_other_address_is_asked(answers):
    with OtlpReceiver() as elsewhere, OtlpReceiver(answers, f"{elsewhere.url}/v1/traces") as receiver:
        url = f"http://127.0.0.1:{free_port()}" if answers == "gone" else receiver.url
        with traced(counting(), url) as run:
            sweep = run()
            assert [run.counts.scored for run in sweep.runs] == [6, 6, 6, 6]
            began = time.monotonic()
        assert time.monotonic() - began < STOPS_WITHIN_S
        assert elsewhere.requests == []
        assert bool(receiver.requests) == (answers != "gone")


def test_what_waits_for_a_slow_receiver_is_bounded():
    moment = datetime(2026, 11, 24, tzinfo=UTC)
    trace = QuestionTrace(span=Span(moment, moment), question="?", model=Model(), asked=None)
    with OtlpReceiver("late") as receiver:
        with closing(OtlpTraces(receiver.url, with_texts=False, version="1.2")) as traces:
            for _ in range(5000):
                traces.record(trace)
            receiver.released.set()
        # 2,048 wait at most, and one batch of 512 may be on its way.
        assert 2048 <= len(receiver.spans) <= 2048 + 512


def test_a_key_in_the_environment_reaches_the_receiver_and_no_proxy_does(monkeypatch):
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_HEADERS", "authorization=Bearer%20key")
    monkeypatch.setenv("http_proxy", f"http://127.0.0.1:{free_port()}")
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", f"http://127.0.0.1:{free_port()}")
    with OtlpReceiver() as receiver:
        with traced(counting(), f"{receiver.url}/v1/traces/") as run:
            run()
        [(path, _, headers), *_] = receiver.requests
    assert path == "/v1/traces"
    assert {name.lower(): value for name, value in headers.items()}["authorization"] == "Bearer key"
    assert len(receiver.traces()) == 24


@pytest.mark.parametrize("address", ["localhost:4318", "http://user:key@host", "ftp://host", "http://host?a=b"])
def test_an_address_that_cannot_be_one_is_refused(monkeypatch, address):
    monkeypatch.setenv("PASSER_OTLP_ENDPOINT", address)
    with pytest.raises(ConfigError, match="PASSER_OTLP_ENDPOINT"):
        Settings.of_environment()
