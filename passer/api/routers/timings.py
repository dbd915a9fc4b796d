"""Timing runs, alone and compared with another machine."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Query
from fastapi.responses import StreamingResponse
from pydantic import Field

from passer.api.deps import ServicesDep
from passer.api.files import SHEET_FILES, TABLE_FILES, file_response
from passer.domain.analysis.result_tables import NamedTable, named_tables
from passer.domain.base import Frozen
from passer.domain.defaults import SCORE_MARGIN, TIME_MARGIN
from passer.domain.timing.comparison import TimingComparison, compare_timings
from passer.domain.timing.tables import MACHINES, comparison_tables
from passer.domain.timing.times import TimingReport
from passer.domain.wording.sentence import sentence
from passer.errors import InputError, NotFoundError
from passer.ports.tables import SUFFIXES, ExportFormat

router = APIRouter(prefix="/api/v1", tags=["timings"])

WarmUp = Annotated[int | None, Query(ge=0, le=1000)]


class WantedComparison(Frozen):
    """The other side of a comparison: a sweep of this server, or the report of another one."""

    sweep_id: str | None = None
    """Id of a sweep of this project."""
    report: TimingReport | None = None
    """Report of another machine; give exactly one of the two."""
    time_margin: float = Field(default=TIME_MARGIN, gt=0, le=10)
    """Ratios within 1 / (1 + margin) and 1 + margin count as the same."""
    score_margin: float = Field(default=SCORE_MARGIN, gt=0, le=10)
    """Mean differences within it count as the same."""


class ComparedTimings(TimingComparison):
    """Comparison of two timing runs, with tables."""

    tables: tuple[NamedTable, ...]
    """Tables that have rows."""


@router.get("/sweeps/{sweep_id}/timings", operation_id="time_sweep")
def time_sweep(sweep_id: str, services: ServicesDep, warm_up: WarmUp = None) -> TimingReport:
    """Return the times of a finished sweep by question and as medians with spread, and the machine."""
    return services.analysis.timing_results.report(sweep_id, warm_up=warm_up)


@router.post("/sweeps/{sweep_id}/timings/comparisons", operation_id="compare_timings")
def compare_with(sweep_id: str, body: WantedComparison, services: ServicesDep) -> ComparedTimings:
    """Compare two timing runs, paired by configuration and question: ratios with intervals, and identical answers."""
    here, there = _reports(sweep_id, body, services)
    compared = compare_timings(here, there, time_margin=body.time_margin, score_margin=body.score_margin)
    tables = named_tables(comparison_tables(here, there, compared))
    return ComparedTimings(**dict(compared), tables=tables)


@router.post(
    "/sweeps/{sweep_id}/timings/comparisons/export",
    operation_id="export_timing_comparison",
    response_class=StreamingResponse,
    responses=TABLE_FILES,
)
def export_comparison(
    sweep_id: str, body: WantedComparison, services: ServicesDep, format: ExportFormat = "csv", table: str = MACHINES
) -> StreamingResponse:
    """Export one of these tables as a file; without a name, one row per configuration and measure."""
    here, there = _reports(sweep_id, body, services)
    compared = compare_timings(here, there, time_margin=body.time_margin, score_margin=body.score_margin)
    suffix = SUFFIXES[format]
    tables = comparison_tables(here, there, compared)
    if table not in tables:
        raise NotFoundError(sentence("export.no-table", name=table, tables=", ".join(tables), n=len(tables)))
    content = services.exports.table_export.table(tables[table], suffix=suffix)
    return file_response(content, name=f"{here.sweep_id}-timings-compared{suffix}")


def _reports(sweep_id: str, body: WantedComparison, services: ServicesDep) -> tuple[TimingReport, TimingReport]:
    """Return the report of this sweep, and the one to compare it with."""
    if (body.sweep_id is None) == (body.report is None):
        raise InputError(sentence("timing.one-side"))
    return services.analysis.timing_results.report(sweep_id), body.report or services.analysis.timing_results.report(
        body.sweep_id or ""
    )


@router.get(
    "/sweeps/{sweep_id}/timings/export",
    operation_id="export_timings",
    response_class=StreamingResponse,
    responses=SHEET_FILES,
)
def export_timings(
    sweep_id: str, services: ServicesDep, format: Literal["csv", "jsonl", "xlsx"] = "csv", warm_up: WarmUp = None
) -> StreamingResponse:
    """Export one row per question as a file."""
    content = services.analysis.timing_results.export(sweep_id, suffix=f".{format}", warm_up=warm_up)
    return file_response(content, name=f"{sweep_id}-timings.{format}")
