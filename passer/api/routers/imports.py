"""Result sheets of earlier versions: uploaded, audited, analysed by a named procedure."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, File, Form, Path, Query, Response, UploadFile
from fastapi.responses import HTMLResponse, StreamingResponse

from passer.api.choices import SheetChoicesDep
from passer.api.deps import JobsDep, Page, ServicesDep
from passer.api.files import SUFFIXES, ExportFormat, file_response, page_response
from passer.api.jobs import Accepted
from passer.domain.analysis.result_tables import CONFIGURATIONS, NamedTable, named_tables
from passer.domain.figures.figure import Figure
from passer.domain.sheets.audit import Audit
from passer.domain.sheets.procedures import StudyAnalysis
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
from passer.services.importing import ImportDetail

router = APIRouter(prefix="/api/v1/imports", tags=["imports"])

Number = Annotated[int, Path(ge=0, le=2**31 - 1, description="Place among the sheet's rows, from 0.")]


@router.post("", operation_id="create_import", status_code=202)
def create_import(
    services: ServicesDep,
    jobs: JobsDep,
    response: Response,
    files: Annotated[list[UploadFile], File()],
    name: Annotated[str | None, Form(min_length=1, max_length=200)] = None,
    dataset: Annotated[str | None, Form(min_length=1)] = None,
) -> Accepted:
    """Take sheets, or zip archives of them, whole or not at all; the job's result is an ImportDetail.

    A sheet's file name carries its path: MODEL/threshold_T/FILE.xlsx, MODEL/threshold_T.xlsx or MODEL-T.xlsx; folders
    around them are left out. `dataset` names a dataset that is here, whose references are compared.
    """
    given = [(file.filename or "sheet.xlsx", file.file.read()) for file in files]
    accepted = jobs.start(
        "import",
        lambda progress: ImportDetail.of(
            services.importing.take_uploads(given, name=name, dataset=dataset, progress=progress)
        ),
    )
    response.headers["Location"] = accepted.status_url
    return accepted


@router.get("", operation_id="list_imports")
def list_imports(services: ServicesDep) -> Page[ImportSummary]:
    """Newest first."""
    return Page(items=tuple(services.imports.list_imports()))


@router.get("/{import_id}", operation_id="show_import")
def show_import(import_id: str, services: ServicesDep) -> ImportDetail:
    """An import with its audit."""
    return ImportDetail.of(services.imports.load_import(import_id, with_answers=False))


@router.delete("/{import_id}", operation_id="delete_import", status_code=204)
def delete_import(import_id: str, services: ServicesDep, confirm: str) -> None:
    """Delete an import with its sheets; `confirm` repeats its name."""
    name = services.imports.load_import(import_id, with_answers=False).name
    if confirm != name:
        raise ConflictError(sentence("problem.name-needed", name=name))
    services.imports.delete_import(import_id)


@router.get("/{import_id}/audit", operation_id="show_audit")
def show_audit(import_id: str, services: ServicesDep) -> Audit:
    """What is wrong with its sheets: to be read before any number."""
    return services.imports.load_import(import_id, with_answers=False).audit


@router.get("/{import_id}/analysis", operation_id="analyse_import")
def analyse_import(import_id: str, services: ServicesDep, choices: SheetChoicesDep) -> StudyAnalysis:
    """Figures and tables of its sheets; with every test of every gain where the procedure is `corrected`."""
    return services.importing.analyse(import_id, choices)


@router.get("/{import_id}/figures", operation_id="draw_import")
def draw_import(import_id: str, services: ServicesDep, choices: SheetChoicesDep) -> Page[Figure]:
    """Its figures as data."""
    figures = services.reporting.figures_of_import(import_id, choices)
    return Page(items=figures)


@router.get("/{import_id}/tables", operation_id="tabulate_import")
def tabulate_import(import_id: str, services: ServicesDep, choices: SheetChoicesDep) -> Page[NamedTable]:
    """Every table of its sheets, with the evidence behind gains where the procedure is `corrected`."""
    tables = services.reporting.tables_of_import(import_id, choices)
    return Page(items=named_tables(tables))


@router.get("/{import_id}/export", operation_id="export_import", response_class=StreamingResponse)
def export_import(
    import_id: str,
    services: ServicesDep,
    choices: SheetChoicesDep,
    table: str = CONFIGURATIONS,
    format: ExportFormat = "csv",
    reproducible: bool = False,
) -> StreamingResponse:
    """One of its tables as a file."""
    tables = services.reporting.tables_of_import(import_id, choices)
    content = services.reporting.export(
        tables, table, suffix=SUFFIXES[format], constants=choices.constants, reproducible=reproducible
    )
    return file_response(content, name=f"{import_id}-{choices.procedure}-{table}{SUFFIXES[format]}")


@router.get("/{import_id}/report", operation_id="report_import", response_class=HTMLResponse)
def report_import(import_id: str, services: ServicesDep, choices: SheetChoicesDep) -> HTMLResponse:
    """A report as one HTML page that needs nothing beside itself, the audit first."""
    report = services.reporting.report_of_import(import_id, choices)
    return page_response(services.reporting.page(report), name=f"{import_id}-{choices.procedure}.html")


@router.get("/{import_id}/questions", operation_id="list_sheet_questions")
def list_sheet_questions(
    import_id: str, services: ServicesDep, query: Annotated[SheetPageQuery, Query()]
) -> SheetQuestionPage:
    """The questions of one of its sheets with answers and scores: found, filtered, sorted, a page at a time."""
    return services.inspecting_sheets.page(import_id, query)


@router.get("/{import_id}/questions/{number}", operation_id="show_sheet_question")
def show_sheet_question(
    import_id: str, number: Number, services: ServicesDep, query: Annotated[SheetQuery, Query()]
) -> SheetQuestionDetail:
    """One row of a sheet with its 24 columns, and its neighbours in the order asked for."""
    return services.inspecting_sheets.detail(import_id, number, query)


@router.get("/{import_id}/questions/{number}/recomputed", operation_id="recompute_sheet_question")
def recompute_sheet_question(import_id: str, number: Number, services: ServicesDep, sheet: str) -> RecomputedScores:
    """The 24 columns of a row made again by the published definitions, from its answer and the dataset's reference."""
    return services.inspecting_sheets.recomputed(import_id, number, path=sheet)
