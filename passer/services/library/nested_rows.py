"""Rows whose question, answer and reference are members of objects, as LangSmith, MLflow, Phoenix and others export."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from passer.domain.models.outside import ANSWERS, PASSAGES
from passer.services.library.column_mapping import ALIASES
from passer.services.library.column_names import plain_name
from passer.services.library.listed_texts import OF_ANSWERS
from passer.services.library.trace_answers import Numbered

_TEXTS = {"inputs": "question", "outputs": "answer"}
"""Columns of MLflow, which may hold texts instead of objects."""
_EXPECTED = ("reference_output", "reference_outputs", "expectations")
_OF_REFERENCES = (*_EXPECTED, "reference")
_AROUND = (*_TEXTS, *_EXPECTED, "vars", "fields", "item", "row", "data", "response")
"""Columns whose objects have the texts: `vars` and `response` of Promptfoo, `fields` of Argilla, `data` of Label
Studio, `item` of OpenAI's evaluations, `row` of Hugging Face."""
_BEFORE_DOTS = (*_TEXTS, *_OF_REFERENCES, "input", "output")
"""Names before the dot of a column, such as `inputs.question` of LangSmith's CSV."""
_AS_JSON = (*_TEXTS, *_EXPECTED)
"""Columns whose cells may have an object as JSON; in others it may be the answer itself."""
_KNOWN = frozenset((*ANSWERS, *PASSAGES, *(alias for aliases in ALIASES.values() for alias in aliases)))


_OF_EXAMPLES = frozenset(("id", "example_id", "input", "output", "metadata", "created_at", "updated_at", "splits"))
"""Columns of Phoenix's datasets; their CSV has columns such as `input_question` and `output_answer` instead."""


def examples(rows: Sequence[Numbered]) -> list[Numbered] | None:
    """Return the rows of a dataset of Phoenix, whose outputs are references; None for another file."""
    columns = {column for _, row in rows for column in row}
    if "example_id" in columns and all(
        any(each.startswith(name) for each in columns) for name in ("input_", "output_")
    ):
        rows = [(number, _by_prefix(row)) for number, row in rows]
    elif not (columns >= {"input", "output", "metadata"} and columns <= _OF_EXAMPLES):
        return None
    found: list[Numbered] = []
    for number, row in rows:
        asked, wanted = (_object(row.get(name), is_json=True) for name in ("input", "output"))
        # Of texts, the outputs may as well be what a system answered.
        if asked is None or wanted is None:
            return None
        own = row.get("id", row.get("example_id"))
        found.append((number, {"id": own, "input": asked, "reference_output": wanted}))
    return found


def _by_prefix(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a row with its columns `input_question` and `output_answer` as members of objects."""
    objects = {
        around: {name.removeprefix(f"{around}_"): cell for name, cell in row.items() if name.startswith(f"{around}_")}
        for around in ("input", "output")
    }
    return {"example_id": row.get("example_id"), **objects}


def unnested(rows: Sequence[Numbered]) -> list[Numbered]:
    """Return rows with the known members of such objects as columns, and the others as `inputs.topic`.

    An object may be the JSON of a cell, or columns with its name before a dot. A column that has the name of a member
    keeps its value.
    """
    return [(number, _unnested(row)) for number, row in rows]


def _unnested(row: Mapping[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    # Without a reference, such objects are those of traces.
    names = (*_AROUND, "input") if "reference_output" in row else _AROUND
    for name, value in row.items():
        around, _, member = name.partition(".")
        if member and around in _BEFORE_DOTS:
            _add(found, around, {member: value})
        elif name in names and (inner := _object(value, is_json=name in _AS_JSON)) is not None:
            _add(found, name, inner)
        else:
            found[_TEXTS.get(name, name) if _is_text(value) else name] = value
    return {**found, **{name: value for name, value in row.items() if name in found}}


def _add(found: dict[str, Any], around: str, members: Mapping[str, Any]) -> None:
    """Add the members of an object to a row."""
    for name, value in members.items():
        known = plain_name(name) in _KNOWN
        if around in _OF_REFERENCES and (known or name in OF_ANSWERS or len(members) == 1):
            found.setdefault("reference", value)
        else:
            found.setdefault(name if known else f"{around}.{name}", value)


def _is_text(value: Any) -> bool:
    """Return whether a value is a text that does not look like JSON."""
    return isinstance(value, str) and value.lstrip()[:1] not in ("{", "[")


def _object(value: Any, *, is_json: bool) -> dict[str, Any] | None:
    """Return an object, also one in JSON; None for another value."""
    if is_json and isinstance(value, str) and value.lstrip().startswith("{"):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            return None
    return value if isinstance(value, dict) else None
