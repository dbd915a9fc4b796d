"""Result sheets of earlier versions: uploaded, audited, analysed by a named procedure."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, File, Form, Path, Query, UploadFile
from fastapi.responses import HTMLResponse, StreamingResponse
from pydantic import StringConstraints

from passer.api.choices import Labels, SheetChoicesDep
from passer.api.deps import Page, ServicesDep
from passer.api.files import TABLE_FILES, file_response, page_response
from passer.api.routers.jobs import Accepted, SubmitDep
from passer.domain.analysis.result_tables import CONFIGURATIONS, NamedTable, named_tables
from passer.domain.figures.figure import Figure
from passer.domain.sheets.defect_effects import DefectEffects
from passer.domain.sheets.procedures import StudyAnalysis, parsed_labels
from passer.domain.sheets.questions import (
    RecomputedScores,
    SheetPageQuery,
    SheetQuery,
    SheetQuestionDetail,
    SheetQuestionPage,
)
from passer.domain.wording.sentence import sentence
from passer.errors import ConflictError
from passer.ports import ImportSummary
from passer.ports.tables import SUFFIXES, ExportFormat
from passer.services.sheets.sheet_library import ImportDetail
from passer.services.work.kinds import ImportSpec

router = APIRouter(prefix="/api/v1/imports", tags=["imports"])

ImportName = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=200)]
Number = Annotated[int, Path(ge=0, le=2**31 - 1, description="Position among the rows of the sheet, from 0.")]


@router.post("", operation_id="create_import", status_code=202)
def create_import(
    submit: SubmitDep,
    files: Annotated[list[UploadFile], File()],
    name: Annotated[ImportName | None, Form()] = None,
    dataset: Annotated[str | None, Form(min_length=1)] = None,
) -> Accepted:
    """Import result sheets or zip archives of them, all or none. The result of the job is an ImportDetail.

    A sheet's file name carries its path: MODEL/threshold_T/FILE.xlsx, MODEL/threshold_T.xlsx or MODEL-T.xlsx; folders
    around them are left out. `dataset` names a dataset of the project, with whose references the sheets are compared.
    """
    names = tuple(file.filename or "sheet.xlsx" for file in files)
    return submit(ImportSpec(files=names, name=name, dataset=dataset), [file.file for file in files])


@router.get("", operation_id="list_imports")
def list_imports(services: ServicesDep) -> Page[ImportSummary]:
    """List all imports, newest first."""
    return Page(items=tuple(services.adapters.imports.list_imports()))


@router.get("/{import_id}", operation_id="show_import")
def show_import(import_id: str, services: ServicesDep) -> ImportDetail:
    """Return an import with its audit. Read it before the results."""
    return ImportDetail.of(services.adapters.imports.load_import(import_id, with_answers=False))


@router.delete("/{import_id}", operation_id="delete_import", status_code=204)
def delete_import(import_id: str, services: ServicesDep, confirm: str) -> None:
    """Delete an import with its sheets; `confirm` must be its name."""
    name = services.adapters.imports.load_import(import_id, with_answers=False).name
    if confirm != name:
        raise ConflictError(sentence("problem.name-needed", name=name))
    services.adapters.imports.delete_import(import_id)


@router.get("/{import_id}/analysis", operation_id="analyse_import")
def analyse_import(import_id: str, services: ServicesDep, choices: SheetChoicesDep) -> StudyAnalysis:
    """Analyse the sheets; the procedure `corrected` includes all tests of all gains."""
    return services.sheets.sheet_library.analyse(import_id, choices)


@router.get("/{import_id}/defect-effects", operation_id="show_defect_effects")
def show_defect_effects(import_id: str, services: ServicesDep, label: Labels = None) -> DefectEffects:
    """Return conclusions and figures as published and corrected, with the defect that changes each of them."""
    return services.sheets.sheet_library.effects(import_id, parsed_labels(label or ()))


@router.get("/{import_id}/figures", operation_id="draw_import")
def draw_import(import_id: str, services: ServicesDep, choices: SheetChoicesDep) -> Page[Figure]:
    """Return the figures of the import as data."""
    figures = services.exports.report_builder.figures_of_import(import_id, choices)
    return Page(items=figures)


@router.get("/{import_id}/tables", operation_id="tabulate_import")
def tabulate_import(import_id: str, services: ServicesDep, choices: SheetChoicesDep) -> Page[NamedTable]:
    """List every table of the sheets, with all tests if the procedure is `corrected`."""
    tables = services.exports.report_builder.tables_of_import(import_id, choices)
    return Page(items=named_tables(tables))


@router.get(
    "/{import_id}/export", operation_id="export_import", response_class=StreamingResponse, responses=TABLE_FILES
)
def export_import(
    import_id: str,
    services: ServicesDep,
    choices: SheetChoicesDep,
    table: str = CONFIGURATIONS,
    format: ExportFormat = "csv",
    reproducible: bool = False,
) -> StreamingResponse:
    """Export one table of the import as a file."""
    tables = services.exports.report_builder.tables_of_import(import_id, choices)
    content = services.exports.report_builder.export(
        tables, table, suffix=SUFFIXES[format], constants=choices.constants, reproducible=reproducible
    )
    return file_response(content, name=f"{import_id}-{choices.procedure}-{table}{SUFFIXES[format]}")


@router.get("/{import_id}/report", operation_id="report_import", response_class=HTMLResponse)
def report_import(import_id: str, services: ServicesDep, choices: SheetChoicesDep) -> HTMLResponse:
    """Return a self-contained HTML report, starting with the audit."""
    report = services.exports.report_builder.report_of_import(import_id, choices)
    return page_response(services.exports.report_builder.page(report), name=f"{import_id}-{choices.procedure}.html")


@router.get("/{import_id}/questions", operation_id="list_sheet_questions")
def list_sheet_questions(
    import_id: str, services: ServicesDep, query: Annotated[SheetPageQuery, Query()]
) -> SheetQuestionPage:
    """List the rows of a sheet with question, answer and scores: searched, filtered, sorted, one page at a time."""
    return services.sheets.sheet_browser.page(import_id, query)


@router.get("/{import_id}/questions/{number}", operation_id="show_sheet_question")
def show_sheet_question(
    import_id: str, number: Number, services: ServicesDep, query: Annotated[SheetQuery, Query()]
) -> SheetQuestionDetail:
    """Return one row of a sheet with its 24 columns, and its neighbours in the requested order."""
    return services.sheets.sheet_browser.detail(import_id, number, query)


@router.get("/{import_id}/questions/{number}/recomputed", operation_id="recompute_sheet_question")
def recompute_sheet_question(import_id: str, number: Number, services: ServicesDep, sheet: str) -> RecomputedScores:
    """Recompute the 24 columns of a row from its answer and the dataset's reference, with the published definitions."""
    return services.sheets.sheet_browser.recomputed(import_id, number, path=sheet)
