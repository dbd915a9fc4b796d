"""Result sheets of earlier PaSSER versions: read, audited, kept, and analysed by a named procedure."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path

from passer.domain.analysis.choices import SheetChoices
from passer.domain.analysis.levels import level_name
from passer.domain.base import Frozen, added_field, digest_of, storable
from passer.domain.dataset import Dataset
from passer.domain.lru_cache import LruCache
from passer.domain.sheets.audit import Audit, ReferenceCheck, UnreadFiles
from passer.domain.sheets.audit_references import Recompute, check_references
from passer.domain.sheets.auditor import audit_sheets
from passer.domain.sheets.defect_effects import DefectEffects, defect_effects
from passer.domain.sheets.procedures import (
    Procedure,
    StudyAnalysis,
    analyse_sheets,
    obstacle_to_publishing,
    possible_procedures,
)
from passer.domain.sheets.sheet import Place, Sheet, SheetImport, place_of
from passer.domain.wording.sentence import LocalizedText, sentence
from passer.errors import InputError, Problem
from passer.ports import Clock, DatasetStore, ImportStore, Progress, SheetReader
from passer.services.sheets.sheet_sources import LAYOUT, Source, folder_sources, is_sheet, study_name, uploaded_sources

COPY = "_with_global_cps"
"""Ending of the name of an export's second copy, whose CPS column is computed again here."""
MAX_SHEETS = 5_000
ID_PREFIX = "sheets-"
"""Prefix of the ids of imports; no other id has it."""


KEPT_ANALYSES = 8
AnalysisKey = tuple[str, ...]
"""Import, and the choices as JSON."""


def _quiet(_message: str, _done: int, _total: int) -> None:
    """Ignore progress."""


class ImportDetail(Frozen):
    """An import with its audit, without its scores."""

    id: str
    """Made from the contents: the same sheets have the same id everywhere."""
    name: str
    """Name that was given, or that of its files."""
    created_at: datetime
    """UTC."""
    models: tuple[str, ...]
    """Models as the folders name them."""
    sheets: int
    """Number of sheets."""
    rows: int
    """Number of rows with scores, over all sheets."""
    dataset: str | None
    """Name of the dataset that the questions were checked against."""
    dataset_digest: str | None
    """Its version."""
    procedures: tuple[Procedure, ...]
    """Procedures whose columns all sheets have."""
    unpublishable: LocalizedText | None
    """Why no study can be made of the sheets; None where one can."""
    audit: Audit
    """Audit of the sheets, to be read before any number."""
    former_name: str | None = added_field(None)
    """In the result of a job: the name that the import had, where the same sheets had been imported under another."""

    @classmethod
    def of(cls, imported: SheetImport) -> ImportDetail:
        """Return the audit of the imported sheets."""
        same = ("id", "name", "models", "rows", "dataset", "dataset_digest", "audit", "former_name")
        return cls(
            **{field: getattr(imported, field) for field in same},
            created_at=imported.created_at,
            sheets=len(imported.sheets),
            procedures=possible_procedures(imported.sheets),
            unpublishable=obstacle_to_publishing(imported.sheets),
        )


@dataclass(frozen=True)
class SheetLibrary:
    """Imports sheets, all or none."""

    imports: ImportStore
    reader: SheetReader
    datasets: DatasetStore
    clock: Clock
    recompute: Recompute | None = None
    """Scores pairs by the published definitions again; None where nothing here can."""
    max_bytes: int = 50 * 1024 * 1024
    cached: LruCache[AnalysisKey, StudyAnalysis] = field(default_factory=lambda: LruCache(KEPT_ANALYSES))
    """Recent analyses, for pages that show one as figures, tables and report."""
    cached_effects: LruCache[AnalysisKey, DefectEffects] = field(default_factory=lambda: LruCache(KEPT_ANALYSES))
    """Recent comparisons of the procedures, for the same pages."""

    def import_folder(
        self,
        folder: Path,
        *,
        name: str | None = None,
        dataset: Dataset | str | None = None,
        progress: Progress = _quiet,
    ) -> SheetImport:
        """Import and audit all sheets of a folder; `dataset` (or the name of a stored one) provides references."""
        imported = self.read_folder(folder, name=name, dataset=dataset, progress=progress)
        return self._saved(imported, progress, is_named=name is not None)

    def read_folder(
        self,
        folder: Path,
        *,
        name: str | None = None,
        dataset: Dataset | str | None = None,
        progress: Progress = _quiet,
    ) -> SheetImport:
        """Read and audit all sheets of a folder without saving them; without a name, the folder names the import."""
        sources = folder_sources(folder, max_bytes=self.max_bytes)
        return self.read(name or folder.resolve().name, sources, dataset=dataset, progress=progress)

    def import_uploads(
        self,
        files: Sequence[tuple[str, Path]],
        *,
        name: str | None = None,
        dataset: Dataset | str | None = None,
        progress: Progress = _quiet,
    ) -> SheetImport:
        """Import and audit uploaded sheets and zip archives, given as (name, file)."""
        sources = uploaded_sources(files, max_bytes=self.max_bytes)
        imported = self.read(name or study_name(files), sources, dataset=dataset, progress=progress)
        return self._saved(imported, progress, is_named=name is not None)

    def read(
        self,
        name: str,
        sources: Mapping[str, Source],
        *,
        dataset: Dataset | str | None = None,
        progress: Progress = _quiet,
    ) -> SheetImport:
        """Read and audit sheets by path within the study, without storing them; InputError names every invalid one."""
        # People type it in one line to delete the import, and no database holds a NUL.
        name = " ".join(storable(name).split())
        known = self.datasets.load_dataset(dataset) if isinstance(dataset, str) else dataset
        places, unread = _sorted_out(list(sources))
        sheets, problems = [], []
        for number, (path, place) in enumerate(places.items()):
            progress("Reading sheets", number, len(places))
            try:
                with sources[path]() as file:
                    sheets.append(self.reader.read(file, path=path, place=place))
            except InputError as exc:
                problems += [Problem(exc.message), *exc.problems]
        if problems:
            raise InputError(
                sentence("sheet.refused", bad=len(places) - len(sheets), n=len(places), problem=problems[0].message),
                problems=tuple(problems[1:]),
            )
        progress("Reading sheets", len(places), len(places))
        progress("Checking sheets", 0, 0)
        return self._audited(name, _in_order(sheets), known, unread)

    def analyse(self, import_id: str, choices: SheetChoices) -> StudyAnalysis:
        """Return figures and tables.

        Raises NotFoundError if the import does not exist, InputError for choices that do not fit it, and ConflictError
        if its labels are unclear.
        """
        imported = self.imports.load_import(import_id, with_answers=False)
        # The id is derived from the contents, so a cached analysis stays valid; its constants state the name.
        key = (import_id, imported.name, choices.model_dump_json())
        analysis = self.cached.get_or_compute(
            key,
            lambda: analyse_sheets(
                imported.sheets,
                choices.procedure,
                labels=choices.labels,
                bands=choices.bands,
                constants=choices.constants,
                source=f"import {imported.name} ({import_id})",
            ),
        )
        return analysis.model_copy(update={"import_id": import_id})

    def effects(self, import_id: str, labels: Mapping[str, str] | None = None) -> DefectEffects:
        """Return published and corrected figures.

        Raises NotFoundError if the import does not exist, and ConfigError for labels of unknown models.
        """
        key = (import_id, json.dumps(labels or {}))
        imported = self.imports.load_import(import_id, with_answers=False)
        return self.cached_effects.get_or_compute(key, lambda: defect_effects(imported.sheets, labels))

    def _saved(self, imported: SheetImport, progress: Progress, *, is_named: bool) -> SheetImport:
        """Save an import; one that is known keeps its name unless another one is given."""
        known = next((each.name for each in self.imports.list_imports() if each.id == imported.id), imported.name)
        former = known if is_named and known != imported.name else None
        named = replace(imported, name=imported.name if is_named else known, former_name=former)
        progress("Saving sheets", len(imported.sheets), len(imported.sheets))
        self.imports.save_import(named)
        return named

    def _audited(
        self, name: str, sheets: tuple[Sheet, ...], dataset: Dataset | None, unread: UnreadFiles
    ) -> SheetImport:
        contents = [[sheet.path, sheet.digest] for sheet in sheets]
        audit = audit_sheets(sheets, dataset=dataset, references=self._references(sheets, dataset), unread=unread)
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


def _sorted_out(paths: Sequence[str]) -> tuple[dict[str, Place], UnreadFiles]:
    """Return the configurations of sheets by path, and the unread files; InputError if two are of one."""
    found = {path: place for path in filter(is_sheet, paths) if (place := place_of(path)) is not None}
    twins: list[str] = []
    by_place: dict[Place, list[str]] = {}
    for path, place in found.items():
        by_place.setdefault(place, []).append(path)
    for place, same in by_place.items():
        originals = [path for path in same if not Path(path).stem.endswith(COPY)]
        if len(originals) == 1:
            twins += [path for path in same if path not in originals]
        elif len(same) > 1:
            which = level_name(place.levels) or sentence("report.the-baseline")
            raise InputError(sentence("sheet.same", names=" and ".join(same), which=which, model=place.model))
    kept = {path: place for path, place in found.items() if path not in twins}
    if not kept:
        raise InputError(sentence("sheet.none", layout=LAYOUT))
    if len(kept) > MAX_SHEETS:
        raise InputError(sentence("sheet.many", sheets=len(kept), most=MAX_SHEETS))
    return kept, UnreadFiles(
        unnamed=tuple(sorted(path for path in paths if is_sheet(path) and path not in found)),
        other_formats=tuple(sorted(path for path in paths if not is_sheet(path))),
        twins=tuple(sorted(twins)),
    )


def _in_order(sheets: Sequence[Sheet]) -> tuple[Sheet, ...]:
    """Sort by model, the baseline first, then by threshold or strategy."""
    return tuple(sorted(sheets, key=lambda sheet: sheet.place.order))
