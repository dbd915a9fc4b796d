"""Stores of datasets, imported result sheets, and imported rankings, grades and maps of terms."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol, TypeVar

from passer.domain.base import Frozen
from passer.domain.dataset import Dataset
from passer.domain.retrieval.inputs import InputKind, InputSummary, StoredInput
from passer.domain.retrieval.passages import Passage
from passer.domain.sheets.sheet import SheetImport


class ImportSummary(Frozen):
    """An import in a list."""

    id: str
    """Unique."""
    name: str
    """Name of the folder it was imported from."""
    created_at: datetime
    """UTC."""
    models: tuple[str, ...]
    """Model names as in the folders."""
    sheets: int
    """Number of sheets."""
    rows: int
    """Rows with scores, over all sheets."""
    defects: int
    """Audit findings that change results."""
    dataset: str | None = None
    """Dataset that the questions were checked against; None without one."""


class ImportStore(Protocol):
    """Store of imported result sheets."""

    def save_import(self, imported: SheetImport) -> None:
        """Save an import with all its sheets in one transaction. A known id gets the new name and audit."""

    def load_import(self, import_id: str, *, with_answers: bool = True, path: str | None = None) -> SheetImport:
        """Load an import with all sheets or the one at `path`. Answers are long, and figures do not need them."""

    def list_imports(self) -> list[ImportSummary]:
        """List imports, newest first."""

    def delete_import(self, import_id: str) -> None:
        """Delete an import with its sheets."""


class DatasetStore(Protocol):
    """Store of datasets by name. A changed dataset of the same name is a new version."""

    def save_dataset(self, dataset: Dataset, inputs: Sequence[StoredInput] = (), *, base: str | None = None) -> None:
        """Save a dataset; the same content again changes nothing.

        `inputs` are rankings and grades of its questions: all of it is saved, or nothing. `base` is the digest of the
        version that it was made from: ConflictError if another one, which is not this dataset, is the newest by now.
        """

    def load_dataset(self, name: str, digest: str | None = None) -> Dataset:
        """Load the newest version, or the one with this digest."""

    def list_datasets(self) -> list[DatasetSummary]:
        """List the newest versions by name."""

    def list_versions(self, name: str) -> list[DatasetVersion]:
        """List all versions of a dataset, newest first. Raises NotFoundError if there is none."""

    def delete_dataset(self, name: str) -> None:
        """Delete all versions; ConflictError while a sweep needs one."""


class DatasetVersion(Frozen):
    """One version of a dataset."""

    digest: str
    """Content digest."""
    questions: int
    """Number of questions."""
    with_gold: int
    """Questions with gold passages."""
    created_at: datetime
    """Time of the import, UTC."""
    sweeps: int
    """Number of sweeps that use it."""


class DatasetSummary(Frozen):
    """A dataset in a list."""

    name: str
    """Its name."""
    digest: str
    """Digest of the newest version."""
    language: str
    """BCP 47 tag."""
    questions: int
    """Number of questions."""
    with_gold: int
    """Questions with gold passages."""
    versions: int
    """Number of versions."""


S = TypeVar("S", bound=StoredInput)


class RetrievalInputStore(Protocol):
    """Inputs of retrieval by kind and name."""

    def list_inputs(self, *kinds: InputKind) -> list[InputSummary]:
        """Return the inputs of some kinds, sorted by kind and name."""

    def find(self, form: type[S], name: str) -> S:
        """Return an input of one kind with its content; NotFoundError if there is none of this name."""

    def save(self, stored: StoredInput) -> InputSummary:
        """Add an input, or replace the one of that kind and name."""

    def delete(self, kind: InputKind, name: str) -> None:
        """Delete an input. Raises NotFoundError if it does not exist."""

    def keep_passages(self, passages: Sequence[Passage]) -> None:
        """Store graded passages, whose texts are needed when a collection has them under other ids."""

    def kept_passages(self, ids: Sequence[str]) -> dict[str, Passage]:
        """Return the passages of these ids that were stored or ranked for a sweep, by id."""
