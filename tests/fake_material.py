"""What is brought in, in memory: datasets with their versions, and imported sheets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from passer.domain.dataset import Dataset
from passer.domain.retrieval.inputs import StoredInput
from passer.domain.sheets.sheet import SheetImport
from passer.errors import ConflictError, NotFoundError
from passer.ports import DatasetSummary, DatasetVersion, ImportSummary


class MemoryDatasets:
    """ports.DatasetStore on dicts."""

    def __init__(self) -> None:
        super().__init__()
        self._datasets: dict[str, list[Dataset]] = {}
        self._unlisted: dict[tuple[str, str], Dataset] = {}

    def save_dataset(self, dataset: Dataset, inputs: Sequence[StoredInput] = (), *, base: str | None = None) -> None:
        assert not inputs, "rankings and grades are kept by MemoryRetrievalInputs"
        versions = self._datasets.setdefault(dataset.name, [])
        if base is not None and versions[-1].digest not in (base, dataset.digest):
            raise ConflictError(f"{dataset.name!r} has a newer version.")
        versions[:] = [known for known in versions if known.digest != dataset.digest] + [dataset]

    def load_dataset(self, name: str, digest: str | None = None) -> Dataset:
        versions = self._datasets.get(name, [])
        if digest is None and versions:
            return versions[-1]
        for known in versions:
            if known.digest == digest:
                return known
        if digest is not None and (name, digest) in self._unlisted:
            return self._unlisted[name, digest]
        raise NotFoundError(f"There is no dataset {name!r}.")

    def list_datasets(self) -> list[DatasetSummary]:
        return [
            DatasetSummary(
                name=name,
                digest=versions[-1].digest,
                language=versions[-1].language,
                questions=len(versions[-1].questions),
                with_gold=sum(1 for question in versions[-1].questions if question.gold_passages),
                versions=len(versions),
            )
            for name, versions in sorted(self._datasets.items())
        ]

    def list_versions(self, name: str) -> list[DatasetVersion]:
        if name not in self._datasets:
            raise NotFoundError(f"There is no dataset {name!r}.")
        digests = [sweep.dataset_digest for sweep in self._sweeps.values() if sweep.sweep.config.dataset == name]
        return [
            DatasetVersion(
                digest=version.digest,
                questions=len(version.questions),
                with_gold=sum(1 for question in version.questions if question.gold_passages),
                created_at=self._clock.now(),
                sweeps=digests.count(version.digest),
            )
            for version in reversed(self._datasets[name])
        ]

    def delete_dataset(self, name: str) -> None:
        if name not in self._datasets:
            raise NotFoundError(f"There is no dataset {name!r}.")
        users = [sweep for sweep in self._sweeps.values() if sweep.sweep.config.dataset == name]
        if any(not run.state.is_final for sweep in users for run in sweep.runs):
            raise ConflictError(f"A sweep still needs dataset {name!r}.")
        for dataset in self._datasets.pop(name):
            if dataset.digest in {sweep.dataset_digest for sweep in users}:
                self._unlisted[name, dataset.digest] = dataset


class MemoryImports:
    """ports.ImportStore on dicts."""

    def __init__(self) -> None:
        super().__init__()
        self._imports: dict[str, SheetImport] = {}

    def save_import(self, imported: SheetImport) -> None:
        known = self._imports.get(imported.id)
        if known is None:
            self._imports[imported.id] = imported
        else:
            self._imports[imported.id] = replace(imported, created_at=known.created_at, sheets=known.sheets)

    def load_import(self, import_id: str, *, with_answers: bool = True, path: str | None = None) -> SheetImport:
        if import_id not in self._imports:
            raise NotFoundError(f"There is no import {import_id!r}.")
        found = self._imports[import_id]
        if path is not None:
            found = replace(found, sheets=tuple(sheet for sheet in found.sheets if sheet.path == path))
        if not found.sheets:
            raise NotFoundError(f"{found.name} has no sheet {path!r}.")
        if with_answers:
            return found
        return replace(found, sheets=tuple(replace(sheet, answers=()) for sheet in found.sheets))

    def list_imports(self) -> list[ImportSummary]:
        return [
            ImportSummary(
                id=found.id,
                name=found.name,
                created_at=found.created_at,
                dataset=found.dataset,
                models=found.models,
                sheets=len(found.sheets),
                rows=found.rows,
                defects=sum(finding.severity == "defect" for finding in found.audit.findings),
            )
            for found in reversed(self._imports.values())
        ]

    def delete_import(self, import_id: str) -> None:
        self.load_import(import_id)
        del self._imports[import_id]
