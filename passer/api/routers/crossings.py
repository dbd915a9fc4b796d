"""Questions that go beyond one analysis: does the gain differ between domains; is it the threshold or the number?"""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Header, Query, Response
from fastapi.responses import StreamingResponse

from passer.api.deps import Page, ServicesDep, WorkerDep
from passer.api.files import TABLE_FILES, table_response
from passer.api.sweep_detail import SweepDetail
from passer.domain.analysis.result_tables import NamedTable, named_tables
from passer.domain.crossing.crossed import DOMAINS, CrossDomain, SharedConstants, crossing_tables
from passer.domain.figures.figure import Figure
from passer.domain.figures.of_crossing import crossing_figures
from passer.domain.sheets.procedures import parsed_labels
from passer.ports.tables import ExportFormat

router = APIRouter(prefix="/api/v1", tags=["crossings"])

StudyId = Annotated[str, Query(description="Id of a sweep or of imported sheets; both must be of the same kind.")]


def _crossed(
    services: ServicesDep,
    first: StudyId,
    second: StudyId,
    constants: SharedConstants = "joint",
    label: Annotated[
        list[str] | None, Query(description="MODEL=Label for imports, to give a model the same name in both.")
    ] = None,
) -> CrossDomain:
    return services.analysis.domain_comparison.compare(
        first, second, constants=constants, labels=parsed_labels(label or ())
    )


CrossedDep = Annotated[CrossDomain, Depends(_crossed)]


@router.get("/cross-domain", operation_id="cross_domains")
def cross_domains(crossed: CrossedDep) -> CrossDomain:
    """Compare two sweeps or two imports of different questions: best thresholds, gains, differences (RQ3)."""
    return crossed


@router.get("/cross-domain/figures", operation_id="draw_domains")
def draw_domains(crossed: CrossedDep) -> Page[Figure]:
    """Return this comparison as figures."""
    return Page(items=crossing_figures(crossed))


@router.get("/cross-domain/tables", operation_id="tabulate_domains")
def tabulate_domains(crossed: CrossedDep) -> Page[NamedTable]:
    """Return this comparison as tables."""
    return Page(items=named_tables(crossing_tables(crossed)))


@router.get(
    "/cross-domain/export", operation_id="export_domains", response_class=StreamingResponse, responses=TABLE_FILES
)
def export_domains(
    services: ServicesDep,
    crossed: CrossedDep,
    table: str = DOMAINS,
    format: ExportFormat = "csv",
    reproducible: bool = False,
) -> StreamingResponse:
    """Export one of these tables as a file."""
    tables = crossing_tables(crossed)
    return table_response(services.exports.report_builder, tables, table, format=format, reproducible=reproducible)


@router.post("/runs/{run_id}/k-or-threshold", operation_id="match_k", status_code=201)
def match_k(
    run_id: str,
    services: ServicesDep,
    worker: WorkerDep,
    response: Response,
    idempotency_key: Annotated[str | None, Header(max_length=200)] = None,
) -> SweepDetail:
    """Start a sweep that compares a run's threshold with a top-k configuration that keeps as many passages on average.

    The top-k configuration is the baseline: the analysis tests by question whether the threshold is better.
    """
    stored = services.analysis.matched_k.match(run_id, idempotency_key=idempotency_key)
    worker.wake()
    response.headers["Location"] = f"/api/v1/sweeps/{stored.id}"
    return SweepDetail.of(stored)
