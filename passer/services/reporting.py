"""What an analysis becomes for its readers: figures as data, drawn figures, reports."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import IO

from passer.domain.analysis.choices import SheetChoices, SweepChoices
from passer.domain.analysis.constants import Constants
from passer.domain.analysis.result_tables import pinned_table, tables_of_import, tables_of_sweep
from passer.domain.analysis.study_tables import StudyTable
from passer.domain.figures.figure import Figure
from passer.domain.figures.making import figures_of
from passer.domain.figures.points import study_of_sheets, study_of_sweep
from passer.domain.reports.making import report_of_import, report_of_sweep
from passer.domain.reports.report import Report
from passer.domain.timing.tables import timing_tables
from passer.domain.timing.times import TimingReport
from passer.errors import ConflictError, NotFoundError, UnavailableError
from passer.ports import DrawingFormat, FigureDrawer, ReportRenderer, StoredSweep
from passer.services.comparing import AS_USUAL, Comparing, analysed, weighed
from passer.services.evidencing import correlations_of_runs
from passer.services.exporting import Exporting
from passer.services.importing import Importing
from passer.services.timing import Timing


@dataclass(frozen=True)
class Reporting:
    """Shows sweeps and imported sheets alike."""

    comparing: Comparing
    importing: Importing
    exporting: Exporting
    timing: Timing
    drawer: FigureDrawer
    renderer: ReportRenderer
    made_by: str
    """Program and version."""

    def figures_of_sweep(self, sweep_id: str, choices: SweepChoices = AS_USUAL) -> tuple[Figure, ...]:
        """Every figure that the sweep can give so far."""
        runs = self.comparing.rows(sweep_id)
        correlations = correlations_of_runs(runs, panel=choices.panel, missing=choices.missing)
        return figures_of(study_of_sweep(analysed(runs, choices), correlations))

    def figures_of_import(self, import_id: str, choices: SheetChoices) -> tuple[Figure, ...]:
        """Every figure that the sheets can give by a procedure."""
        return figures_of(study_of_sheets(self.importing.analyse(import_id, choices)))

    def report_of_sweep(self, sweep_id: str, choices: SweepChoices = AS_USUAL) -> Report:
        """What the sweep shows so far, with every test."""
        stored = self.comparing.runs.load_sweep(sweep_id)
        runs = self.comparing.rows(sweep_id)
        analysis, evidence = analysed(runs, choices), weighed(runs, choices)
        # Without one scale there is no evidence; rank correlations need none.
        correlations = (
            evidence.correlations
            if evidence
            else correlations_of_runs(runs, panel=choices.panel, missing=choices.missing)
        )
        return report_of_sweep(
            stored.sweep,
            stored.runs,
            analysis,
            evidence,
            figures_of(study_of_sweep(analysis, correlations)),
            timings=self._timings(stored),
            questions=stored.questions,
            dataset_digest=stored.dataset_digest,
            made_by=self.made_by,
        )

    def report_of_import(self, import_id: str, choices: SheetChoices) -> Report:
        """What the sheets show by a procedure, the audit first."""
        imported = self.importing.imports.load_import(import_id, with_answers=False)
        analysis = self.importing.analyse(import_id, choices)
        return report_of_import(imported, analysis, figures_of(study_of_sheets(analysis)), made_by=self.made_by)

    def tables_of_sweep(self, sweep_id: str, choices: SweepChoices = AS_USUAL) -> dict[str, StudyTable]:
        """Every table of the sweep by name, of what is there so far."""
        stored = self.comparing.runs.load_sweep(sweep_id)
        runs = self.comparing.rows(sweep_id)
        found = tables_of_sweep(analysed(runs, choices), weighed(runs, choices), questions=stored.questions)
        return {**found, **timing_tables(self._timings(stored))}

    def tables_of_import(self, import_id: str, choices: SheetChoices) -> dict[str, StudyTable]:
        """Every table of imported sheets by name."""
        return tables_of_import(self.importing.analyse(import_id, choices))

    def export(
        self,
        tables: Mapping[str, StudyTable],
        name: str,
        *,
        suffix: str,
        constants: Constants | None = None,
        reproducible: bool = False,
    ) -> IO[bytes]:
        """One of these tables as a file; NotFoundError names those that there are. The caller closes it.

        A table of an analysis that is pinned to `constants` says so in a column more.
        """
        if name not in tables:
            raise NotFoundError(f"There is no table {name!r}: choose one of {', '.join(tables)}.")
        table = tables[name] if constants is None else pinned_table(tables[name], constants)
        return self.exporting.table(table, suffix=suffix, reproducible=reproducible)

    def _timings(self, sweep: StoredSweep) -> tuple[TimingReport, ...]:
        """Of a sweep that has come to its end, machine by machine; nothing before."""
        try:
            return self.timing.by_machine(sweep)
        except ConflictError:
            return ()

    def page(self, report: Report) -> bytes:
        """The report as one HTML page; without a drawing library its figures are tables."""
        figures = [figure for section in report.sections for figure in section.figures]
        try:
            drawings = {figure.id: self.drawing(figure, "svg", among=figures) for figure in figures}
        except UnavailableError:
            drawings = {}
        return self.renderer.render(report, drawings)

    def drawing(self, figure: Figure, form: DrawingFormat, *, among: Sequence[Figure] = ()) -> bytes:
        """The figure as a file, with the one that it is to be read beside, where that is `among` the others."""
        beside = next((other for other in among if other.id == figure.beside), None)
        return self.drawer.draw(figure, form, beside=beside)
