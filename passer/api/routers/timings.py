"""What timing runs measured, alone and beside another machine's."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal

from fastapi import APIRouter, Query
from fastapi.responses import StreamingResponse
from pydantic import Field

from passer.api.deps import ServicesDep
from passer.api.files import SUFFIXES, ExportFormat, file_response
from passer.domain.base import Frozen
from passer.domain.timing.comparison import SCORE_MARGIN, TIME_MARGIN, TimingComparison, compare_timings
from passer.domain.timing.tables import comparison_table
from passer.domain.timing.times import TimingReport
from passer.errors import InputError

router = APIRouter(prefix="/api/v1", tags=["timings"])

TYPES = {
    "csv": "text/csv; charset=utf-8",
    "jsonl": "application/jsonl",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}
WarmUp = Annotated[int | None, Query(ge=0, le=1000)]


class WantedComparison(Frozen):
    """What to compare with: another sweep of this server, or what another server reported."""

    sweep_id: str | None = None
    """A sweep that is here."""
    report: TimingReport | None = None
    """A report of another machine; just one of the two is given."""
    time_margin: float = Field(default=TIME_MARGIN, gt=0, le=10)
    """Ratios within 1 / (1 + margin) and 1 + margin count as the same."""
    score_margin: float = Field(default=SCORE_MARGIN, gt=0, le=10)
    """Mean differences within it count as the same."""


@router.get("/sweeps/{sweep_id}/timings", operation_id="time_sweep")
def time_sweep(sweep_id: str, services: ServicesDep, warm_up: WarmUp = None) -> TimingReport:
    """Times of a finished sweep, question by question and as medians with spread, and the machine that it ran on."""
    return services.timing.report(sweep_id, warm_up=warm_up)


@router.post("/sweeps/{sweep_id}/timings/comparisons", operation_id="compare_timings")
def compare_with(sweep_id: str, body: WantedComparison, services: ServicesDep) -> TimingComparison:
    """Two timing runs, paired by configuration and question: ratios with intervals, and how many answers are equal."""
    here, there = _reports(sweep_id, body, services)
    return compare_timings(here, there, time_margin=body.time_margin, score_margin=body.score_margin)


@router.post(
    "/sweeps/{sweep_id}/timings/comparisons/export",
    operation_id="export_timing_comparison",
    response_class=StreamingResponse,
)
def export_comparison(
    sweep_id: str, body: WantedComparison, services: ServicesDep, format: ExportFormat = "csv"
) -> StreamingResponse:
    """The same as a file: a row for each configuration and figure, with both machines on it."""
    here, there = _reports(sweep_id, body, services)
    compared = compare_timings(here, there, time_margin=body.time_margin, score_margin=body.score_margin)
    suffix = SUFFIXES[format]
    content = services.exporting.table(comparison_table(here, there, compared), suffix=suffix)
    return file_response(content, name=f"{here.sweep_id}-timings-compared{suffix}")


def _reports(sweep_id: str, body: WantedComparison, services: ServicesDep) -> tuple[TimingReport, TimingReport]:
    """Of this sweep, and of what it is compared with."""
    if (body.sweep_id is None) == (body.report is None):
        raise InputError("Give sweep_id or report, one of the two: it is what this sweep is compared with.")
    return services.timing.report(sweep_id), body.report or services.timing.report(body.sweep_id or "")


@router.get("/sweeps/{sweep_id}/timings/export", operation_id="export_timings", response_class=StreamingResponse)
def export_timings(
    sweep_id: str, services: ServicesDep, format: Literal["csv", "jsonl", "xlsx"] = "csv", warm_up: WarmUp = None
) -> StreamingResponse:
    """A row for every question as a file."""
    content = services.timing.export(sweep_id, suffix=f".{format}", warm_up=warm_up)

    def chunks() -> Iterator[bytes]:
        with content:
            while block := content.read(1 << 20):
                yield block

    disposition = f'attachment; filename="{sweep_id}-timings.{format}"'
    return StreamingResponse(chunks(), media_type=TYPES[format], headers={"Content-Disposition": disposition})
