"""Differences between compared runs: the settings varied on purpose, and those that changed with them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from passer.domain.base import Frozen
from passer.domain.wording.catalogue import catalogue
from passer.domain.wording.sentence import Sentence, sentence

SHOWN = 20
"""Most distinct values of a field that are listed; all are counted."""
NAMED = 8
"""Most fields that a sentence names."""


class DifferingField(Frozen):
    """A field of configuration or conditions that is not the same in all runs."""

    field: str
    """Path, with dots."""
    values: tuple[str, ...]
    """The first distinct values, in the order of the runs; `-` where a run has none."""


def flattened(value: Mapping[str, Any], *, under: str = "") -> dict[str, str]:
    """Return the fields of nested objects as text, by path; None values are omitted."""
    found: dict[str, str] = {}
    for name, item in value.items():
        path = f"{under}.{name}" if under else name
        if isinstance(item, Mapping):
            found |= flattened(item, under=path)
        elif item is not None:
            found[path] = str(item)
    return found


def differing_fields(described: Sequence[Mapping[str, str]]) -> tuple[DifferingField, ...]:
    """Return the fields in which descriptions differ, in the order of their first occurrence."""
    found = []
    for field in dict.fromkeys(name for one in described for name in one):
        values = dict.fromkeys(one.get(field, "-") for one in described)
        if len(values) > 1:
            found.append(DifferingField(field=field, values=tuple(values)[:SHOWN]))
    return tuple(found)


def _named(path: str) -> str:
    """Return a field in words: by its last part, else by its first, else its path."""
    parts = path.removeprefix("scored_by.").removeprefix("conditions.").split(".")
    known = next((part for part in (parts[-1], parts[0]) if f"field.{part}" in catalogue("en")), None)
    return sentence(f"field.{known}") if known else " ".join(parts).replace("_", " ")


def control_statement(fields: Iterable[str], *, studied: Sequence[str]) -> Sentence:
    """Return `controlled: only X differs` or `confounded by ...`; differences in the `studied` fields are intended."""
    named = list(dict.fromkeys(fields))
    beside = [field for field in named if not any(field == path or field.startswith(f"{path}.") for path in studied)]
    if beside:
        shown, more = tuple(map(_named, beside[:NAMED])), len(beside) - NAMED
        if more > 0:
            return sentence("control.confounded-more", fields=shown, more=more)
        return sentence("control.confounded", fields=shown)
    if not named:
        return sentence("control.same")
    whole = tuple(path for path in studied if any(field == path or field.startswith(f"{path}.") for field in named))
    return sentence("control.studied", fields=tuple(map(_named, whole)), n=len(whole))
