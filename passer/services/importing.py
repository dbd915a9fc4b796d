"""Result sheets of earlier PaSSER versions: read, audited, kept, and analysed by a named procedure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from passer.domain.audit import ReferenceCheck
from passer.domain.audit_references import Recompute, check_references
from passer.domain.auditing import audit_sheets
from passer.domain.base import digest_of
from passer.domain.dataset import Dataset
from passer.domain.procedures import Procedure, StudyAnalysis, analyse_sheets
from passer.domain.sheets import Place, Sheet, SheetImport, place_of
from passer.domain.study_tables import BandSetting
from passer.errors import InputError, Problem, TooLargeError
from passer.ports import Clock, DatasetStore, ImportStore, Progress, SheetReader

SUFFIX = ".xlsx"
LAYOUT = "MODEL/threshold_T/FILE.xlsx, MODEL/threshold_T.xlsx or MODEL-T.xlsx (T = 0.01 or baseline: the baseline)"
COPY = "_with_global_cps"
"""Ends the name of an export's second copy, with a CPS column that is computed again here."""
MAX_SHEETS = 5_000
ID_PREFIX = "sheets-"
"""Begins the id of every import, and of nothing else."""


def _quiet(_message: str, _done: int, _total: int) -> None:
    """Nobody watches."""


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
        if not folder.is_dir():
            raise InputError(f"{folder} is not a folder: name the one that holds the sheets, as {LAYOUT}.")
        files = {path.relative_to(folder).as_posix(): path for path in sorted(folder.rglob("*")) if _is_sheet(path)}
        return self.read(name or folder.resolve().name, files, dataset=dataset, progress=progress)

    def read(
        self,
        name: str,
        files: Mapping[str, Path],
        *,
        dataset: Dataset | str | None = None,
        progress: Progress = _quiet,
    ) -> SheetImport:
        """Read and audit files by their paths within the study, and keep nothing; InputError names every bad one."""
        known = self.datasets.load_dataset(dataset) if isinstance(dataset, str) else dataset
        places, ignored = _sorted_out(list(files))
        sheets, problems = [], []
        for number, (path, place) in enumerate(places.items()):
            progress("Reading sheets", number, len(places))
            try:
                sheets.append(self.reader.read(self._content(path, files[path]), path=path, place=place))
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

    def analyse(
        self,
        import_id: str,
        procedure: Procedure,
        *,
        labels: Mapping[str, str] | None = None,
        bands: BandSetting = "phase3",
    ) -> StudyAnalysis:
        """Figures and tables; NotFoundError, ConfigError, ConflictError where the labels cannot be told."""
        imported = self.imports.load_import(import_id, with_answers=False)
        analysis = analyse_sheets(imported.sheets, procedure, labels=labels, bands=bands)
        return analysis.model_copy(update={"import_id": import_id})

    def _content(self, path: str, file: Path) -> bytes:
        try:
            if file.stat().st_size > self.max_bytes:
                raise TooLargeError(f"{path} is larger than the {self.max_bytes / 1e6:.0f} MB allowed: split it.")
            return file.read_bytes()
        except OSError as exc:
            raise InputError(f"{path} cannot be read ({exc.strerror}): check its permissions.") from exc

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
            return ReferenceCheck(
                not_checked="References were not compared: the published METEOR and ROUGE cannot be computed here."
            )
        return check_references(sheets, dataset, self.recompute)


def _is_sheet(path: Path) -> bool:
    """Workbooks but those that a spreadsheet program or a system keeps for itself."""
    return path.suffix.lower() == SUFFIX and not path.name.startswith(("~$", ".")) and path.is_file()


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
