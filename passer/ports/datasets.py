"""Datasets and imported result sheets as they are kept."""

from __future__ import annotations

from datetime import datetime
from typing import Protocol

from passer.domain.base import Frozen
from passer.domain.dataset import Dataset
from passer.domain.sheets.sheet import SheetImport


class ImportSummary(Frozen):
    """An import in a list."""

    id: str
    """Unique."""
    name: str
    """Of the folder that it came from."""
    created_at: datetime
    """UTC."""
    models: tuple[str, ...]
    """As the folders name them."""
    sheets: int
    """How many."""
    rows: int
    """With scores, over all sheets."""
    defects: int
    """Findings of its audit that change results."""


class ImportStore(Protocol):
    """Imported result sheets."""

    def save_import(self, imported: SheetImport) -> None:
        """Keep an import with all its sheets, or nothing; one with this id takes the new audit."""
        ...

    def load_import(self, import_id: str, *, with_answers: bool = True, path: str | None = None) -> SheetImport:
        """With all sheets, or the one of a path alone; answers are long and the figures do not need them."""
        ...

    def list_imports(self) -> list[ImportSummary]:
        """Newest first."""
        ...

    def delete_import(self, import_id: str) -> None:
        """Remove it with its sheets."""
        ...


class DatasetStore(Protocol):
    """Datasets by name; a changed dataset of the same name is a new version."""

    def save_dataset(self, dataset: Dataset) -> None:
        """Keep it; the same content again changes nothing."""
        ...

    def load_dataset(self, name: str, digest: str | None = None) -> Dataset:
        """The newest version, or the one with this digest."""
        ...

    def list_datasets(self) -> list[DatasetSummary]:
        """Newest versions, by name."""
        ...

    def list_versions(self, name: str) -> list[DatasetVersion]:
        """All versions of one dataset, newest first; NotFoundError."""
        ...

    def delete_dataset(self, name: str) -> None:
        """Remove all versions; ConflictError while a sweep needs it."""
        ...


class DatasetVersion(Frozen):
    """One version of a dataset."""

    digest: str
    """What it is asked for by."""
    questions: int
    """How many."""
    with_gold: int
    """How many have gold passages."""
    created_at: datetime
    """When it was taken; UTC."""
    sweeps: int
    """Sweeps that ask it."""


class DatasetSummary(Frozen):
    """A dataset in a list."""

    name: str
    """Its name."""
    digest: str
    """Of its newest version."""
    language: str
    """BCP 47 tag."""
    questions: int
    """How many."""
    with_gold: int
    """How many have gold passages."""
    versions: int
    """How many are kept."""
