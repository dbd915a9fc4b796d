"""Builds figures, tables and reports from analyses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import IO

from passer.domain.analysis.choices import AS_USUAL, SheetChoices, SweepChoices
from passer.domain.analysis.constants import Constants
from passer.domain.analysis.result_tables import (
    NamedTable,
    named_tables,
    pinned_table,
    tables_of_import,
    tables_of_sweep,
)
from passer.domain.analysis.study_table import StudyTable, with_rows
from passer.domain.failures.report import failure_tables
from passer.domain.figures.builder import figures_of
from passer.domain.figures.figure import Figure
from passer.domain.figures.of_effort import is_other_cost
from passer.domain.figures.points import study_of_sheets, study_of_sweep
from passer.domain.lru_cache import LruCache
from passer.domain.reports.builder import report_of_import, report_of_sweep
from passer.domain.reports.first_page import compared_configurations
from passer.domain.reports.report import Report
from passer.domain.timing.tables import timing_tables
from passer.domain.timing.times import TimingReport
from passer.domain.wording.catalogue import Language
from passer.domain.wording.sentence import in_readers_language, reader, sentence
from passer.errors import ConflictError, NotFoundError, UnavailableError
from passer.metrics.grounded.checks import GroundingLimits
from passer.ports import DrawingFormat, FigureDrawer, ReportRenderer, StoredSweep
from passer.services.analysis.failure_locator import FailureChoices, FailureLocator
from passer.services.analysis.grounding_reader import GroundingReader
from passer.services.analysis.grounding_report import grounding_table
from passer.services.analysis.judged_failures import JudgedFailures
from passer.services.analysis.kept_results import CacheKey
from passer.services.analysis.run_evidence import correlations_of_runs
from passer.services.analysis.sweep_results import SweepResults
from passer.services.analysis.timing_results import TimingResults
from passer.services.exports.table_export import TableExport
from passer.services.judging.tables import JudgedTables
from passer.services.sheets.sheet_library import SheetLibrary

MOST_KEPT = 32
"""Sweeps and choices whose tables and figures are kept in memory, some megabytes each."""
MOST_PAGE_BYTES = 64 << 20

MOST_GROUNDED = 20_000
"""Evaluations of a sweep whose tables include grounding: it reads the texts of all passages."""


@dataclass(frozen=True)
class ReportBuilder:
    """Builds figures, tables and reports of sweeps and imported sheets."""

    sweep_results: SweepResults
    sheet_library: SheetLibrary
    table_export: TableExport
    timing_results: TimingResults
    failure_locator: FailureLocator
    grounding_reader: GroundingReader
    judged_tables: JudgedTables
    judged_failures: JudgedFailures
    drawer: FigureDrawer
    renderer: ReportRenderer
    made_by: str
    """Program name and version."""
    tables: LruCache[CacheKey, dict[str, StudyTable]] = field(
        default_factory=lambda: LruCache(MOST_KEPT), compare=False
    )
    """Tables of finished sweeps."""
    named_tables: LruCache[CacheKey, tuple[NamedTable, ...]] = field(
        default_factory=lambda: LruCache(MOST_KEPT), compare=False
    )
    """The same tables as they are shown."""
    figures: LruCache[CacheKey, tuple[Figure, ...]] = field(default_factory=lambda: LruCache(MOST_KEPT), compare=False)
    """Figures of finished sweeps."""
    pages: LruCache[tuple[CacheKey, Language], bytes] = field(
        default_factory=lambda: LruCache(MOST_PAGE_BYTES, weigh=len), compare=False
    )
    """Reports of finished sweeps as pages."""

    def figures_of_sweep(self, sweep_id: str, choices: SweepChoices = AS_USUAL) -> tuple[Figure, ...]:
        """Return every figure of the sweep that its data allow so far; those of a finished sweep are kept."""
        key = self.sweep_results.key_of(sweep_id, choices)
        return self.figures.get_or_compute(key, lambda: self._figures_of_sweep(sweep_id, choices))

    def _figures_of_sweep(self, sweep_id: str, choices: SweepChoices) -> tuple[Figure, ...]:
        runs = self.sweep_results.rows(sweep_id)
        correlations = correlations_of_runs(runs)
        made = figures_of(study_of_sweep(self.sweep_results.analyse(sweep_id, choices), correlations))
        return (*made, *self.sweep_results.similarity_figures(sweep_id))

    def figures_of_import(self, import_id: str, choices: SheetChoices) -> tuple[Figure, ...]:
        """Return every figure of the sheets under a procedure."""
        return figures_of(study_of_sheets(self.sheet_library.analyse(import_id, choices)))

    def report_of_sweep(self, sweep_id: str, choices: SweepChoices = AS_USUAL) -> Report:
        """Return the report of a sweep so far, with every test."""
        stored = self.sweep_results.runs.load_sweep(sweep_id)
        runs = self.sweep_results.rows(sweep_id)
        analysis = self.sweep_results.analyse(sweep_id, choices)
        evidence = self.sweep_results.tests(stored, runs, choices)
        # Without a common scale there is no evidence; rank correlations need none.
        correlations = evidence.correlations if evidence else correlations_of_runs(runs)
        made = report_of_sweep(
            stored.sweep,
            stored.runs,
            analysis,
            evidence,
            # Paper has one cost, that of the verdict; a page lets its reader choose among those that are recorded.
            tuple(figure for figure in figures_of(study_of_sweep(analysis, correlations)) if not is_other_cost(figure)),
            timings=self._timings(stored),
            answers={**self._answer_tables(stored), **self._judged(sweep_id)},
            questions=stored.questions,
            dataset_digest=stored.dataset_digest,
            made_by=self.made_by,
            name=stored.name,
            bands=choices.bands,
        )
        return made.of_project(self.table_export.project)

    def latex_of_sweep(self, sweep_id: str, choices: SweepChoices = AS_USUAL) -> IO[bytes]:
        """Return the table of the report's first page for LaTeX; the caller closes it."""
        table = compared_configurations(self.sweep_results.analyse(sweep_id, choices))
        return self.table_export.table(table, suffix=".tex")

    def report_of_import(self, import_id: str, choices: SheetChoices) -> Report:
        """Return the report of imported sheets under a procedure, starting with the audit."""
        imported = self.sheet_library.imports.load_import(import_id, with_answers=False)
        analysis = self.sheet_library.analyse(import_id, choices)
        effects = self.sheet_library.effects(import_id, choices.labels)
        figures = figures_of(study_of_sheets(analysis))
        made = report_of_import(imported, analysis, figures, effects=effects, made_by=self.made_by)
        return made.of_project(self.table_export.project)

    def tables_of_sweep(self, sweep_id: str, choices: SweepChoices = AS_USUAL) -> dict[str, StudyTable]:
        """Return every table of the sweep by name, for the results so far; those of a finished sweep are kept.

        Judged columns are added each time: a finished sweep can be judged and rated later.
        """
        key = self.sweep_results.key_of(sweep_id, choices)
        return {**self._kept_tables(key, sweep_id, choices), **self._judged(sweep_id)}

    def named_tables_of_sweep(self, sweep_id: str, choices: SweepChoices = AS_USUAL) -> tuple[NamedTable, ...]:
        """Return the same tables as they are shown."""
        key = self.sweep_results.key_of(sweep_id, choices)
        kept = self.named_tables.get_or_compute(key, lambda: named_tables(self._kept_tables(key, sweep_id, choices)))
        return (*kept, *named_tables(self._judged(sweep_id)))

    def _kept_tables(self, key: CacheKey | None, sweep_id: str, choices: SweepChoices) -> dict[str, StudyTable]:
        return self.tables.get_or_compute(key, lambda: self._tables_of_sweep(sweep_id, choices))

    def _tables_of_sweep(self, sweep_id: str, choices: SweepChoices) -> dict[str, StudyTable]:
        stored = self.sweep_results.runs.load_sweep(sweep_id)
        runs = self.sweep_results.rows(sweep_id)
        analysis = self.sweep_results.analyse(sweep_id, choices)
        evidence = self.sweep_results.tests(stored, runs, choices)
        found = tables_of_sweep(analysis, evidence, questions=stored.questions, bands=choices.bands)
        return {**found, **self._answer_tables(stored), **timing_tables(self._timings(stored))}

    def tables_of_import(self, import_id: str, choices: SheetChoices) -> dict[str, StudyTable]:
        """Return every table of imported sheets by name."""
        effects = self.sheet_library.effects(import_id, choices.labels)
        return tables_of_import(self.sheet_library.analyse(import_id, choices), effects)

    def export(
        self,
        tables: Mapping[str, StudyTable],
        name: str,
        *,
        suffix: str,
        constants: Constants | None = None,
        reproducible: bool = False,
    ) -> IO[bytes]:
        """Return a table as a file; NotFoundError lists the names. The caller closes it.

        A table of an analysis with fixed `constants` has one more column that says so.
        """
        if name not in tables:
            raise NotFoundError(sentence("export.no-table", name=name, tables=", ".join(tables), n=len(tables)))
        table = tables[name] if constants is None else pinned_table(tables[name], constants)
        return self.table_export.table(table, suffix=suffix, reproducible=reproducible)

    def judged_answers(self, sweep_id: str, *, suffix: str, reproducible: bool = False) -> IO[bytes]:
        """Return the judged value of each answer of a sweep as a file; the caller closes it."""
        return self.table_export.table(self.judged_tables.answers(sweep_id), suffix=suffix, reproducible=reproducible)

    def _judged(self, sweep_id: str) -> dict[str, StudyTable]:
        """Return what judges found as tables: means of columns, and why answers were low."""
        return {**self.judged_tables.means(sweep_id), **self.judged_failures.tables(sweep_id)}

    def _answer_tables(self, sweep: StoredSweep) -> dict[str, StudyTable]:
        """Return where questions failed, and grounding, as tables; those without rows are left out."""
        found = failure_tables(self.failure_locator.of_sweep(sweep.id, FailureChoices()))
        if sweep.questions * len(sweep.runs) <= MOST_GROUNDED:
            found["grounding"] = grounding_table(self.grounding_reader.of_sweep(sweep.id, GroundingLimits()))
        return with_rows(found)

    def _timings(self, sweep: StoredSweep) -> tuple[TimingReport, ...]:
        """Return the timing tables of a finished sweep by machine; empty before it finishes."""
        try:
            return self.timing_results.by_machine(sweep)
        except ConflictError:
            return ()

    def page_of_sweep(self, sweep_id: str, choices: SweepChoices = AS_USUAL) -> bytes:
        """Return the report of a sweep so far as a page; that of a finished sweep that nobody judged is kept."""
        key = self.sweep_results.key_of(sweep_id, choices)
        kept = None if key is None or self.judged_tables.means(sweep_id) else (key, reader())
        return self.pages.get_or_compute(kept, lambda: self.page(self.report_of_sweep(sweep_id, choices)))

    def page(self, report: Report) -> bytes:
        """Return the report as one HTML page in the reader's language; without a drawing library figures are tables."""
        report = in_readers_language(report)
        figures = [figure for section in report.sections for figure in section.figures]
        try:
            drawings = {figure.id: self.drawing(figure, "svg", among=figures) for figure in figures}
        except UnavailableError:
            drawings = {}
        return self.renderer.render(report, drawings)

    def drawing(self, figure: Figure, form: DrawingFormat, *, among: Sequence[Figure] = ()) -> bytes:
        """Return the figure as a file, together with its companion figure if that is `among` the others."""
        beside = next((other for other in among if other.id == figure.beside), None)
        return self.drawer.draw(figure, form, beside=beside)
