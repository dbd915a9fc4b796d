"""Reports of sheets: what is told first, which drawings are asked for, and what happens without a drawing library."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

import pytest

from passer.adapters.reports import HtmlReports
from passer.adapters.sheets import XlsxSheetReader
from passer.adapters.tables import result_writers
from passer.domain.analysis.choices import SheetChoices
from passer.errors import NotFoundError
from passer.services.comparing import Comparing
from passer.services.exporting import Exporting
from passer.services.importing import Importing
from passer.services.reporting import Reporting
from passer.services.timing import Timing
from tests.fake_reports import FakeDrawer, FakeRenderer
from tests.fake_store import MemoryStore
from tests.fakes import FakeClock
from tests.result_sheets import row_of, write_sheet

CORRECTED = SheetChoices(procedure="corrected")


def reporting(renderer: Any = None, *, missing: bool = False) -> Reporting:
    store = MemoryStore(FakeClock())
    importing = Importing(imports=store, reader=XlsxSheetReader(), datasets=store, clock=FakeClock())
    return Reporting(
        comparing=cast(Comparing, None),
        importing=importing,
        exporting=Exporting(writers=result_writers()),
        timing=cast(Timing, None),
        drawer=FakeDrawer(missing=missing),
        renderer=renderer or FakeRenderer(),
        made_by="PaSSER test",
    )


def imported(at: Reporting, folder: Path) -> str:
    heights = {"baseline": [0.1, 0.3, 0.2, 0.4, 0.1, 0.3], "threshold_0.5": [0.5, 0.6, 0.6, 0.9, 0.4, 0.7]}
    for name, values in heights.items():
        cells = [row_of(f"q{n}?", value) for n, value in enumerate(values)]
        write_sheet(folder / "study" / "m" / f"{name}.xlsx", cells)
    return at.importing.take_folder(folder / "study").id


def test_a_report_tells_the_audit_then_the_meaning_with_its_numbers(tmp_path):
    at = reporting()
    report = at.report_of_import(imported(at, tmp_path), SheetChoices(procedure="corrected", labels={"m": "Model"}))
    assert [section.heading for section in report.sections][:3] == ["What was run", "Audit", "What it means"]
    [run, audit, meaning, figures, tables, limits, method] = report.sections
    assert run.points[0] == "m: a baseline and the thresholds 0.50; 12 rows in 2 sheets."
    assert audit.paragraphs[0] == "No defect was found in these sheets."
    # METEOR from .1 to .9 with the weight .15; it rises by .4, .3, .4, .5, .3, .4.
    gain = 100 * 0.15 * 2.3 / 0.8 / 6
    assert any(f"the largest gain is {gain:+.2f} CPS points at 0.5 (n = 6" in point for point in meaning.points)
    assert {figure.id for figure in figures.figures} >= {"cps", "cps-gain"}
    assert tables.tables[0].title == "Configurations"
    assert any("would probably not be found by these questions" in point for point in limits.points)
    assert any("seed" in point for point in method.points)
    assert report.made_by == "PaSSER test"


def test_the_published_procedure_says_that_it_is_not_to_be_relied_on(tmp_path):
    at = reporting()
    report = at.report_of_import(imported(at, tmp_path), SheetChoices(procedure="published"))
    assert "`corrected` gives the figures to rely on" in report.sections[2].paragraphs[0]
    assert any("not corrected for the number" in point for point in report.sections[5].points)


def test_every_figure_is_drawn_once(tmp_path):
    at = reporting()
    report = at.report_of_import(imported(at, tmp_path), CORRECTED)
    page = at.page(report).decode()
    ids = [figure.id for section in report.sections for figure in section.figures]
    assert page.splitlines()[1:] == [f"svg {name}" for name in ids]


def test_a_figure_is_drawn_under_the_one_it_belongs_beside(tmp_path):
    at = reporting()
    figures = at.figures_of_import(imported(at, tmp_path), CORRECTED)
    upper = figures[0]
    lower = figures[1].model_copy(update={"beside": upper.id})
    assert at.drawing(lower, "png", among=figures) == f"png {lower.id} under {upper.id}".encode()
    assert at.drawing(lower, "png") == f"png {lower.id}".encode()


def test_without_a_drawing_library_figures_are_open_tables(tmp_path):
    at = reporting(HtmlReports(), missing=True)
    page = at.page(at.report_of_import(imported(at, tmp_path), CORRECTED)).decode()
    assert "<svg" not in page
    assert "<details open><summary>The figure as a table</summary>" in page


def test_an_analysis_is_worked_out_once_for_figures_tables_and_report(tmp_path):
    at = reporting()
    some_id = imported(at, tmp_path)
    first = at.importing.analyse(some_id, CORRECTED)
    assert at.importing.analyse(some_id, CORRECTED).evidence is first.evidence
    labelled = SheetChoices(procedure="corrected", labels={"m": "M"})
    assert at.importing.analyse(some_id, labelled).evidence is not first.evidence
    at.importing.imports.delete_import(some_id)
    with pytest.raises(NotFoundError):
        at.importing.analyse(some_id, CORRECTED)
