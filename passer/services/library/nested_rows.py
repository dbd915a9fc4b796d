"""Rows whose question, answer and reference are members of objects, as LangSmith, MLflow, Phoenix and others export."""

from __future__ import annotations

import json
import re
from collections.abc import Container, Mapping, Sequence
from typing import Any

from passer.domain.base import storable
from passer.domain.models.outside import ANSWERS, PASSAGES
from passer.services.library.column_mapping import ALIASES
from passer.services.library.column_names import plain_name, renamed
from passer.services.library.listed_texts import OF_ANSWERS
from passer.services.library.trace_answers import Numbered

_TEXTS = {"inputs": "question", "outputs": "answer"}
"""Columns of MLflow, which may hold texts instead of objects."""
_EXPECTED = ("reference_output", "reference_outputs", "expectations", "expected_output", "expectedOutput", "expected")
_OF_REFERENCES = (*_EXPECTED, "reference")
_AROUND = (*_TEXTS, *_EXPECTED, "vars", "fields", "item", "row", "data", "response")
"""Columns whose objects have the texts: `vars` and `response` of Promptfoo, `fields` of Argilla, `data` of Label
Studio, `item` of OpenAI's evaluations, `row` of Hugging Face."""
_BEFORE_DOTS = (*_TEXTS, *_OF_REFERENCES, "input", "output")
"""Names before the dot of a column, such as `inputs.question` of LangSmith's CSV."""
_AS_JSON = (*_TEXTS, *_EXPECTED)
"""Columns whose cells may have an object as JSON; in others it may be the answer itself."""
_KNOWN = frozenset((*ANSWERS, *PASSAGES, *(alias for aliases in ALIASES.values() for alias in aliases)))
_HAS_VERDICT = re.compile(r"\[(?:PASS|FAIL|ERROR)\] ")
_VERDICT = re.compile(r"^\[PASS\] |^\[FAIL\] (?:.*?\n---\n)?", re.DOTALL)
"""The verdict of Promptfoo and its reason, before an answer; behind an error there is none."""
_OF_EXAMPLES = frozenset(("id", "example_id", "input", "output", "metadata", "created_at", "updated_at", "splits"))
"""Columns of Phoenix's datasets; their CSV has columns such as `input_question` and `output_answer` instead."""


def examples(rows: Sequence[Numbered]) -> list[Numbered] | None:
    """Return the rows of a dataset of Phoenix, whose outputs are references; None for another file."""
    columns = _names(rows)
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
        with_id = {} if own is None else {"id": own}
        found.append((number, {**with_id, "input": asked, "reference_output": wanted}))
    return found


def with_chosen(
    rows: Sequence[Numbered], columns: Mapping[str, str], aliases: Mapping[str, Sequence[str]]
) -> list[Numbered]:
    """Return unnested rows with chosen columns under the names by which they are read; see `renamed`.

    A chosen column is one of the file, or a member of an object as `unnested` names it. Outputs of a dataset of Phoenix
    may be chosen too.
    """
    asked = examples(rows)
    if asked is not None:
        rows = unnested(asked)
        columns = {name: _in_examples(column, _names(rows)) for name, column in columns.items()}
    of_file = _names(rows)
    for is_member in (False, True):
        chosen = {name: column for name, column in columns.items() if (column not in of_file) is is_member}
        found = renamed([row for _, row in rows], chosen, aliases)
        rows = unnested([(number, row) for (number, _), row in zip(rows, found, strict=True)])
    return list(rows)


def _names(rows: Sequence[Numbered]) -> set[str]:
    return {column for _, row in rows for column in row}


def _in_examples(column: str, known: Container[str]) -> str:
    """Return the name that `examples` and `unnested` give a column such as `output` or `output_answer`."""
    around, member = (*re.split(r"[_.]", column, maxsplit=1), "")[:2]
    whole = {"input": "question", "output": "reference"}.get(around, column)
    return next((each for each in (column, f"input.{member}", f"reference_output.{member}") if each in known), whole)


def _by_prefix(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a row with its columns `input_question` and `output_answer` as members of objects."""
    objects = {
        around: {name.removeprefix(f"{around}_"): cell for name, cell in row.items() if name.startswith(f"{around}_")}
        for around in ("input", "output")
    }
    return {"example_id": row.get("example_id"), **objects}


def without_verdicts(rows: Sequence[Numbered]) -> list[Numbered]:
    """Return rows of answers without the verdict, and its reason, that Promptfoo writes before each in a CSV."""
    texts = [row[name] for _, row in rows for name in ANSWERS if isinstance(row.get(name), str)]
    if not texts or not all(map(_HAS_VERDICT.match, texts)):
        return list(rows)
    return [
        (
            number,
            {
                name: _VERDICT.sub("", cell) if name in ANSWERS and isinstance(cell, str) else cell
                for name, cell in row.items()
            },
        )
        for number, row in rows
    ]


def unnested(rows: Sequence[Numbered]) -> list[Numbered]:
    """Return rows with the known members of such objects as columns, and the others as `inputs.topic`.

    An object may be the JSON of a cell, or columns with its name before a dot. A column that has the name of a member
    keeps its value.
    """
    return [(number, _unnested(row)) for number, row in rows]


def _unnested(row: Mapping[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    # Without a reference, such objects are those of traces.
    has_reference = any(_object(row.get(name), is_json=True) is not None for name in _EXPECTED)
    names = (*_AROUND, "input") if has_reference else _AROUND
    for name, value in row.items():
        around, _, member = name.partition(".")
        if member and around in _BEFORE_DOTS:
            _add(found, around, {member: value})
        elif name in names and (inner := _object(value, is_json=name in _AS_JSON or has_reference)) is not None:
            _add(found, name, inner)
        else:
            found[_TEXTS.get(name, name) if _is_text(value) else name] = value
    return {**found, **{name: value for name, value in row.items() if name in found}}


def _add(found: dict[str, Any], around: str, members: Mapping[str, Any]) -> None:
    """Add the members of an object to a row."""
    for given, value in members.items():
        name = storable(given)
        known = plain_name(name) in _KNOWN
        is_passages = plain_name(name) in PASSAGES
        if around in _OF_REFERENCES and not is_passages and (known or name in OF_ANSWERS or len(members) == 1):
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
