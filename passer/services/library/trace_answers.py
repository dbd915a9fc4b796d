"""Exports of traces as rows of questions, and as rows of answers with the retrieved passages of each trace."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any

from passer.domain.models.outside import ANSWERS, PASSAGES
from passer.domain.wording.sentence import sentence
from passer.errors import DatasetError

Numbered = tuple[int, Mapping[str, Any]]
INPUT = "attributes.input.value"
"""Column of the spans that Phoenix and other OpenInference tools export."""
OF_LANGFUSE = frozenset(
    {
        *("observations", "htmlPath", "traceId", "sessionId", "parentObservationId"),
        *("trace_id", "session_id", "parent_observation_id"),
    }
)
"""Columns that Langfuse exports beside `input`, with the names of its interface and of its Python package."""
OF_LANGSMITH = frozenset({"inputs", "outputs"})
"""Columns of LangSmith's exports, whose cells are objects."""
PARENTS = ("parent_id", "parentObservationId", "parent_observation_id")
ASKED = ("question", "user_input", "query", "input", "text", "content", "messages", "kwargs", "args")
"""Members of a recorded input that contain the question, in the order in which they are looked for."""
RECORDED = ("input", "output")
"""Columns of what a system received and returned."""
NOT_OF_TRACES = ("question", "reference", "expected_output", "ground_truth")
"""Columns of files of questions, which traces do not have."""
DEEPEST = 8


def unquoted(rows: Sequence[Numbered]) -> list[Numbered]:
    """Return the rows with the texts of inputs and outputs that are JSON, as Langfuse and TruLens write them in a CSV.

    A text beside objects then is "Why?" with its quotation marks. A column is JSON if all of its texts are.
    """
    columns = [column for column in RECORDED if _is_json([row[column] for _, row in rows if column in row])]
    return [(number, {**row, **{name: _text_of(row[name]) for name in columns if name in row}}) for number, row in rows]


def _is_json(cells: Sequence[Any]) -> bool:
    """Return whether some cells are texts in quotation marks, and the others objects or lists, or empty."""
    texts = [cell.strip() for cell in cells if isinstance(cell, str) and cell.strip()]
    return any(isinstance(_text_of(each), str) and _text_of(each) != each for each in texts) and all(
        each.startswith(("{", "[")) or _text_of(each) != each for each in texts
    )


def _text_of(cell: Any) -> Any:
    """Return the text that a cell contains as JSON, between quotation marks; any other cell as it is."""
    if not isinstance(cell, str) or not cell.strip().startswith('"'):
        return cell
    try:
        return json.loads(cell)
    except ValueError:
        return cell


def questions_of_traces(rows: Sequence[Numbered]) -> tuple[list[Numbered], str] | None:
    """Return the questions of a file of traces with a note, or None for any other file.

    Spans of OpenInference (flat columns, or nested `attributes`), and traces or observations of Langfuse are
    recognised. What has a parent is a step of an answer and no question. Equal texts become one row; its `weight` is
    how often it was asked, its `id` depends on its text alone, so that a later export has the same ids. A recorded
    input without a question becomes a row with a blank one, which the import refuses with its number. DatasetError
    where every span has a parent.
    """
    columns = {column for _, row in rows for column in row}
    if columns & {*NOT_OF_TRACES}:
        return None
    if INPUT not in columns and "attributes" not in columns and not ("input" in columns and columns & OF_LANGFUSE):
        return None
    # Files of other tools may have a column of that name too.
    if "attributes" in columns and all(is_empty(input_of(row)) for _, row in rows):
        return None
    inputs = [(number, input_of(row)) for number, row in rows if is_root(row)]
    if not inputs:
        raise DatasetError(sentence("dataset.traces-parents"))
    found: dict[str, tuple[int, int]] = {}
    blank: list[Numbered] = []
    for number, value in inputs:
        text = " ".join(asked_in(value).split())
        if text:
            first, times = found.get(text, (number, 0))
            found[text] = first, times + 1
        else:
            blank.append((number, {"id": f"row-{number}", "question": "", "weight": 1}))
    asked = [
        (number, {"id": _id_of(text), "question": text, "weight": times}) for text, (number, times) in found.items()
    ]
    note = sentence("dataset.traces", requests=len(inputs) - len(blank), n=len(asked))
    return sorted([*asked, *blank], key=lambda each: each[0]), note


def _id_of(text: str) -> str:
    # JSON may have halves of characters, which the import refuses with their row.
    return f"t-{sha256(text.encode(errors='surrogatepass')).hexdigest()[:12]}"


def is_root(row: Mapping[str, Any]) -> bool:
    """Return whether a span or observation has no parent."""
    return all(is_empty(row.get(name)) for name in PARENTS)


def input_of(row: Mapping[str, Any]) -> Any:
    """Return what a span or trace recorded as its input; None where it recorded none."""
    if INPUT in row:
        return row[INPUT]
    attributes = row.get("attributes")
    if isinstance(attributes, Mapping):
        nested = attributes.get("input")
        return attributes.get("input.value") or (nested.get("value") if isinstance(nested, Mapping) else nested)
    return row.get("input")


def is_empty(value: Any) -> bool:
    """Return whether a cell is empty."""
    # Tables of pandas write a missing text as a number that is none.
    return value is None or value == "" or (isinstance(value, float) and math.isnan(value))


def asked_in(value: Any, depth: int = 0) -> str:
    """Return the question in a recorded input, or "": a text, its JSON, a member of it, or the user's last message."""
    if depth > DEEPEST:
        return ""
    if isinstance(value, str):
        if value.lstrip()[:1] not in ("{", "["):
            return value
        try:
            return asked_in(json.loads(value), depth + 1)
        except (ValueError, RecursionError):
            return value
    if isinstance(value, Mapping):
        return next(filter(None, (asked_in(value[name], depth + 1) for name in ASKED if name in value)), "")
    if isinstance(value, Sequence):
        users = [each for each in value if not isinstance(each, Mapping) or each.get("role", "user") == "user"]
        return next(filter(None, (asked_in(each, depth + 1) for each in reversed(users))), "")
    return ""


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
