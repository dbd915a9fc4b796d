"""Runs: their questions, page by page, and one question whole."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query

from passer.api.deps import ServicesDep
from passer.domain.analysis.run_metrics import RunMetrics
from passer.domain.run import Run
from passer.ports import FoundRuns, RunQuery
from passer.services.inspecting import NUMBER, EvaluationDetail, EvaluationPage
from passer.services.listing import SweepComposites

router = APIRouter(prefix="/api/v1/runs", tags=["runs"])


@router.get("", operation_id="list_runs")
def list_runs(services: ServicesDep, query: Annotated[RunQuery, Query()]) -> FoundRuns:
    """Runs of all sweeps: found by name, state, model and dataset, sorted, a page at a time."""
    return services.listing.find(query)


@router.get("/composites/{sweep_id}", operation_id="list_run_composites")
def list_run_composites(sweep_id: str, services: ServicesDep) -> SweepComposites:
    """CPS of each run of a sweep, relative to the sweep's own pool."""
    return services.listing.composites(sweep_id)


@router.get("/{run_id}", operation_id="show_run")
def show_run(run_id: str, services: ServicesDep) -> Run:
    """A run as it is now."""
    return services.inspecting.run(run_id)[1]


@router.get("/{run_id}/metrics", operation_id="show_run_metrics")
def show_run_metrics(run_id: str, services: ServicesDep) -> RunMetrics:
    """Mean and distribution of the 24 columns, repetitions of the run together."""
    return services.summarising.metrics(run_id)


@router.get("/{run_id}/evaluations", operation_id="list_evaluations")
def list_evaluations(
    run_id: str,
    services: ServicesDep,
    after: Annotated[int, Query(ge=-1, le=2**31 - 1)] = -1,
    limit: Annotated[int, Query(ge=1, le=500)] = 50,
    failed_only: Annotated[bool, Query(description="Only the questions without an answer.")] = False,
    find: Annotated[str, Query(max_length=200, description="Words that question or reference must hold.")] = "",
    order: Annotated[str, Query(description="number, or one of the 24 columns.")] = NUMBER,
    is_descending: bool = False,
) -> EvaluationPage:
    """Questions with answers and scores, in dataset order or by a metric; `after` is the place in that order."""
    return services.inspecting.page(
        run_id,
        after=after,
        limit=limit,
        find=find,
        order=order,
        is_descending=is_descending,
        failed_only=failed_only,
    )


@router.get("/{run_id}/evaluations/{number}", operation_id="show_evaluation")
def show_evaluation(
    run_id: str, number: Annotated[int, Path(ge=0, le=2**31 - 1)], services: ServicesDep
) -> EvaluationDetail:
    """One question: passages, prompt, answer, scores, timings."""
    return services.inspecting.detail(run_id, number)
