"""Runs side by side, whatever sweeps they belong to."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Query
from fastapi.responses import StreamingResponse

from passer.api.deps import Page, ServicesDep
from passer.api.files import TABLE_FILES, table_response
from passer.domain.analysis.result_tables import NamedTable, named_tables
from passer.domain.analysis.run_comparison import (
    CHANGED,
    COMPARED_METRICS,
    ChangedPage,
    ChangeOrder,
    RunComparison,
    changed_table,
    comparison_tables,
)
from passer.domain.composite import CPS
from passer.domain.figures.figure import Figure
from passer.domain.figures.of_comparison import comparison_figures
from passer.domain.questions.origin_bias import OriginMatrix
from passer.ports.tables import ExportFormat

router = APIRouter(prefix="/api/v1/comparisons", tags=["comparisons"])

RunIds = Annotated[list[str], Query(min_length=2, max_length=20, description="Ids of the runs. Repeatable.")]


def _compared(services: ServicesDep, run: RunIds, baseline: str | None = None) -> RunComparison:
    return services.runs.run_comparer.compare(run, baseline=baseline)


ComparedDep = Annotated[RunComparison, Depends(_compared)]


@router.get("", operation_id="compare_runs")
def compare_runs(compared: ComparedDep) -> RunComparison:
    """Compare runs: means, paired differences with intervals and p values, and differences in configuration."""
    return compared


@router.get("/figures", operation_id="draw_comparison")
def draw_comparison(compared: ComparedDep) -> Page[Figure]:
    """Return this comparison as figures."""
    return Page(items=comparison_figures(compared))


@router.get("/tables", operation_id="tabulate_comparison")
def tabulate_comparison(compared: ComparedDep) -> Page[NamedTable]:
    """Return this comparison as tables."""
    return Page(items=named_tables(comparison_tables(compared)))


@router.get("/export", operation_id="export_comparison", response_class=StreamingResponse, responses=TABLE_FILES)
def export_comparison(
    services: ServicesDep,
    compared: ComparedDep,
    table: str = COMPARED_METRICS,
    format: ExportFormat = "csv",
    reproducible: bool = False,
) -> StreamingResponse:
    """Export one of these tables as a file."""
    tables = comparison_tables(compared)
    return table_response(services.exports.report_builder, tables, table, format=format, reproducible=reproducible)


@router.get("/origins", operation_id="compare_origins")
def compare_origins(
    services: ServicesDep,
    run: Annotated[list[str], Query(min_length=1, max_length=100, description="Ids of the runs. Repeatable.")],
    metric: Annotated[str, Query(max_length=100, description="One of the 24 columns, or a judged one.")],
) -> OriginMatrix:
    """Compare who wrote the questions with who answered them: do questions favour the model that drafted them?"""
    return services.analysis.origin_bias.of(run, metric)


@router.get("/questions", operation_id="list_changed_questions")
def list_changed_questions(
    services: ServicesDep,
    run: RunIds,
    of: str,
    baseline: str,
    metric: str = CPS,
    order: ChangeOrder = "change",
    after: Annotated[int, Query(ge=0, le=10_000_000)] = 0,
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
) -> ChangedPage:
    """List the questions of run `of` whose scores differ most from the baseline."""
    return services.runs.run_comparer.changed(
        run, of=of, baseline=baseline, metric=metric, order=order, after=after, limit=limit
    )


@router.get(
    "/questions/export",
    operation_id="export_changed_questions",
    response_class=StreamingResponse,
    responses=TABLE_FILES,
)
def export_changed_questions(
    services: ServicesDep,
    run: RunIds,
    of: str,
    baseline: str,
    metric: str = CPS,
    order: ChangeOrder = "change",
    format: ExportFormat = "csv",
    reproducible: bool = False,
) -> StreamingResponse:
    """Export all of these questions, with both answers, as a file."""
    page = services.runs.run_comparer.changed(run, of=of, baseline=baseline, metric=metric, order=order, limit=None)
    tables = changed_table(page.items, metric=metric)
    return table_response(services.exports.report_builder, tables, CHANGED, format=format, reproducible=reproducible)
