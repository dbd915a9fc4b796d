"""Numbers of methods.md with links to the values that they show."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from passer.domain.bundle.documents import Violation
from passer.domain.study.table import NUMBER

MINUS = "\N{MINUS SIGN}"
_LINK = re.compile(r"\[([^\[\]\n]*)\]\((table\.csv#cell=([0-9]{1,6}),([0-9]{1,4})|(study|verdict)\.json#(/[^()\s]*))\)")
_PLACE = re.compile(r"0|[1-9][0-9]{0,8}")
_SHOWN = re.compile(r"-?[0-9]+(?:\.([0-9]+))?\Z")
_ROUNDED = 1e-9
"""Slack of a number that is shown rounded."""


def wrong_link(text: str, cells: Sequence[Sequence[str]], documents: Mapping[str, Any]) -> Violation | None:
    """Return the first number that is not the value that it links to; `cells` are table.csv with its header.

    `documents` are study.json and verdict.json as JSON, by name.
    """
    found = list(_LINK.finditer(text))
    for link in found:
        shown, target, row, column, name, pointer = link.groups()
        value = _cell(cells, int(row), int(column)) if row else _member(documents.get(f"{name}.json"), pointer)
        if not _shows(shown, value):
            return Violation(f"It shows {shown} for {target}, which does not follow.", field=target)
    return None if found else Violation("It links to no value.")


def _shows(shown: str, value: Any) -> bool:
    """Return whether a text shows a value: a number rounded to its digits, or the same words."""
    if isinstance(value, bool) or value is None:
        return False
    written = shown.replace(MINUS, "-")
    match = _SHOWN.match(written)
    if match is None:
        return isinstance(value, str) and shown == value.replace("_", " ")
    if not (isinstance(value, int | float) or (isinstance(value, str) and NUMBER.match(value))):
        return False
    return abs(float(written) - float(value)) <= 0.5 * 10.0 ** -len(match[1] or "") + _ROUNDED


def _cell(cells: Sequence[Sequence[str]], row: int, column: int) -> str | None:
    is_inside = 1 <= row <= len(cells) and 1 <= column <= len(cells[0])
    return cells[row - 1][column - 1] if is_inside else None


def _member(value: Any, pointer: str) -> Any:
    """Return what a JSON pointer without escapes leads to; None where it leads nowhere."""
    for part in pointer.split("/")[1:]:
        if isinstance(value, dict):
            value = value.get(part)
        elif isinstance(value, list) and _PLACE.fullmatch(part) and int(part) < len(value):
            value = value[int(part)]
        else:
            return None
    return value
