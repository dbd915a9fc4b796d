"""Sweeps: planned, started, followed, steered."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Header, Query, Response
from pydantic import Field

from passer.api.choices import BudgetDep
from passer.api.deps import Page, ServicesDep, WorkerDep
from passer.api.sweep_detail import SweepDetail, detail_of
from passer.domain.base import Frozen
from passer.domain.sweeps.annotation import Annotation
from passer.domain.sweeps.budget import NO_LIMITS
from passer.domain.sweeps.plan import SweepPlan
from passer.domain.sweeps.preview import SweepPreview
from passer.domain.sweeps.run import Run, RunConfig
from passer.domain.sweeps.sweep import Sweep, usual_fields

router = APIRouter(prefix="/api/v1", tags=["sweeps"])


class NewRun(Frozen):
    """One configuration alone."""

    name: str = Field(default="Run", min_length=1, max_length=200)
    """Shown in tables."""
    config: RunConfig
    """Configuration to run."""


@router.post("/sweeps/plans", operation_id="plan_sweep")
def plan_sweep(
    body: Sweep,
    services: ServicesDep,
    budget: BudgetDep,
    questions: Annotated[int | None, Query(ge=1, le=10_000_000)] = None,
) -> SweepPlan:
    """Plan a sweep: expected work and warnings. `questions` replaces a dataset that does not exist yet."""
    services.library.model_servers.check_named(body.models)
    plan = services.sweeps.planner.plan(body, questions=questions)
    return plan.within(budget or NO_LIMITS, reply_tokens=body.config.options.num_predict)


@router.post("/sweeps/previews", operation_id="preview_sweep")
def preview_sweep(body: Sweep, services: ServicesDep, budget: BudgetDep) -> SweepPreview:
    """Plan a sweep with its retrieval; nothing is generated or saved.

    Takes as long as embedding the questions. A sweep that is started afterwards reuses the rankings.
    """
    services.library.model_servers.check_named(body.models)
    found = services.sweeps.preview.preview(body)
    plan = found.plan.within(budget or NO_LIMITS, reply_tokens=body.config.options.num_predict)
    return found.model_copy(update={"plan": plan})


@router.post("/sweeps", operation_id="create_sweep", status_code=201)
def create_sweep(
    body: Sweep,
    services: ServicesDep,
    worker: WorkerDep,
    response: Response,
    budget: BudgetDep,
    idempotency_key: Annotated[str | None, Header(max_length=200)] = None,
) -> SweepDetail:
    """Start a sweep. A repeated request with the same Idempotency-Key returns the same sweep."""
    services.library.model_servers.check_named(body.models)
    stored = services.sweeps.planner.create(body, idempotency_key=idempotency_key, budget=budget or NO_LIMITS)
    worker.wake()
    response.headers["Location"] = f"/api/v1/sweeps/{stored.id}"
    return SweepDetail.of(stored)


@router.post("/runs", operation_id="create_run", status_code=201)
def create_run(
    body: NewRun,
    services: ServicesDep,
    worker: WorkerDep,
    response: Response,
    idempotency_key: Annotated[str | None, Header(max_length=200)] = None,
) -> Run:
    """Start one configuration, as a sweep with one run."""
    sweep = Sweep(name=body.name, config=body.config, **usual_fields(body.config.profile))
    services.library.model_servers.check_named(sweep.models)
    stored = services.sweeps.planner.create(sweep, idempotency_key=idempotency_key)
    worker.wake()
    response.headers["Location"] = f"/api/v1/runs/{stored.runs[0].id}"
    return stored.runs[0]


@router.get("/sweeps", operation_id="list_sweeps")
def list_sweeps(
    services: ServicesDep,
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
    after: str | None = None,
    cursor: Annotated[str | None, Query(deprecated=True, description="Former name of `after`.")] = None,
    tag: Annotated[str | None, Query(max_length=40, description="Only sweeps with this tag.")] = None,
    archived: Annotated[bool, Query(description="Archived sweeps instead of the others.")] = False,
) -> Page[SweepDetail]:
    """List sweeps, newest first."""
    found = services.adapters.runs.list_sweeps(limit=limit + 1, before=after or cursor, tag=tag, archived=archived)
    items = tuple(SweepDetail.of(stored) for stored in found[:limit])
    return Page(items=items, next=items[-1].id if len(found) > limit else None)


@router.get("/sweeps/{sweep_id}", operation_id="show_sweep")
def show_sweep(sweep_id: str, services: ServicesDep) -> SweepDetail:
    """Return a sweep with its runs and progress, its place in the queue before, and its savings once it has ended."""
    return detail_of(services, services.adapters.runs.load_sweep(sweep_id))


@router.patch("/sweeps/{sweep_id}", operation_id="annotate_sweep")
def annotate_sweep(sweep_id: str, body: Annotation, services: ServicesDep) -> SweepDetail:
    """Rename, tag, annotate or archive a sweep. Members that are left out stay as they are; no result depends on it."""
    return SweepDetail.of(services.sweeps.control.annotate(sweep_id, body.model_dump(exclude_unset=True)))


@router.post("/sweeps/{sweep_id}/{act}", operation_id="steer_sweep")
def steer_sweep(
    sweep_id: str,
    act: Literal["cancel", "pause", "resume", "retry", "register"],
    services: ServicesDep,
    worker: WorkerDep,
    budget: BudgetDep,
    run_id: Annotated[list[str] | None, Query()] = None,
) -> SweepDetail:
    """Cancel, pause or resume a sweep, or retry its failed questions: the whole sweep, or the named runs.

    `register` enters the plan of a whole sweep that has asked no question in the ledger; later it is refused. A sweep
    whose budget is used up is resumed with a larger `budget`, which replaces its limits; so is its judge.
    """
    control, chosen = services.sweeps.control, run_id or ()
    if act == "register":
        stored = services.provenance.waiting_sweeps.register(sweep_id)
    elif act == "resume":
        stored = control.resume(sweep_id, run_ids=chosen, budget=budget)
        services.work.resume_judge(sweep_id)
    else:
        acts = {"cancel": control.cancel, "pause": control.pause, "retry": control.retry}
        stored = acts[act](sweep_id, run_ids=chosen)
    worker.wake()
    asks_again = act in ("resume", "retry")
    warnings = services.sweeps.planner.changed_models(stored) if asks_again else ()
    return SweepDetail.of(stored).model_copy(update={"warnings": warnings})
