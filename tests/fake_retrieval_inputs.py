"""A fake of the store of imported rankings, grades and term maps."""

from __future__ import annotations

from collections.abc import Sequence

from passer.domain.retrieval.inputs import InputKind, InputSummary, StoredInput
from passer.domain.retrieval.passages import Passage
from passer.errors import NotFoundError
from passer.ports.datasets import S


class FakeRetrievalInputs:
    """Inputs in memory."""

    def __init__(self) -> None:
        self._passages: dict[str, Passage] = {}
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

    def keep_passages(self, passages: Sequence[Passage]) -> None:
        self._passages |= {each.id: each for each in passages}

    def kept_passages(self, ids: Sequence[str]) -> dict[str, Passage]:
        return {each: self._passages[each] for each in ids if each in self._passages}
