"""Questions that go beyond one analysis: does the gain differ between domains; is it the threshold or the number?"""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Header, Query, Response
from fastapi.responses import StreamingResponse

from passer.api.deps import ConductingDep, Page, ServicesDep
from passer.api.files import SUFFIXES, ExportFormat, file_response
from passer.api.routers.sweeps import SweepDetail
from passer.domain.analysis.result_tables import NamedTable, named_tables
from passer.domain.crossing.crossed import CrossDomain, SharedConstants
from passer.domain.crossing.tables import DOMAINS, crossing_tables
from passer.domain.sheets.procedures import parsed_labels

router = APIRouter(prefix="/api/v1", tags=["crossings"])

StudyId = Annotated[str, Query(description="Id of a sweep, or of imported sheets; both of one kind.")]


def _crossed(
    services: ServicesDep,
    first: StudyId,
    second: StudyId,
    constants: SharedConstants = "joint",
    label: Annotated[list[str] | None, Query(description="MODEL=Label of imports, so that both call it alike.")] = None,
) -> CrossDomain:
    return services.crossing.compare(first, second, constants=constants, labels=parsed_labels(label or ()))


CrossedDep = Annotated[CrossDomain, Depends(_crossed)]


@router.get("/cross-domain", operation_id="cross_domains")
def cross_domains(crossed: CrossedDep) -> CrossDomain:
    """Two sweeps or two imports of different questions: best thresholds, gains, and whether the gain differs (RQ3)."""
    return crossed


@router.get("/cross-domain/tables", operation_id="tabulate_domains")
def tabulate_domains(crossed: CrossedDep) -> Page[NamedTable]:
    """The same as tables."""
    return Page(items=named_tables(crossing_tables(crossed)))


@router.get("/cross-domain/export", operation_id="export_domains", response_class=StreamingResponse)
def export_domains(
    services: ServicesDep,
    crossed: CrossedDep,
    table: str = DOMAINS,
    format: ExportFormat = "csv",
    reproducible: bool = False,
) -> StreamingResponse:
    """One of these tables as a file."""
    tables, suffix = crossing_tables(crossed), SUFFIXES[format]
    content = services.reporting.export(tables, table, suffix=suffix, reproducible=reproducible)
    return file_response(content, name=f"{table}{suffix}")


@router.post("/runs/{run_id}/k-or-threshold", operation_id="match_k", status_code=201)
def match_k(
    run_id: str,
    services: ServicesDep,
    conducting: ConductingDep,
    response: Response,
    idempotency_key: Annotated[str | None, Header(max_length=200)] = None,
) -> SweepDetail:
    """Start a sweep of a run's threshold against a Normal arm that keeps as many passages on average.

    The Normal arm is its baseline, so that its analysis tests by question whether the threshold does more than that.
    """
    stored = services.matching.match(run_id, idempotency_key=idempotency_key)
    conducting.wake()
    response.headers["Location"] = f"/api/v1/sweeps/{stored.id}"
    return SweepDetail.of(stored)
