"""Exports of traces become questions with weights. The rows have the forms that the tools document."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import Any

import pytest

from passer.domain.dataset import Dataset
from tests.services.library.question_files import load, preview, refusal

SOIL, BEES = "What fixes nitrogen?", "Who counted the bees?"


def phoenix(text: str, *, parent: str | None = None) -> dict[str, Any]:
    """A row of `client.spans.get_spans_dataframe()`, as its table is saved."""
    return {
        "context.span_id": "51b33d5e6a1f", "context.trace_id": "1f6c2b", "parent_id": parent, "name": "query",
        "span_kind": "CHAIN", "attributes.input.value": text, "attributes.output.value": "Clover.",
    }  # fmt: skip


def span(attributes: dict[str, Any], parent: str = "") -> dict[str, Any]:
    """A span of OpenInference in JSON Lines."""
    return {"name": "query", "context": {"span_id": "51b3"}, "parent_id": parent, "attributes": attributes}


def trace(asked: Any, **more: Any) -> dict[str, Any]:
    """A trace as Langfuse exports it."""
    return {
        "id": "cloudtrace", "name": "chat", "input": asked, "output": "Clover.", "sessionId": "s1", "userId": None,
        "observations": [], "latency": 1.2, "totalCost": 0, "timestamp": "2026-03-01T10:00:00Z",
    } | more  # fmt: skip


FILES: dict[str, list[dict[str, Any]]] = {
    "columns of Phoenix": [
        phoenix(SOIL),
        phoenix("You are an assistant. What fixes nitrogen?", parent="51b33d5e6a1f"),
        phoenix(json.dumps({"query": BEES})),
        phoenix(f"  {SOIL}\n"),
    ],
    "nested attributes": [
        span({"input": {"value": json.dumps({"messages": [{"role": "user", "content": SOIL}]})}}),
        span({"input.value": BEES, "openinference.span.kind": "CHAIN"}),
        span({"input": {"value": "embed"}}, parent="51b3"),
        span({"input.value": SOIL}),
    ],
    "traces of Langfuse": [
        trace({"question": SOIL}),
        trace([{"role": "system", "content": "Be brief."}, {"role": "user", "content": BEES}]),
        trace(SOIL),
    ],
    "observations of Langfuse": [
        {"id": "o1", "traceId": "t1", "parentObservationId": None, "type": "SPAN", "input": {"args": [SOIL]}},
        {"id": "o2", "traceId": "t1", "parentObservationId": "o1", "type": "GENERATION", "input": "The prompt."},
        {"id": "o3", "traceId": "t2", "parentObservationId": None, "type": "SPAN", "input": {"args": [BEES]}},
        {"id": "o4", "traceId": "t3", "parentObservationId": None, "type": "SPAN", "input": SOIL},
    ],
}


def lines(rows: list[dict[str, Any]]) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


def asked(dataset: Dataset) -> list[tuple[str, float | None]]:
    return [(question.text, question.weight) for question in dataset.questions]


@pytest.mark.parametrize("name", FILES)
def test_each_question_once_with_how_often_it_was_asked(name: str) -> None:
    dataset = load(lines(FILES[name]), "traces.jsonl")
    assert asked(dataset) == [(SOIL, 2.0), (BEES, 1.0)]
    assert dataset.questions[0].id == "t-" + sha256(SOIL.encode()).hexdigest()[:12]
    assert {question.reference for question in dataset.questions} == {""}


def test_a_table_of_phoenix_is_read_whatever_marks_no_parent() -> None:
    header = "context.span_id,parent_id,attributes.input.value\n"
    dataset = load(f'{header}a,,"{SOIL}"\nb,a,"{BEES}"\nc,,{SOIL}\n', "spans.csv")
    assert asked(dataset) == [(SOIL, 2.0)]


def test_the_preview_says_what_the_traces_became_and_confirms_it() -> None:
    text = lines(FILES["traces of Langfuse"])
    seen = preview(text, "traces.jsonl")
    assert seen.mapping.columns == {"id": "id", "question": "question", "weight": "weight"}
    assert seen.mapping.notes[0].startswith("3 requests in the traces became 2 questions.")
    assert not seen.problems
    assert asked(load(text, "traces.jsonl", mapping=seen.mapping)) == [(SOIL, 2.0), (BEES, 1.0)]


def test_a_trace_without_a_question_is_named_by_its_row_and_may_be_skipped() -> None:
    text = lines([trace(SOIL), trace({"image": "cat.png"}), trace(None)])
    refused = refusal(text, "traces.jsonl")
    assert [(each.row, each.field) for each in refused.problems] == [(2, "question"), (3, "question")]
    assert asked(load(text, "traces.jsonl", skip_bad_rows=True)) == [(SOIL, 1.0)]


def test_steps_of_answers_alone_are_no_questions() -> None:
    for row in (phoenix(SOIL, parent="a"), span({"input": {"value": SOIL}}, parent="a")):
        assert "has a parent" in refusal(lines([row]), "spans.jsonl").message


def test_a_request_without_an_input_is_named_although_its_steps_have_one() -> None:
    text = lines([span({}), span({"input": {"value": SOIL}}, parent="a")])
    assert [(each.row, each.field) for each in refusal(text, "spans.jsonl").problems] == [(1, "question")]


def test_a_file_of_questions_is_no_file_of_traces() -> None:
    rows = [{"input": SOIL, "expected_output": "Clover.", "sessionId": "s"}, {"input": SOIL, "expected_output": "It."}]
    dataset = load(lines(rows), "goldens.jsonl", ignore_columns=["sessionId"])
    assert [question.reference for question in dataset.questions] == ["Clover.", "It."]
    other = [{"question": SOIL, "reference": "Clover.", "attributes": {"level": 1}}]
    assert asked(load(lines(other), "own.jsonl", ignore_columns=["attributes"])) == [(SOIL, None)]
