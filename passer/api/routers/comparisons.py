"""Runs side by side, whatever sweeps they belong to."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query

from passer.api.deps import ServicesDep
from passer.domain.analysis.run_comparison import CPS, ChangedPage, ChangeOrder, RunComparison

router = APIRouter(prefix="/api/v1/comparisons", tags=["comparisons"])

RunIds = Annotated[list[str], Query(min_length=2, max_length=20, description="Ids of the runs; may be repeated.")]


@router.get("", operation_id="compare_runs")
def compare_runs(services: ServicesDep, run: RunIds, baseline: str | None = None) -> RunComparison:
    """Means, paired differences with interval and p, and what sets the runs apart."""
    return services.comparing_runs.compare(run, baseline=baseline)


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
    """The questions of run `of` that differ most from the baseline's."""
    return services.comparing_runs.changed(
        run, of=of, baseline=baseline, metric=metric, order=order, after=after, limit=limit
    )
