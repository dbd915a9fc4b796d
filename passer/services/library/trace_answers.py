"""Exports of traces as rows of answers: question, answer and retrieved passages of each whole trace."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from passer.domain.models.outside import ANSWERS, PASSAGES
from passer.services.library.trace_rows import DEEPEST, INPUT, Numbered, asked_in, input_of, is_empty, is_root

TRACES = ("context.trace_id", "trace_id", "traceId")
"""Columns with the trace of a span."""
ANSWER_MEMBERS = (*ANSWERS, "text", "messages", "message", "choices", "kwargs")
"""Members of a recorded output that contain the answer, in the order in which they are looked for."""


def answers_of_traces(rows: Sequence[Numbered]) -> Sequence[Numbered]:
    """Return one row of question, answer and passages for each trace; rows of files without traces as they are.

    Spans of OpenInference (flat columns, or nested `attributes`) are recognised, and rows whose `input` is no text or
    that Langfuse exports. A step with a parent answers nothing, unless the file has only steps; what it retrieved
    belongs to its trace.
    """
    if not any(_is_trace(row) for _, row in rows):
        return rows
    retrieved: dict[str, list[Any]] = {}
    for _, row in rows:
        if documents := _documents(row):
            retrieved.setdefault(_trace(row), documents)
    whole = [(number, row) for number, row in rows if is_root(row)] or rows
    return [(number, _answered(row, retrieved)) for number, row in whole]


def _is_trace(row: Mapping[str, Any]) -> bool:
    has_both = "input" in row and "output" in row
    return INPUT in row or isinstance(row.get("attributes"), Mapping) or (has_both and not _is_text(row))


def _is_text(row: Mapping[str, Any]) -> bool:
    return isinstance(row["input"], str) and row["input"].lstrip()[:1] not in ("{", "[")


def _answered(row: Mapping[str, Any], retrieved: Mapping[str, list[Any]]) -> dict[str, Any]:
    output = _attribute(row, "output", "value") if "output" not in row else row["output"]
    inner = _parsed(output)
    stated = inner if isinstance(inner, Mapping) else {}
    passages = retrieved.get(_trace(row)) or next((stated[name] for name in PASSAGES if name in stated), None)
    kept = {name: value for name, value in row.items() if name in ("id", "question_id", "qid", *PASSAGES)}
    more = {} if passages is None else {"passages": passages}
    return {**kept, "question": asked_in(input_of(row)), "answer": _answer_in(output), **more}


def _answer_in(value: Any, depth: int = 0) -> Any:
    """Return the answer in a recorded output: a text, a member of its JSON, or the last message; None without one."""
    inner = _parsed(value)
    if depth > DEEPEST or isinstance(inner, str):
        return inner if isinstance(inner, str) else None
    if isinstance(inner, Mapping):
        parts: list[Any] = [inner[name] for name in ANSWER_MEMBERS if name in inner]
    else:
        parts = list(reversed(inner)) if isinstance(inner, Sequence) else []
    found = next((said for part in parts if (said := _answer_in(part, depth + 1))), None)
    # JSON without such a member is what the system answered.
    return value if found is None and isinstance(value, str) else found


def _parsed(value: Any) -> Any:
    """Return the object or list that a text holds as JSON; any other value as it is."""
    if not isinstance(value, str) or value.lstrip()[:1] not in ("{", "["):
        return value
    try:
        found = json.loads(value)
    except (ValueError, RecursionError):
        return value
    return found if isinstance(found, dict | list) else value


def _attribute(row: Mapping[str, Any], *path: str) -> Any:
    """Return an attribute of a span, whose names are joined by dots or nested."""
    name = ".".join(path)
    if f"attributes.{name}" in row:
        return row[f"attributes.{name}"]
    inner: Any = row.get("attributes")
    if isinstance(inner, Mapping) and name in inner:
        return inner[name]
    for part in path:
        inner = inner.get(part) if isinstance(inner, Mapping) else None
    return inner


def _documents(row: Mapping[str, Any]) -> list[Any]:
    """Return the passages that a span retrieved; their members have the prefix `document`, joined or nested."""
    found = _parsed(_attribute(row, "retrieval", "documents"))
    if is_empty(found) or not isinstance(found, Sequence) or isinstance(found, str):
        return []
    return [_document(each) for each in found]


def _document(value: Any) -> Any:
    if not isinstance(value, Mapping):
        return value
    inner = value.get("document")
    members = inner if isinstance(inner, Mapping) else value
    return {str(name).removeprefix("document."): each for name, each in members.items()}


def _trace(row: Mapping[str, Any]) -> str:
    context = row.get("context")
    nested = context.get("trace_id") if isinstance(context, Mapping) else None
    return str(next((row[name] for name in TRACES if not is_empty(row.get(name))), nested))
