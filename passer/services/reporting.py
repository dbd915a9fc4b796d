"""What an analysis becomes for its readers: figures as data, drawn figures, reports."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import IO

from passer.domain.composite import MissingPolicy
from passer.domain.figure_making import figures_of
from passer.domain.figure_points import study_of_sheets, study_of_sweep
from passer.domain.figures import Figure
from passer.domain.procedures import Procedure
from passer.domain.report import Report
from passer.domain.report_making import report_of_import, report_of_sweep
from passer.domain.result_tables import tables_of_import, tables_of_sweep
from passer.domain.study_tables import BandSetting, StudyTable
from passer.errors import NotFoundError, UnavailableError
from passer.ports import DrawingFormat, FigureDrawer, ReportRenderer
from passer.services.analysing import analyse
from passer.services.comparing import Comparing
from passer.services.evidencing import correlations_of_runs, evidence_of_runs
from passer.services.exporting import Exporting
from passer.services.importing import Importing


@dataclass(frozen=True)
class Reporting:
    """Shows sweeps and imported sheets alike."""

    comparing: Comparing
    importing: Importing
    exporting: Exporting
    drawer: FigureDrawer
    renderer: ReportRenderer
    made_by: str
    """Program and version."""

    def figures_of_sweep(
        self, sweep_id: str, *, panel: str | None = None, missing: MissingPolicy = "worst"
    ) -> tuple[Figure, ...]:
        """Every figure that the sweep can give so far."""
        runs = self.comparing.rows(sweep_id)
        analysis = analyse(runs, panel=panel, missing=missing)
        return figures_of(study_of_sweep(analysis, correlations_of_runs(runs, panel=panel, missing=missing)))

    def figures_of_import(
        self, import_id: str, procedure: Procedure, *, labels: Mapping[str, str] | None = None
    ) -> tuple[Figure, ...]:
        """Every figure that the sheets can give by a procedure."""
        return figures_of(study_of_sheets(self.importing.analyse(import_id, procedure, labels=labels)))

    def report_of_sweep(self, sweep_id: str, *, panel: str | None = None, missing: MissingPolicy = "worst") -> Report:
        """What the sweep shows so far, with every test."""
        stored = self.comparing.runs.load_sweep(sweep_id)
        runs = self.comparing.rows(sweep_id)
        analysis = analyse(runs, panel=panel, missing=missing)
        evidence = evidence_of_runs(runs, panel=panel, missing=missing)
        return report_of_sweep(
            stored.sweep,
            stored.runs,
            analysis,
            evidence,
            figures_of(study_of_sweep(analysis, evidence.correlations)),
            questions=stored.questions,
            dataset_digest=stored.dataset_digest,
            made_by=self.made_by,
        )

    def report_of_import(
        self, import_id: str, procedure: Procedure, *, labels: Mapping[str, str] | None = None
    ) -> Report:
        """What the sheets show by a procedure, the audit first."""
        imported = self.importing.imports.load_import(import_id, with_answers=False)
        analysis = self.importing.analyse(import_id, procedure, labels=labels)
        return report_of_import(imported, analysis, figures_of(study_of_sheets(analysis)), made_by=self.made_by)

    def tables_of_sweep(
        self,
        sweep_id: str,
        *,
        panel: str | None = None,
        missing: MissingPolicy = "worst",
        bands: BandSetting = "phase3",
    ) -> dict[str, StudyTable]:
        """Every table of the sweep by name, of what is there so far."""
        runs = self.comparing.rows(sweep_id)
        evidence = evidence_of_runs(runs, panel=panel, missing=missing)
        questions = self.comparing.runs.load_sweep(sweep_id).questions
        return tables_of_sweep(analyse(runs, panel=panel, missing=missing), evidence, questions=questions)

    def tables_of_import(
        self,
        import_id: str,
        procedure: Procedure,
        *,
        labels: Mapping[str, str] | None = None,
        bands: BandSetting = "phase3",
    ) -> dict[str, StudyTable]:
        """Every table of imported sheets by name."""
        return tables_of_import(self.importing.analyse(import_id, procedure, labels=labels, bands=bands))

    def export(
        self, tables: Mapping[str, StudyTable], name: str, *, suffix: str, reproducible: bool = False
    ) -> IO[bytes]:
        """One of these tables as a file; NotFoundError names those that there are. The caller closes it."""
        if name not in tables:
            raise NotFoundError(f"There is no table {name!r}: choose one of {', '.join(tables)}.")
        return self.exporting.table(tables[name], suffix=suffix, reproducible=reproducible)

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
