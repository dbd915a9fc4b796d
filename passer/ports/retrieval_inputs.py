"""Rankings, grades and maps of terms that were imported."""

from __future__ import annotations

from typing import Protocol, TypeVar

from passer.domain.retrieval_inputs import InputKind, InputSummary, StoredInput

S = TypeVar("S", bound=StoredInput)


class RetrievalInputStore(Protocol):
    """Inputs of retrieval by kind and name."""

    def list_inputs(self, *kinds: InputKind) -> list[InputSummary]:
        """Return those of some kinds, sorted by kind and name."""

    def find(self, form: type[S], name: str) -> S:
        """Return one of a form with its content; NotFoundError if there is none of this name."""

    def save(self, stored: StoredInput) -> InputSummary:
        """Add it, or replace the one of that kind and name."""

    def delete(self, kind: InputKind, name: str) -> None:
        """Delete it; NotFoundError."""
