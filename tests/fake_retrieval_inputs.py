"""A fake of the store of imported rankings, grades and term maps."""

from __future__ import annotations

from passer.domain.retrieval.inputs import InputKind, InputSummary, StoredInput
from passer.errors import NotFoundError
from passer.ports.datasets import S


class FakeRetrievalInputs:
    """Inputs in memory."""

    def __init__(self) -> None:
        self._kept: dict[tuple[str, str], StoredInput] = {}

    def list_inputs(self, *kinds: InputKind) -> list[InputSummary]:
        return [each.summary for (kind, _), each in sorted(self._kept.items()) if kind in kinds]

    def find(self, form: type[S], name: str) -> S:
        found = self._kept.get((form.kind, name))
        if not isinstance(found, form):
            raise NotFoundError(f"There is no {form.kind} {name}.")
        return found

    def save(self, stored: StoredInput) -> InputSummary:
        self._kept[stored.kind, stored.name] = stored
        return stored.summary

    def delete(self, kind: InputKind, name: str) -> None:
        if self._kept.pop((kind, name), None) is None:
            raise NotFoundError(f"There is no {kind} {name}.")
