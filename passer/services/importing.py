"""Result sheets of earlier PaSSER versions: read, audited, kept, and analysed by a named procedure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from passer.domain.analysis.choices import SheetChoices
from passer.domain.base import digest_of
from passer.domain.dataset import Dataset
from passer.domain.sheets.audit import Audit, ReferenceCheck
from passer.domain.sheets.audit_references import Recompute, check_references
from passer.domain.sheets.auditing import audit_sheets
from passer.domain.sheets.procedures import StudyAnalysis, analyse_sheets
from passer.domain.sheets.sheet import Place, Sheet, SheetImport, place_of
from passer.domain.wording.sentence import Worded, sentence
from passer.errors import InputError, Problem
from passer.metrics.recent import Recent
from passer.ports import Clock, DatasetStore, ImportStore, Progress, SheetReader
from passer.services.sheet_sources import LAYOUT, Source, folder_sources, study_name, uploaded_sources

COPY = "_with_global_cps"
"""Ends the name of an export's second copy, with a CPS column that is computed again here."""
MAX_SHEETS = 5_000
ID_PREFIX = "sheets-"
"""Begins the id of every import, and of nothing else."""


KEPT_ANALYSES = 8
Asked = tuple[str, str]
"""Import, and the choices as JSON."""


def _quiet(_message: str, _done: int, _total: int) -> None:
    """Nobody watches."""


class ImportDetail(Worded):
    """An import with its audit, without its scores."""

    id: str
    """Made from the contents: the same sheets have the same id everywhere."""
    name: str
    """Of the folder or archive."""
    created_at: str
    """UTC, ISO 8601."""
    models: tuple[str, ...]
    """As the folders name them."""
    sheets: int
    """How many."""
    rows: int
    """With scores, over all sheets."""
    dataset: str | None
    """Name of the dataset that the questions were checked against."""
    dataset_digest: str | None
    """Its version."""
    audit: Audit
    """To be read before any number."""

    @classmethod
    def of(cls, imported: SheetImport) -> ImportDetail:
        """Of what was taken."""
        same = ("id", "name", "models", "rows", "dataset", "dataset_digest", "audit")
        return cls(
            **{field: getattr(imported, field) for field in same},
            created_at=imported.created_at.isoformat(),
            sheets=len(imported.sheets),
        )


@dataclass(frozen=True)
class Importing:
    """Takes sheets whole or not at all."""

    imports: ImportStore
    reader: SheetReader
    datasets: DatasetStore
    clock: Clock
    recompute: Recompute | None = None
    """Scores pairs by the published definitions again; None where nothing here can."""
    max_bytes: int = 50 * 1024 * 1024
    made: Recent[Asked, StudyAnalysis] = field(default_factory=lambda: Recent(KEPT_ANALYSES))
    """Analyses of late, for pages that show the same one as figures, tables and report."""

    def take_folder(
        self,
        folder: Path,
        *,
        name: str | None = None,
        dataset: Dataset | str | None = None,
        progress: Progress = _quiet,
    ) -> SheetImport:
        """Read, audit and keep all sheets of a folder; `dataset` (or the name of one that is kept) gives references."""
        imported = self.read_folder(folder, name=name, dataset=dataset, progress=progress)
        self.imports.save_import(imported)
        return imported

    def read_folder(
        self,
        folder: Path,
        *,
        name: str | None = None,
        dataset: Dataset | str | None = None,
        progress: Progress = _quiet,
    ) -> SheetImport:
        """Read and audit all sheets of a folder, and keep nothing; its own name is the import's unless one is given."""
        sources = folder_sources(folder, max_bytes=self.max_bytes)
        return self.read(name or folder.resolve().name, sources, dataset=dataset, progress=progress)

    def take_uploads(
        self,
        files: Sequence[tuple[str, bytes]],
        *,
        name: str | None = None,
        dataset: Dataset | str | None = None,
        progress: Progress = _quiet,
    ) -> SheetImport:
        """Read, audit and keep uploaded sheets and zip archives, as (name, content)."""
        sources = uploaded_sources(files, max_bytes=self.max_bytes)
        imported = self.read(name or study_name(files), sources, dataset=dataset, progress=progress)
        self.imports.save_import(imported)
        return imported

    def read(
        self,
        name: str,
        sources: Mapping[str, Source],
        *,
        dataset: Dataset | str | None = None,
        progress: Progress = _quiet,
    ) -> SheetImport:
        """Read and audit sheets by their paths within the study, and keep nothing; InputError names every bad one."""
        known = self.datasets.load_dataset(dataset) if isinstance(dataset, str) else dataset
        places, ignored = _sorted_out(list(sources))
        sheets, problems = [], []
        for number, (path, place) in enumerate(places.items()):
            progress("Reading sheets", number, len(places))
            try:
                sheets.append(self.reader.read(sources[path](), path=path, place=place))
            except InputError as exc:
                problems += [Problem(exc.message), *exc.problems]
        if problems:
            raise InputError(
                f"Nothing was imported, because of {len(places) - len(sheets)} of {len(places)} sheets: "
                f"{problems[0].message}",
                problems=tuple(problems[1:]),
            )
        progress("Reading sheets", len(places), len(places))
        progress("Checking sheets", 0, 0)
        return self._audited(name, _in_order(sheets), known, ignored)

    def analyse(self, import_id: str, choices: SheetChoices) -> StudyAnalysis:
        """Figures and tables; NotFoundError, InputError, ConflictError where the labels cannot be told."""
        imported = self.imports.load_import(import_id, with_answers=False)
        # The id is made from the contents, so that what was worked out once holds for good.
        key = (import_id, choices.model_dump_json())
        analysis = self.made.get(key)
        if analysis is None:
            analysis = analyse_sheets(
                imported.sheets,
                choices.procedure,
                labels=choices.labels,
                bands=choices.bands,
                constants=choices.constants,
                source=f"import {imported.name} ({import_id})",
            )
            self.made.put(key, analysis, size=1)
        return analysis.model_copy(update={"import_id": import_id})

    def _audited(
        self, name: str, sheets: tuple[Sheet, ...], dataset: Dataset | None, ignored: Sequence[str]
    ) -> SheetImport:
        contents = [[sheet.path, sheet.digest] for sheet in sheets]
        audit = audit_sheets(
            sheets, dataset=dataset, references=self._references(sheets, dataset), ignored_files=ignored
        )
        return SheetImport(
            id=f"{ID_PREFIX}{digest_of(contents)[:12]}",
            name=name,
            created_at=self.clock.now(),
            sheets=sheets,
            audit=audit,
            dataset=dataset.name if dataset else None,
            dataset_digest=dataset.digest if dataset else None,
        )

    def _references(self, sheets: Sequence[Sheet], dataset: Dataset | None) -> ReferenceCheck | None:
        if dataset is None:
            return None
        if self.recompute is None:
            return ReferenceCheck(not_checked=sentence("unchecked.no-metrics"))
        return check_references(sheets, dataset, self.recompute)


def _sorted_out(paths: Sequence[str]) -> tuple[dict[str, Place], list[str]]:
    """Places of the sheets by path, and the files that have none; InputError where a place is taken twice."""
    found = {path: place for path in paths if (place := place_of(path)) is not None}
    ignored = [path for path in paths if path not in found]
    by_place: dict[Place, list[str]] = {}
    for path, place in found.items():
        by_place.setdefault(place, []).append(path)
    for place, same in by_place.items():
        originals = [path for path in same if not Path(path).stem.endswith(COPY)]
        if len(originals) == 1:
            ignored += [path for path in same if path not in originals]
        elif len(same) > 1:
            which = "the baseline" if place.threshold is None else f"threshold {place.threshold:g}"
            raise InputError(f"{' and '.join(same)} are both {which} of {place.model}: keep one of them.")
    kept = {path: place for path, place in found.items() if path not in ignored}
    if not kept:
        raise InputError(f"There is no result sheet: name them {LAYOUT}.")
    if len(kept) > MAX_SHEETS:
        raise InputError(f"There are {len(kept):,} sheets, more than {MAX_SHEETS:,}: import them in parts.")
    return kept, sorted(ignored)


def _in_order(sheets: Sequence[Sheet]) -> tuple[Sheet, ...]:
    """By model, the baseline first, then by threshold."""
    return tuple(sorted(sheets, key=lambda sheet: (sheet.model, sheet.threshold is not None, sheet.threshold or 0.0)))
