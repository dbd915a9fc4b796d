"""Reports of sheets: what is told first, which drawings are asked for, and what happens without a drawing library."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest

from passer.adapters.reports import HtmlReports
from passer.adapters.sheets import XlsxSheetReader
from passer.adapters.tables import result_writers
from passer.domain.analysis.choices import SheetChoices
from passer.domain.analysis.study_table import StudyTable
from passer.errors import NotFoundError
from passer.services.analysis.failure_locator import FailureLocator
from passer.services.analysis.grounding_reader import GroundingReader
from passer.services.analysis.judged_failures import JudgedFailures
from passer.services.analysis.sweep_results import SweepResults
from passer.services.analysis.timing_results import TimingResults
from passer.services.exports.report_builder import ReportBuilder
from passer.services.exports.table_export import TableExport
from passer.services.judging.tables import JudgedTables
from passer.services.sheets.sheet_library import SheetLibrary
from tests.fake_reports import FakeDrawer, FakeRenderer
from tests.fake_store import MemoryStore
from tests.fakes import FakeClock
from tests.result_sheets import row_of, write_sheet

CORRECTED = SheetChoices(procedure="corrected")


def report_builder(renderer: Any = None, *, missing: bool = False) -> ReportBuilder:
    store = MemoryStore(FakeClock())
    sheet_library = SheetLibrary(imports=store, reader=XlsxSheetReader(), datasets=store, clock=FakeClock())
    return ReportBuilder(
        sweep_results=cast(SweepResults, None),
        sheet_library=sheet_library,
        table_export=TableExport(writers=result_writers()),
        timing_results=cast(TimingResults, None),
        failure_locator=cast(FailureLocator, None),
        grounding_reader=cast(GroundingReader, None),
        judged_tables=cast(JudgedTables, None),
        judged_failures=cast(JudgedFailures, None),
        drawer=FakeDrawer(missing=missing),
        renderer=renderer or FakeRenderer(),
        made_by="PaSSER test",
    )


def imported(at: ReportBuilder, folder: Path) -> str:
    heights = {"baseline": [0.1, 0.3, 0.2, 0.4, 0.1, 0.3], "threshold_0.5": [0.5, 0.6, 0.6, 0.9, 0.4, 0.7]}
    for name, values in heights.items():
        cells = [row_of(f"q{n}?", value) for n, value in enumerate(values)]
        write_sheet(folder / "study" / "m" / f"{name}.xlsx", cells)
    return at.sheet_library.import_folder(folder / "study").id


def test_a_report_tells_the_audit_then_the_meaning_with_its_numbers(tmp_path):
    at = report_builder()
    report = at.report_of_import(imported(at, tmp_path), SheetChoices(procedure="corrected", labels={"m": "Model"}))
    first = ["Setup", "Conclusions as published and corrected", "Audit", "Results"]
    assert [section.heading for section in report.sections][:4] == first
    [run, effects, audit, meaning, figures, tables, limits, method] = report.sections
    assert effects.paragraphs[0].startswith("As published: Model: threshold")
    assert run.points[0] == "m: a baseline, 1 further setting (0.5); 12 rows in 2 sheets."
    assert audit.paragraphs[0] == "These sheets have no defects."
    # METEOR from .1 to .9 with the weight .15; it rises by .4, .3, .4, .5, .3, .4.
    gain = 100 * 0.15 * 2.3 / 0.8 / 6
    assert any(f"The largest gain is {gain:+.2f} CPS points at 0.5 (n = 6" in point for point in meaning.points)
    assert {figure.id for figure in figures.figures} >= {"cps", "cps-gain"}
    assert tables.tables[0].title == "Configurations"
    assert any("would probably not be detected" in point for point in limits.points)
    assert any("seed" in point for point in method.points)
    assert report.made_by == "PaSSER test"


def test_the_published_procedure_says_that_it_is_not_to_be_relied_on(tmp_path):
    at = report_builder()
    report = at.report_of_import(imported(at, tmp_path), SheetChoices(procedure="published"))
    assert "Use the procedure “corrected” for reliable figures" in report.sections[3].paragraphs[0]
    assert any("not adjusted for the number" in point for point in report.sections[6].points)


def test_every_figure_is_drawn_once(tmp_path):
    at = report_builder()
    report = at.report_of_import(imported(at, tmp_path), CORRECTED)
    page = at.page(report).decode()
    ids = [figure.id for section in report.sections for figure in section.figures]
    assert page.splitlines()[1:] == [f"svg {name}" for name in ids]


def test_a_figure_is_drawn_under_the_one_it_belongs_beside(tmp_path):
    at = report_builder()
    figures = at.figures_of_import(imported(at, tmp_path), CORRECTED)
    upper = figures[0]
    lower = figures[1].model_copy(update={"beside": upper.id})
    assert at.drawing(lower, "png", among=figures) == f"png {lower.id} under {upper.id}".encode()
    assert at.drawing(lower, "png") == f"png {lower.id}".encode()


def test_without_a_drawing_library_figures_are_open_tables(tmp_path):
    at = report_builder(HtmlReports(), missing=True)
    some_id = imported(at, tmp_path)
    page = at.page(at.report_of_import(some_id, CORRECTED)).decode()
    assert "<svg" not in page
    assert "<details open><summary>Figure as a table</summary>" in page
    assert "<dt>Project</dt>" not in page, "the default project is not named"
    elsewhere = replace(at, table_export=replace(at.table_export, project="alpha"))
    assert "<dt>Project</dt><dd>alpha</dd>" in elsewhere.page(elsewhere.report_of_import(some_id, CORRECTED)).decode()


def test_an_analysis_is_worked_out_once_for_figures_tables_and_report(tmp_path):
    at = report_builder()
    some_id = imported(at, tmp_path)
    first = at.sheet_library.analyse(some_id, CORRECTED)
    assert at.sheet_library.analyse(some_id, CORRECTED).evidence is first.evidence
    labelled = SheetChoices(procedure="corrected", labels={"m": "M"})
    assert at.sheet_library.analyse(some_id, labelled).evidence is not first.evidence
    at.sheet_library.imports.delete_import(some_id)
    with pytest.raises(NotFoundError):
        at.sheet_library.analyse(some_id, CORRECTED)


def test_a_table_is_asked_for_by_its_name():
    tables = {"means": StudyTable(columns=("a",), rows=((1,),))}
    with pytest.raises(NotFoundError, match=r"^There is no table “other”\. Choose means\.$"):
        report_builder().export(tables, "other", suffix=".csv")
    with pytest.raises(NotFoundError, match="“means”: there are no values for any table"):
        report_builder().export({}, "means", suffix=".csv")
